// Memory from the device's heap: malloc and free, new and delete, a list built by one kernel and
// walked by another.
#include "../check.cuh"

struct Node {
  int value;
  Node* next;
};

__global__ void build(Node** heads, int n) {
  const int t = threadIdx.x;
  Node* head = nullptr;
  for (int i = 0; i < n; ++i) head = new Node{t * 1000 + i, head};
  heads[t] = head;
}

__global__ void walk(Node** heads, int* out) {
  int sum = 0;
  for (Node* node = heads[threadIdx.x]; node != nullptr;) {
    Node* next = node->next;
    sum = sum * 3 + node->value;
    delete node;
    node = next;
  }
  out[threadIdx.x] = sum;
}

__global__ void scratch(int* out) {
  int* mine = static_cast<int*>(malloc((threadIdx.x + 1) * sizeof(int)));
  int sum = -1;
  if (mine != nullptr) {
    sum = 0;
    for (int i = 0; i <= static_cast<int>(threadIdx.x); ++i) mine[i] = i;
    for (int i = 0; i <= static_cast<int>(threadIdx.x); ++i) sum += mine[i];
  }
  free(mine);
  free(nullptr);
  out[threadIdx.x] = sum;
}

__global__ void too_much(int* out) {
  void* p = malloc(size_t(1) << 40);
  *out = p == nullptr;
  free(p);
}

int main() {
  const int threads = 48;
  Node** heads = upload(std::vector<Node*>(threads));
  int* out = upload(std::vector<int>(threads));
  for (int n : {0, 1, 10}) {
    std::vector<int> want(threads);
    for (int t = 0; t < threads; ++t) {
      unsigned sum = 0;
      for (int i = n - 1; i >= 0; --i) sum = sum * 3 + t * 1000 + i;
      want[t] = static_cast<int>(sum);
    }
    build<<<1, threads>>>(heads, n);
    walk<<<1, threads>>>(heads, out);
    CHECK_KERNEL();
    report("lists", download(out, threads), want);
  }
  std::vector<int> want(threads);
  for (int t = 0; t < threads; ++t) want[t] = t * (t + 1) / 2;
  scratch<<<1, threads>>>(out);
  CHECK_KERNEL();
  report("scratch", download(out, threads), want);
  too_much<<<1, 1>>>(out);
  CHECK_KERNEL();
  report("refused", 0, download(out, 1)[0], 1);
  size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  std::printf("heap of %zu bytes\n", limit);
  return finish();
}
