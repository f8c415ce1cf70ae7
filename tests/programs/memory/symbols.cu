// Device and constant variables: initial values, copies to and from symbols with offsets, addresses
// and sizes.
#include "../check.cuh"

struct Settings {
  int scale;
  float bias;
  const char* name;
};
__constant__ int weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ Settings settings = {3, 0.5f, "initial"};
__device__ int results[8];
__device__ int launches = 5;
__device__ int* where = &results[2];  // an address known at link time
__device__ const char greeting[] = "hello";
static __device__ double scratch[2] = {1.5, -2.5};

__global__ void apply() {
  const int t = threadIdx.x;
  if (t < 8) results[t] = weights[t] * settings.scale + greeting[t % 5];
  __syncthreads();
  if (t == 0) ++launches, *where += 100000, scratch[1] *= 2, results[7] = settings.name[0];
}

void show_results() {
  int values[8], count = 0;
  CHECK(cudaMemcpyFromSymbol(values, results, sizeof values));
  CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  std::printf("launches %d:", count);
  for (int v : values) std::printf(" %d", v);
  std::printf("\n");
}

int main() {
  apply<<<1, 32>>>();
  CHECK_KERNEL();
  show_results();

  const int new_weights[3] = {10, 20, 30};
  CHECK(cudaMemcpyToSymbol(weights, new_weights, sizeof new_weights, 2 * sizeof(int)));
  const int scale = -1;
  CHECK(cudaMemcpyToSymbol(settings, &scale, sizeof scale));
  apply<<<1, 32>>>();
  CHECK_KERNEL();
  show_results();

  void* address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, results));
  CHECK(cudaGetSymbolSize(&size, results));
  std::printf("results: %zu bytes\n", size);
  CHECK(cudaMemset(address, 0xff, size));
  int third = 0;
  CHECK(cudaMemcpyFromSymbol(&third, results, sizeof third, 3 * sizeof(int)));
  report("after memset", 1, third, -1);
  double pair[2];
  CHECK(cudaMemcpyFromSymbol(pair, scratch, sizeof pair));
  report("scratch", std::vector<double>{pair[0], pair[1]}, {1.5, -10.0});
  CHECK(cudaGetSymbolSize(&size, greeting));
  report("greeting bytes", 1, size, 6);
  show("past the end",
       cudaMemcpyToSymbol(weights, new_weights, sizeof new_weights, 7 * sizeof(int)));
  return finish();
}
