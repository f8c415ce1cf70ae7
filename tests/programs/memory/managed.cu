// Managed memory: one pointer for host and device, managed variables, structures that point to each
// other.
#include "../check.cuh"

__managed__ int total = 10;
__device__ __managed__ int table[4] = {1, 2, 3, 4};

struct Node {
  int value;
  Node* next;
};

__global__ void add(const int* values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&total, values[i]);
  if (threadIdx.x < 4) table[threadIdx.x] *= 10;
}

__global__ void walk(Node* head, int* sum) {
  for (Node* node = head; node != nullptr; node = node->next) *sum = *sum * 3 + node->value++;
}

int main() {
  for (int n : {0, 1, 1000}) {
    int* values = nullptr;
    CHECK(cudaMallocManaged(&values, (n + 1) * sizeof(int)));
    int want = total;
    for (int i = 0; i < n; ++i) want += values[i] = i % 17;
    add<<<1, 96>>>(values, n);
    CHECK_KERNEL();
    report("total", n, total, want);
    CHECK(cudaFree(values));
  }
  report("table", std::vector<int>(table, table + 4), {1000, 2000, 3000, 4000});

  Node* nodes = nullptr;
  int* sum = nullptr;
  CHECK(cudaMallocManaged(&nodes, 5 * sizeof(Node)));
  CHECK(cudaMallocManaged(&sum, sizeof(int), cudaMemAttachGlobal));
  *sum = 0;
  for (int i = 0; i < 5; ++i) nodes[i] = {i, i + 1 < 5 ? &nodes[i + 1] : nullptr};
  walk<<<1, 1>>>(nodes, sum);
  CHECK_KERNEL();
  report("walk", 5, *sum, ((((0 * 3 + 0) * 3 + 1) * 3 + 2) * 3 + 3) * 3 + 4);
  report("node", 5, nodes[4].value, 5);

  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, nodes));
  std::printf("managed %d, same pointer %d\n", attributes.type == cudaMemoryTypeManaged,
              attributes.devicePointer == nodes && attributes.hostPointer == nodes);
  CHECK(cudaMemset(nodes, 0, sizeof(Node)));
  CHECK(cudaDeviceSynchronize());
  report("memset", 1, nodes[0].value, 0);
  CHECK(cudaFree(nodes));
  return finish();
}
