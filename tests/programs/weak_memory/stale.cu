// The message that a flag without release and acquire loses: the first seed that does it, step by
// step, and what the modes that mean nothing are told.
// alone: the trace has the names of variables in columns, as a program of a reader would have them
// expect-stderr: WARPLADDER_MEMORY=sideways is no memory mode: strong or weak
// expect-stderr: WARPLADDER_MEMORY=weak needs a seed
// gpu: skip the memory mode and the trace are the emulator's
#include <stdlib.h>

#include <string>

#include "../check.cuh"

__device__ unsigned message;
__device__ volatile unsigned flag;
__device__ unsigned received[2];

__global__ void send(unsigned value) {
  if (blockIdx.x == 0) {
    message = value;
    flag = 1;
  } else {
    received[0] = flag;
    received[1] = message;
  }
}

bool is_lost() {
  const unsigned zero[2] = {};
  CHECK(cudaMemcpyToSymbol(message, zero, sizeof message));
  CHECK(cudaMemcpyToSymbol(flag, zero, sizeof flag));
  CHECK(cudaMemcpyToSymbol(received, zero, sizeof received));
  send<<<2, 1>>>(42);
  CHECK_KERNEL();
  unsigned got[2];
  CHECK(cudaMemcpyFromSymbol(got, received, sizeof got));
  return got[0] == 1 && got[1] != 42;
}

cudaError_t launch_with(const char* memory) {
  setenv("WARPLADDER_MEMORY", memory, 1);
  send<<<2, 1>>>(42);
  return cudaGetLastError();
}

int main() {
  int lost[2] = {}, first = 0;
  for (const int weak : {0, 1}) {
    setenv("WARPLADDER_MEMORY", weak ? "weak" : "strong", 1);
    for (int seed = 1000; seed > 0; --seed) {
      setenv("WARPLADDER_SCHEDULE", ("random:" + std::to_string(seed)).c_str(), 1);
      if (is_lost()) ++lost[weak], first = seed;
    }
  }
  std::printf("strong: %d of 1000 seeds lose the message\n", lost[0]);
  std::printf("weak: %d of 1000 seeds lose the message, the first is %d\n", lost[1], first);
  setenv("WARPLADDER_SCHEDULE", ("random:" + std::to_string(first)).c_str(), 1);
  setenv("WARPLADDER_TRACE", "/dev/stdout", 1);
  if (!is_lost()) return 1;
  unsetenv("WARPLADDER_TRACE");
  std::printf("sideways: %s\n", cudaGetErrorName(launch_with("sideways")));
  unsetenv("WARPLADDER_SCHEDULE");
  std::printf("weak without a schedule: %s\n", cudaGetErrorName(launch_with("weak")));
  std::printf("strong without a schedule: %s\n", cudaGetErrorName(launch_with("strong")));
  return finish();
}
