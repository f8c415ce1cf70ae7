// Streams and events: order inside a stream, an event that one stream waits for, host functions,
// queries and elapsed time.
#include "../check.cuh"

__global__ void append(int* log, int* length, int value) { log[(*length)++] = value; }

struct Note {
  std::vector<int>* order;
  int value;
};
void CUDART_CB write_down(void* data) {
  auto* note = static_cast<Note*>(data);
  note->order->push_back(note->value);
}
void CUDART_CB old_style(cudaStream_t, cudaError_t status, void* data) {
  if (status == cudaSuccess) write_down(data);
}

int main() {
  int* log = upload(std::vector<int>(16));
  int* length = upload(std::vector<int>{0});
  cudaStream_t first, second;
  cudaEvent_t done, start;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, 0));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  CHECK(cudaEventCreate(&start));

  std::vector<int> order;
  Note notes[] = {{&order, 1}, {&order, 2}, {&order, 3}};
  CHECK(cudaEventRecord(start, first));
  append<<<1, 1, 0, first>>>(log, length, 10);
  CHECK(cudaLaunchHostFunc(first, write_down, &notes[0]));
  append<<<1, 1, 0, first>>>(log, length, 20);
  CHECK(cudaEventRecord(done, first));
  CHECK(cudaStreamWaitEvent(second, done, 0));
  append<<<1, 1, 0, second>>>(log, length, 30);
  CHECK(cudaLaunchHostFunc(second, write_down, &notes[1]));
  CHECK(cudaStreamAddCallback(second, old_style, &notes[2], 0));
  CHECK(cudaStreamSynchronize(second));
  CHECK(cudaEventSynchronize(done));
  show("event", cudaEventQuery(done));
  show("stream", cudaStreamQuery(second));
  report("kernels", download(log, 3), {10, 20, 30});
  report("host functions", order, {1, 2, 3});

  // The default stream waits for blocking streams and they for it.
  append<<<1, 1>>>(log, length, 40);
  append<<<1, 1, 0, first>>>(log, length, 50);
  append<<<1, 1>>>(log, length, 60);
  cudaEvent_t stop;
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  report("default stream", download(log, 6), {10, 20, 30, 40, 50, 60});
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  std::printf("time went on: %d\n", ms >= 0);
  show("no timing", cudaEventElapsedTime(&ms, done, stop));
  int least = 0, greatest = 0;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  std::printf("priorities %d\n", least >= greatest);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  return finish();
}
