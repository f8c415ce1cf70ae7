// A graph built node by node: memset, copies, kernels and a host function with their dependencies;
// parameters changed later.
#include "../check.cuh"

__global__ void add(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
}

void CUDART_CB count(void* data) { ++*static_cast<int*>(data); }

int main() {
  int n = 200, value = 5, calls = 0;
  int* data = upload(std::vector<int>(n, 99));
  std::vector<int> host(n);
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));

  cudaMemsetParams fill = {};
  fill.dst = data;
  fill.value = 1;
  fill.elementSize = 4;
  fill.width = n;
  fill.height = 1;
  cudaGraphNode_t memset_node, kernel_nodes[2], copy_node, host_node;
  CHECK(cudaGraphAddMemsetNode(&memset_node, graph, nullptr, 0, &fill));

  void* args[] = {&data, &n, &value};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(64);
  kernel.kernelParams = args;
  CHECK(cudaGraphAddKernelNode(&kernel_nodes[0], graph, &memset_node, 1, &kernel));
  value = 70;  // the first node keeps its own copy
  CHECK(cudaGraphAddKernelNode(&kernel_nodes[1], graph, &kernel_nodes[0], 1, &kernel));
  CHECK(cudaGraphAddMemcpyNode1D(&copy_node, graph, &kernel_nodes[1], 1, host.data(), data,
                                 n * sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams call = {};
  call.fn = count;
  call.userData = &calls;
  CHECK(cudaGraphAddHostNode(&host_node, graph, &copy_node, 1, &call));

  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  report("first", host, std::vector<int>(n, 76));

  value = 1000;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, kernel_nodes[0], &kernel));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  report("changed", host, std::vector<int>(n, 1071));
  report("calls", 4, calls, 4);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return finish();
}
