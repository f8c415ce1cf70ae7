// Streams, events and a graph across devices. A seed lets work that nothing orders come in another order than it was
// submitted in: what must come later has to wait for an event.
// env: WARPLADDER_DEVICES=2
// env: WARPLADDER_SCHEDULE=random:3
// gpu: skip needs two GPUs
#include "../check.cuh"

__global__ void fill(int* out, int n, int value) {
  for (int i = 0; i < n; ++i) out[i] = value;
}
__global__ void copy(const int* in, int n, int* out) {
  for (int i = 0; i < n; ++i) out[i] = in[i];
}

constexpr int kNumbers = 50;

struct Two {
  int* memory[2];
  cudaStream_t stream[2];
  cudaEvent_t event[2];
};

// Device 0 makes numbers, device 1 reads them. How many it read before they were there.
int early(Two& t, bool waits) {
  CHECK(cudaSetDevice(0));
  CHECK(cudaMemset(t.memory[0], 0, kNumbers * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  fill<<<1, 1, 0, t.stream[0]>>>(t.memory[0], kNumbers, 1);
  CHECK(cudaEventRecord(t.event[0], t.stream[0]));
  CHECK(cudaSetDevice(1));
  if (waits) CHECK(cudaStreamWaitEvent(t.stream[1], t.event[0], 0));
  copy<<<1, 1, 0, t.stream[1]>>>(t.memory[0], kNumbers, t.memory[1]);
  CHECK(cudaStreamSynchronize(t.stream[1]));
  int missing = 0;
  for (const int value : download(t.memory[1], kNumbers)) missing += value != 1;
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceSynchronize());
  return missing;
}

int main() {
  Two t;
  for (int d = 0; d < 2; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));
    t.memory[d] = upload(std::vector<int>(kNumbers));
    CHECK(cudaStreamCreateWithFlags(&t.stream[d], cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&t.event[d], cudaEventDisableTiming));
  }
  int with = 0, without = 0;
  for (int i = 0; i < 20; ++i) with += early(t, true), without += early(t, false);
  std::printf("with an event: %d too early; without one: %s\n", with,
              without > 0 ? "some" : "none");

  show("a kernel on another device's stream", [&] {
    CHECK(cudaSetDevice(0));
    fill<<<1, 1, 0, t.stream[1]>>>(t.memory[0], 1, 1);
    return cudaGetLastError();
  }());
  show("another device's event on a stream", cudaEventRecord(t.event[1], t.stream[0]));

  // Captured on one stream, which the other joins and leaves by events: one graph for both devices.
  CHECK(cudaSetDevice(0));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(t.stream[0], cudaStreamCaptureModeGlobal));
  fill<<<1, 1, 0, t.stream[0]>>>(t.memory[0], kNumbers, 9);
  CHECK(cudaEventRecord(t.event[0], t.stream[0]));
  CHECK(cudaStreamWaitEvent(t.stream[1], t.event[0], 0));
  CHECK(cudaSetDevice(1));
  copy<<<1, 1, 0, t.stream[1]>>>(t.memory[0], kNumbers, t.memory[1]);
  CHECK(cudaEventRecord(t.event[1], t.stream[1]));
  CHECK(cudaSetDevice(0));
  CHECK(cudaStreamWaitEvent(t.stream[0], t.event[1], 0));
  CHECK(cudaStreamEndCapture(t.stream[0], &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, t.stream[0]));
  CHECK(cudaStreamSynchronize(t.stream[0]));
  report("graph", download(t.memory[1], kNumbers), std::vector<int>(kNumbers, 9));
  return finish();
}
