// SPDX-License-Identifier: MIT
// Reads of what nobody has written and accesses past an end, each beside its cure: marked as in sync.cu.
#include "corpus.cuh"

// ---- shared memory that nobody has written

// finds init-shared
__global__ void tail_of_a_tile_broken(int* a, int* b, int) {
  __shared__ int s[64];
  if (threadIdx.x < 60) s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x] + 1;  // sync A
}
__global__ void tail_of_a_tile(int* a, int* b, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x < 60 ? b[threadIdx.x] : 0;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x] + 1;
}
__global__ void tail_that_is_dropped(int* a, int* b, int) {
  __shared__ int s[64];
  if (threadIdx.x < 60) s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  const int v = s[threadIdx.x];
  if (threadIdx.x < 60) a[threadIdx.x] = v + 1;
}
__global__ void tail_that_is_replaced(int* a, int* b, int) {
  __shared__ int s[64];
  if (threadIdx.x < 60) s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  int v = s[threadIdx.x];
  if (threadIdx.x >= 60) v = b[threadIdx.x];
  a[threadIdx.x] = 3 * v;
}
// finds init-shared
__global__ void sum_that_begins_anywhere_broken(int* a, int*, int) {
  __shared__ int sum;
  atomicAdd(&sum, 1);  // sync A
  __syncthreads();
  a[threadIdx.x] = sum;
}
__global__ void sum_that_begins_with_zero(int* a, int*, int) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncthreads();
  a[threadIdx.x] = sum;
}
// finds init-shared
__global__ void wrong_end_broken(int* a, int* b, int) {
  __shared__ int s[128];
  s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = 2 * s[127 - threadIdx.x];  // sync A
}
__global__ void right_end(int* a, int* b, int) {
  __shared__ int s[128];
  s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = 2 * s[63 - threadIdx.x];
}
// finds init-shared
__global__ void flag_that_is_never_lowered_broken(int* a, int* b, int) {
  __shared__ int found;
  if (b[threadIdx.x] > 0) found = b[threadIdx.x];
  __syncthreads();
  if (found) a[threadIdx.x] = 1;  // sync A
}
__global__ void flag_that_is_lowered(int* a, int* b, int) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (b[threadIdx.x] > 0) atomicExch(&found, 1);
  __syncthreads();
  if (found) a[threadIdx.x] = 1;
}
// finds init-shared
__global__ void index_from_nowhere_broken(int* a, int* b, int) {
  __shared__ unsigned s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  const unsigned at = s[threadIdx.x] % 64;  // sync A
  a[at + threadIdx.x] = 1;
}
__global__ void index_from_the_input(int* a, int* b, int) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  const unsigned at = s[threadIdx.x] % 64;
  a[at + threadIdx.x] = 1;
}
// finds init-shared
__global__ void other_stage_broken(int* a, int* b, int n) {
  __shared__ int s[2][64];
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    s[i % 2][threadIdx.x] = b[64 * i + threadIdx.x];
    __syncthreads();
    sum += s[1 - i % 2][63 - threadIdx.x];  // sync A
    __syncthreads();
  }
  a[threadIdx.x] = sum + n;
}
__global__ void same_stage(int* a, int* b, int n) {
  __shared__ int s[2][64];
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    s[i % 2][threadIdx.x] = b[64 * i + threadIdx.x];
    __syncthreads();
    sum += s[i % 2][63 - threadIdx.x];
    __syncthreads();
  }
  a[threadIdx.x] = sum + n;
}
// finds init-shared
__global__ void column_of_padding_broken(int* a, int* b, int) {
  __shared__ int s[2][33];
  s[threadIdx.x / 32][threadIdx.x % 32] = b[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x / 32][threadIdx.x % 32 + 1] - 1;  // sync A
}
struct Padded {
  char tag;
  int value;
};
__global__ void padding_is_copied(int* a, int* b, int) {
  __shared__ Padded s[64];
  s[threadIdx.x].tag = 1;
  s[threadIdx.x].value = b[threadIdx.x];
  __syncthreads();
  reinterpret_cast<int2*>(a)[threadIdx.x] = reinterpret_cast<int2*>(s)[63 - threadIdx.x];
}
// finds init-shared
__global__ void shuffled_on_broken(int* a, int* b, int) {
  __shared__ int s[64];
  if (threadIdx.x < 16) s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  int v = s[threadIdx.x];  // sync A
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  a[threadIdx.x] = v;
}
__global__ void shuffled_among_those_that_have(int* a, int* b, int) {
  __shared__ int s[64];
  if (threadIdx.x < 16) s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  int v = threadIdx.x < 16 ? s[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  a[threadIdx.x] = v;
}

// ---- memory from malloc() in a kernel

// finds init-global
__global__ void fresh_array_broken(int* a, int* b, int) {
  int* const own = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int i = 0; i < 4; ++i) own[i] = b[i];
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += own[i];  // sync A
  a[threadIdx.x] = sum;
  free(own);
}
__global__ void fresh_array(int* a, int* b, int) {
  int* const own = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int i = 0; i < 8; ++i) own[i] = b[i];
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += own[i];
  a[threadIdx.x] = sum;
  free(own);
}

// ---- past an end

// finds memory-out-of-bounds
__global__ void last_block_without_a_guard_broken(int* a, int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[n - 100 + i] = i;  // sync A
}
__global__ void last_block_with_a_guard(int* a, int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 100) a[n - 100 + i] = i;
}
// finds memory-out-of-bounds
__global__ void shared_array_too_short_broken(int* a, int* b, int) {
  extern __shared__ int ends_here[];
  ends_here[threadIdx.x + 1] = b[threadIdx.x];  // sync A
  __syncthreads();
  a[threadIdx.x] = ends_here[threadIdx.x];
}
__global__ void shared_array_long_enough(int* a, int* b, int) {
  extern __shared__ int ends_here[];
  ends_here[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = ends_here[63 - threadIdx.x];
}
// finds memory-misaligned
__global__ void vector_at_an_odd_place_broken(int* a, int* b, int) {
  const int2 two = *reinterpret_cast<int2*>(b + 1 + 2 * threadIdx.x);  // sync A
  a[threadIdx.x] = two.x + two.y;
}
__global__ void vector_at_an_even_place(int* a, int* b, int) {
  const int2 two = *reinterpret_cast<int2*>(b + 2 * threadIdx.x);
  a[threadIdx.x] = two.x + two.y;
}

using corpus::Case;
const Case kCases[] = {
    CASE(tail_of_a_tile_broken),
    CASE(tail_of_a_tile),
    CASE(tail_that_is_dropped),
    CASE(tail_that_is_replaced),
    CASE(sum_that_begins_anywhere_broken),
    CASE(sum_that_begins_with_zero),
    CASE(wrong_end_broken),
    CASE(right_end),
    CASE(flag_that_is_never_lowered_broken),
    CASE(flag_that_is_lowered),
    CASE(index_from_nowhere_broken),
    CASE(index_from_the_input),
    CASE(other_stage_broken),
    CASE(same_stage),
    CASE(column_of_padding_broken),
    CASE(padding_is_copied),
    CASE(shuffled_on_broken),
    CASE(shuffled_among_those_that_have),
    CASE(fresh_array_broken),
    CASE(fresh_array),
    CASE(last_block_without_a_guard_broken, 2),
    CASE(last_block_with_a_guard, 2),
    CASE(shared_array_too_short_broken, 1, 64, 256),
    CASE(shared_array_long_enough, 1, 64, 256),
    CASE(vector_at_an_odd_place_broken),
    CASE(vector_at_an_even_place),
};

int main() { return corpus::run(kCases, true); }
