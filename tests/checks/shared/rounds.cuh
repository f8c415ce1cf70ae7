// SPDX-License-Identifier: MIT
// The next round begins before the last one has been read: see corpus.cuh.
#pragma once

__global__ void one_word_twice_racy(int* a, int* b, int) {
  __shared__ int word;
  if (threadIdx.x == 0) word = b[0];
  __syncthreads();
  const int most = word;              // race A
  if (threadIdx.x == 0) word = b[1];  // race B
  __syncthreads();
  a[threadIdx.x] = most + word;
}
__global__ void one_word_twice(int* a, int* b, int) {
  __shared__ int word;
  if (threadIdx.x == 0) word = b[0];
  __syncthreads();
  const int most = word;
  __syncthreads();
  if (threadIdx.x == 0) word = b[1];
  __syncthreads();
  a[threadIdx.x] = most + word;
}

__global__ void tile_again_racy(int* a, int* b, int) {
  __shared__ int tile[64];
  int sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[threadIdx.x] = b[t * 64 + threadIdx.x];  // race B
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k];  // race A
  }
  a[threadIdx.x] = sum;
}
__global__ void tile_again(int* a, int* b, int) {
  __shared__ int tile[64];
  int sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[threadIdx.x] = b[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k];
    __syncthreads();
  }
  a[threadIdx.x] = sum;
}
__global__ void two_tiles(int* a, int* b, int) {
  __shared__ int tile[2][64];
  int sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[t % 2][threadIdx.x] = b[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[t % 2][k];
  }
  a[threadIdx.x] = sum;
}

__global__ void scan_in_place_racy(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    if (threadIdx.x >= step) s[threadIdx.x] += s[threadIdx.x - step];  // race A B
    __syncthreads();
  }
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void scan_in_place(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    const int left = threadIdx.x >= step ? s[threadIdx.x - step] : 0;
    __syncthreads();
    s[threadIdx.x] += left;
    __syncthreads();
  }
  a[threadIdx.x] = s[threadIdx.x];
}

__global__ void shift_racy(int* a, int*, int) {
  __shared__ int s[65];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  s[threadIdx.x + 1] = s[threadIdx.x];  // race A B
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void shift(int* a, int*, int) {
  __shared__ int s[65];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int mine = s[threadIdx.x];
  __syncthreads();
  s[threadIdx.x + 1] = mine;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x + 1];
}
