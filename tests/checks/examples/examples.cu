// SPDX-License-Identifier: MIT
// One kernel or call for each finding that docs/checking.md explains: its messages there are those of this program.
#undef NDEBUG  // assert() is among them
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cassert>

__global__ void missing_barrier(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void missing_syncwarp(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void plain_counter(int* count) { *count = *count + 1; }

__global__ void mixed_with_atomic(int* count, int* out) {
  atomicAdd(count, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = *count;
}

__global__ void narrow_scope(int* count) { atomicAdd_block(count, 1); }

__global__ void copy_not_waited(const int* in, int* out) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void everybody_raises(int* flag) { *flag = 1; }

__global__ void unwritten_shared(int* out, int n) {
  __shared__ int s[64];
  if (threadIdx.x < n) s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x] + 1;
}

__global__ void unwritten_global(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

__global__ void sum_of_some(const int* in, int* out, int n) {
  if (threadIdx.x >= n) return;
  int v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x == 0) *out = v;
}

__global__ void vote_of_some(int* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __all_sync(0xffffffff, out[threadIdx.x] != 0);
}

__global__ void group_in_a_branch(int* out) {
  if (threadIdx.x < 16) {
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    tile.sync();
  }
  out[threadIdx.x] = 1;
}

__global__ void mask_of_the_moment(const int* in, int* out) {
  if (threadIdx.x < 16) {
    const unsigned mask = __activemask();
    int v = in[threadIdx.x];
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
    if (threadIdx.x == 0) *out = v;
  }
}

__global__ void barrier_in_a_branch(int* out) {
  if (threadIdx.x < 16) __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void barrier_in_two_branches(int* out) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    out[threadIdx.x] = 1;
    __syncthreads();
  }
}

__global__ void two_counts() {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 32;" ::: "memory");
  }
}

__global__ void stranger_to_its_mask(int* out) {
  out[threadIdx.x] = __ballot_sync(0xffff, threadIdx.x & 1);
}

__global__ void waits_for_the_other_branch(int* out) {
  if (threadIdx.x < 16) {
    __syncwarp();
  } else {
    out[threadIdx.x] = __ballot_sync(0xffffffff, 1);
  }
}

__global__ void ordinary_launch(int* out) {
  cooperative_groups::this_grid().sync();
  *out = 1;
}

__global__ void odd_count(int threads) {
  asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
}

__global__ void fill_on_one_stream(int* a) { a[threadIdx.x] = threadIdx.x; }

__global__ void read_on_another(const int* a, int* out) { out[threadIdx.x] = a[threadIdx.x]; }

__global__ void still_running(int* shared_with_host) { shared_with_host[threadIdx.x] = 1; }

void between_operations(int* zeros, int* out) {
  cudaStream_t one, another;
  cudaStreamCreate(&one);
  cudaStreamCreate(&another);
  fill_on_one_stream<<<1, 64, 0, one>>>(zeros);
  read_on_another<<<1, 64, 0, another>>>(zeros, out);
  cudaDeviceSynchronize();
  int* managed;
  cudaMallocManaged(&managed, 64 * sizeof(int));
  still_running<<<1, 64>>>(managed);
  managed[0] += 1;
  cudaDeviceSynchronize();
  cudaFree(managed);
}

__global__ void counts_on_steps(int* out) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = threadIdx.x;
  s[threadIdx.x + 32] = 0;
  for (int d = 16; d > 0; d /= 2) s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + d];
  if (threadIdx.x == 0) *out = s[0];
}

__global__ void reads_host_memory(const int* in, int* out) { *out = *in; }

__global__ void past_the_end(int* out, int n) {
  if (threadIdx.x <= n) out[threadIdx.x] = 1;
}

void with_streams() {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaStreamWaitEvent(stream, event);
  cudaStreamDestroy(stream);
  cudaStreamSynchronize(stream);
  cudaEventDestroy(event);
}

__global__ void either_stays(volatile int* word) { *word = blockIdx.x; }

__global__ void odd_address(const char* bytes, int* out) {
  *out = *reinterpret_cast<const int*>(bytes + 2);
}

__global__ void after_the_free(int* gone) { gone[threadIdx.x] = 1; }

