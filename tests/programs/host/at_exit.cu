// The ends of a process: a child made before the first call, exit() in the middle of things with
// work in a stream, and globals whose destructors still use the runtime. Nothing may crash, and the
// exit code is the program's own.
#include <sys/wait.h>
#include <unistd.h>

#include "../check.cuh"

__device__ int value = 7;

__global__ void add(int* to, int n) { atomicAdd(to, n + value); }

// Destroyed after main: the runtime may be gone by then, so what the calls return is not looked at.
struct Global {
  int* memory = nullptr;
  ~Global() {
    if (!memory) return;
    add<<<1, 32>>>(memory, 1);
    add<<<1, 32, 0, cudaStreamPerThread>>>(memory, 1);
    (void)cudaDeviceSynchronize();
    (void)cudaFree(memory);
  }
} global;

int run_and_exit(int code) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&global.memory, sizeof(int)));
  CHECK(cudaMemset(global.memory, 0, sizeof(int)));
  add<<<4, 64, 0, stream>>>(global.memory, 1);
  if (code == 3) {
    CHECK(cudaStreamSynchronize(stream));
    int sum = 0;
    CHECK(cudaMemcpy(&sum, global.memory, sizeof sum, cudaMemcpyDeviceToHost));
    if (sum != 4 * 64 * 8) code = 99;
  }
  std::exit(code);  // with the kernel perhaps still under way
}

// Runs it in a child, made while no runtime call has been made here.
void in_child(int code) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) run_and_exit(code);
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child %d: %s %d\n", code, WIFEXITED(status) ? "exit code" : "signal",
              WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

int main() {
  in_child(3);
  in_child(4);
  CHECK(cudaMalloc(&global.memory, sizeof(int)));
  CHECK(cudaMemset(global.memory, 0, sizeof(int)));
  add<<<1, 32>>>(global.memory, 2);
  CHECK_KERNEL();
  report("sum", 32, download(global.memory, 1)[0], 32 * 9);
  return finish();
}
