// What a captured graph keeps: a second stream that joined the capture, was joined again and then
// destroyed; and memory of its own, which the program frees after each launch and the next launch
// allocates again at the same address. A host function that one thread submitted is over when
// another has waited for its stream.
#include <atomic>
#include <chrono>
#include <thread>

#include "../check.cuh"

__global__ void fill(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value;
}

__global__ void add(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
}

void joined_and_destroyed() {
  constexpr int kN = 1000;
  int* data = upload(std::vector<int>(kN));
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  add<<<blocks_for(kN, 128), 128, 0, second>>>(data, kN, 3);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  CHECK(cudaStreamDestroy(second));
  add<<<blocks_for(kN, 128), 128, 0, first>>>(data, kN, 4);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, first));
  CHECK(cudaStreamSynchronize(first));
  report("joined and destroyed", kN, download(data, kN)[kN - 1], 14);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(first));
}

void allocated_again() {
  constexpr int kN = 5000;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  int* data = nullptr;
  CHECK(cudaMallocAsync(&data, kN * sizeof(int), stream));
  fill<<<blocks_for(kN, 128), 128, 0, stream>>>(data, kN, 7);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaGraphLaunch(exec, stream));
    add<<<blocks_for(kN, 128), 128, 0, stream>>>(data, kN, round);
    CHECK(cudaStreamSynchronize(stream));
    report("allocated again", kN, download(data, kN)[kN - 1], 7 + round);
    if (round == 1)
      CHECK(cudaFree(data));
    else
      CHECK(cudaFreeAsync(data, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

struct Slow {
  std::atomic<bool> began = false, ended = false;
};

void waited_for() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  Slow slow;
  std::thread other([&] {
    CHECK(cudaLaunchHostFunc(
        stream,
        [](void* data) {
          auto& s = *static_cast<Slow*>(data);
          s.began = true;
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          s.ended = true;
        },
        &slow));
  });
  while (!slow.began) std::this_thread::yield();
  CHECK(cudaStreamSynchronize(stream));
  report("waited for", 1, static_cast<int>(slow.ended), 1);
  other.join();
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  joined_and_destroyed();
  allocated_again();
  waited_for();
  return finish();
}