__global__ void only_positive(const int* in, int* out) {
  assert(in[threadIdx.x] >= 0);
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void gives_up(int n) {
  if (threadIdx.x >= n) __trap();
}

__global__ void nobody_raises(volatile int* flag) {
  while (*flag == 0) {
  }
}

__constant__ int kTable[32];
__global__ void writes_a_constant(int* table) { table[threadIdx.x] = 1; }

__device__ int deeper(int n) { return n == 0 ? 0 : 1 + deeper(n + 1) * n; }
__global__ void never_returns(int* out) { *out = deeper(1); }

// Each of these stops its kernel, and nothing runs after it until the device is made anew.
template <class Launch>
void alone(Launch launch) {
  int* out;
  cudaMalloc(&out, 1024 * sizeof(int));
  launch(out);
  cudaDeviceSynchronize();
  cudaDeviceReset();
}

// Neighbours belong to warps far apart.
__global__ void bytes_in_no_order(unsigned char* bytes, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  bytes[i * 40503 % n] = 1;
}

// A failure that nobody asks for, in a process of its own.
int unseen() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  gives_up<<<1, 32>>>(20);
  return 0;
}

__global__ void counts_for_its_own_device(int* count) { atomicAdd(count, 1); }

__global__ void hands_over(int* data, volatile int* flag, int rank) {
  if (rank == 0) {
    data[0] = 7;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    data[1] = data[0];
  }
}

// Both devices use memory of the second one.
int two_devices() {
  int* memory = nullptr;
  cudaDeviceEnablePeerAccess(1, 0);
  cudaSetDevice(1);
  cudaMalloc(&memory, 64 * sizeof(int));
  cudaMemset(memory, 0, 64 * sizeof(int));
  cudaDeviceSynchronize();
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    hands_over<<<1, 1>>>(memory, memory + 32, rank);
    counts_for_its_own_device<<<1, 32>>>(memory + 40);
  }
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    cudaDeviceSynchronize();
  }
  cudaFree(memory);
  return 0;
}

// Long because every example of the page is launched here once.
int main(int argc, char** argv) {
  if (argc > 1) return argv[1][0] == 'd' ? two_devices() : unseen();  // "devices", "unseen"
  alone([](int* out) { stranger_to_its_mask<<<1, 32>>>(out); });
  alone([](int* out) { waits_for_the_other_branch<<<1, 32>>>(out); });
  alone([](int* out) { ordinary_launch<<<2, 32>>>(out); });
  alone([](int*) { odd_count<<<1, 64>>>(48); });
  alone([](int* out) { reads_host_memory<<<1, 1>>>(new int(1), out); });
  alone([](int* out) { past_the_end<<<1, 257>>>(out + 768, 256); });
  alone([](int* out) { odd_address<<<1, 1>>>(reinterpret_cast<char*>(out), out); });
  alone([](int* out) {
    cudaFree(out);
    after_the_free<<<1, 32>>>(out);
  });
  alone([](int* out) {
    cudaMemset(out, 0xff, 32 * sizeof(int));
    only_positive<<<1, 32>>>(out, out + 32);
  });
  alone([](int*) { gives_up<<<1, 32>>>(20); });
  alone([](int* out) {
    cudaMemset(out, 0, sizeof(int));
    nobody_raises<<<1, 32>>>(out);
  });
  alone([](int*) {
    void* table;
    cudaGetSymbolAddress(&table, kTable);
    writes_a_constant<<<1, 32>>>(static_cast<int*>(table));
  });
  alone([](int* out) { never_returns<<<1, 1>>>(out); });
  int *zeros, *fresh, *out;
  cudaMalloc(&zeros, 64 * sizeof(int));
  cudaMalloc(&fresh, 64 * sizeof(int));
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemset(zeros, 0, 64 * sizeof(int));
  missing_barrier<<<1, 64>>>(out);
  missing_syncwarp<<<1, 32>>>(out);
  plain_counter<<<2, 64>>>(zeros);
  mixed_with_atomic<<<2, 64>>>(zeros, out);
  narrow_scope<<<2, 64>>>(zeros);
  copy_not_waited<<<1, 64>>>(zeros, out);
  everybody_raises<<<2, 64>>>(zeros);
  unwritten_shared<<<1, 64>>>(out, 60);
  unwritten_global<<<1, 64>>>(fresh, out);
  between_operations(zeros, out);
  with_streams();
  sum_of_some<<<1, 32>>>(zeros, out, 20);
  vote_of_some<<<1, 32>>>(zeros, 20);
  group_in_a_branch<<<1, 32>>>(out);
  mask_of_the_moment<<<1, 32>>>(zeros, out);
  barrier_in_a_branch<<<1, 32>>>(out);
  barrier_in_two_branches<<<1, 64>>>(out);
  two_counts<<<1, 64>>>();
  counts_on_steps<<<1, 32>>>(out);
  either_stays<<<2, 1>>>(out);
  unsigned char* bytes;
  cudaMalloc(&bytes, 1 << 20);
  bytes_in_no_order<<<1 << 12, 256>>>(bytes, 1 << 20);
  cudaFree(bytes);
  cudaMemset(zeros, 0, 1 << 20);  // more than there is
  cudaFree(zeros);
  cudaFree(out);
}
