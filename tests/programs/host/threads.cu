// Several host threads use the runtime at once: each with its own stream, buffers, events and error
// state, all with one kernel, one symbol and one counter. What each sees is printed after the join,
// so the output does not depend on their order.
#include <atomic>
#include <mutex>
#include <thread>

#include "../check.cuh"

constexpr int kThreads = 8, kRounds = 6, kValues = 1000;

__device__ unsigned total;
__constant__ int offset;

__global__ void step(int* values, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * factor + offset;
  if (threadIdx.x == 0) atomicAdd(&total, 1u);
}

struct Seen {
  bool right = true;
  cudaError_t own_error = cudaSuccess, after = cudaSuccess, at_end = cudaSuccess;
  int device = -1;
  int callbacks = 0;
};

void CUDART_CB count(void* data) { ++*static_cast<int*>(data); }

void work(int me, Seen& seen) {
  CHECK(cudaSetDevice(0));
  cudaStream_t stream;
  cudaEvent_t done;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  // A mistake of every second thread must not show in the others.
  if (me % 2 == 1) seen.own_error = cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyKind(77));
  seen.after = cudaGetLastError();
  for (int round = 0; round < kRounds; ++round) {
    const int n = kValues + 37 * me + round;
    std::vector<int> values(n), back(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<int>(noise(i + 7919 * me) % 1000);
    int* device = nullptr;
    CHECK(cudaMallocAsync(&device, n * sizeof(int), stream));
    CHECK(cudaMemcpyAsync(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    for (int k = 0; k < 3; ++k) step<<<blocks_for(n, 128), 128, 0, stream>>>(device, n, me + k);
    CHECK(cudaGetLastError());
    CHECK(cudaLaunchHostFunc(stream, count, &seen.callbacks));
    CHECK(cudaMemcpyAsync(back.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventRecord(done, stream));
    CHECK(cudaFreeAsync(device, stream));
    if (round % 2 == 0)
      CHECK(cudaEventSynchronize(done));
    else
      CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) {
      int want = values[i];
      for (int k = 0; k < 3; ++k) want = want * (me + k) + 5;
      seen.right &= back[i] == want;
    }
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGetDevice(&seen.device));
  CHECK(cudaEventDestroy(done));
  CHECK(cudaStreamDestroy(stream));
  seen.at_end = cudaGetLastError();
}

int main() {
  const int five = 5;
  const unsigned zero = 0;
  CHECK(cudaMemcpyToSymbol(offset, &five, sizeof five));
  CHECK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
  std::vector<Seen> seen(kThreads);
  std::vector<std::thread> threads;
  for (int me = 0; me < kThreads; ++me) threads.emplace_back(work, me, std::ref(seen[me]));
  for (auto& thread : threads) thread.join();
  CHECK(cudaDeviceSynchronize());
  for (int me = 0; me < kThreads; ++me) {
    const Seen& s = seen[me];
    std::printf("thread %d: %s, %d callbacks, device %d, %s, %s, %s\n", me,
                s.right ? "right" : "WRONG", s.callbacks, s.device, cudaGetErrorName(s.own_error),
                cudaGetErrorName(s.after), cudaGetErrorName(s.at_end));
    wrong_results += !s.right;
  }
  long long blocks = 0;
  for (int me = 0; me < kThreads; ++me) {
    for (int round = 0; round < kRounds; ++round)
      blocks += 3 * blocks_for(kValues + 37 * me + round, 128);
  }
  unsigned counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, total, sizeof counted));
  report("blocks", kThreads, static_cast<long long>(counted), blocks);
  return finish();
}
