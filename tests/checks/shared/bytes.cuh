// SPDX-License-Identifier: MIT
// Bytes and vectors: see corpus.cuh.
#pragma once

__global__ void neighbour_bytes(int* a, int*, int) {
  __shared__ char s[64];
  s[threadIdx.x] = static_cast<char>(threadIdx.x);
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void byte_of_a_word_racy(int* a, int*, int) {
  __shared__ union {
    char bytes[256];
    int words[64];
  } s;
  s.bytes[threadIdx.x * 2] = 1;           // race A
  a[threadIdx.x] = s.words[threadIdx.x];  // race B
}
__global__ void byte_of_a_word(int* a, int*, int) {
  __shared__ union {
    char bytes[256];
    int words[64];
  } s;
  s.words[threadIdx.x] = 0;
  s.bytes[threadIdx.x * 4 + 1] = 1;
  a[threadIdx.x] = s.words[threadIdx.x];
}
__global__ void vector_over_neighbour_racy(int* a, int*, int) {
  __shared__ __align__(16) int s[256];
  s[threadIdx.x] = threadIdx.x;                                   // race A
  const int4 four = reinterpret_cast<int4*>(s)[threadIdx.x / 4];  // race B
  a[threadIdx.x] = four.x + four.w;
}
__global__ void vector_own(int* a, int*, int) {
  __shared__ __align__(16) int s[256];
  reinterpret_cast<int4*>(s)[threadIdx.x] = make_int4(1, 2, 3, 4);
  a[threadIdx.x] = s[threadIdx.x * 4 + 3];
}
extern __shared__ int dynamic[];
__global__ void overlapping_arrays_racy(int* a, int*, int) {
  int *first = dynamic, *second = dynamic + 32;  // 64 are meant
  first[threadIdx.x] = threadIdx.x;              // race A
  second[threadIdx.x] = -1;                      // race B
  __syncthreads();
  a[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
__global__ void separate_arrays(int* a, int*, int) {
  int *first = dynamic, *second = dynamic + 64;
  first[threadIdx.x] = threadIdx.x;
  second[threadIdx.x] = -1;
  __syncthreads();
  a[threadIdx.x] = first[threadIdx.x] + second[63 - threadIdx.x];
}
