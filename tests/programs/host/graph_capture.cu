// A graph captured from two streams and replayed: nothing runs while capturing, everything runs at
// each launch.
#include "../check.cuh"

__global__ void scale(int* data, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}
__global__ void add(const int* a, const int* b, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += a[i] + b[i];
}

int main() {
  const int n = 300;
  std::vector<int> ones(n, 1), result(n);
  int* a = upload(ones);
  int* b = upload(ones);
  int* out = upload(std::vector<int>(n));
  int* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, n * sizeof(int)));
  cudaStream_t main_stream, side;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&main_stream));
  CHECK(cudaStreamCreate(&side));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));

  CHECK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, main_stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  scale<<<3, 128, 0, main_stream>>>(a, n, 2);
  scale<<<3, 128, 0, side>>>(b, n, 3);
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(main_stream, join, 0));
  add<<<3, 128, 0, main_stream>>>(a, b, n, out);
  CHECK(cudaMemcpyAsync(pinned, out, n * sizeof(int), cudaMemcpyDeviceToHost, main_stream));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(main_stream, &status));
  std::printf("capturing: %d\n", status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(main_stream, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::printf("%zu nodes\n", nodes);
  report("not run yet", n, download(out, n)[0], 0);

  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  int x = 1, y = 1, sum = 0;
  for (int launch = 0; launch < 4; ++launch) {
    CHECK(cudaGraphLaunch(executable, main_stream));
    CHECK(cudaStreamSynchronize(main_stream));
    x *= 2, y *= 3, sum += x + y;
    report("replay", std::vector<int>(pinned, pinned + n), std::vector<int>(n, sum));
    std::printf("%d\n", pinned[n - 1]);
  }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return finish();
}
