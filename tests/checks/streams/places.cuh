// SPDX-License-Identifier: MIT
// Rows of arrays, variables, and memory that a stream gives out and takes back: see streams.cu.
#pragma once

#include "things.cuh"

constexpr std::size_t kPitch = 128, kHalf = kPitch / 2, kRows = kBytes / kPitch;

__device__ int variable[kN];
__global__ void put_variable(int value) { variable[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void put_left(int* a, int value) {
  a[(blockIdx.x * blockDim.x + threadIdx.x) / 16 * 32 + threadIdx.x % 16] = value;
}

inline void copy_columns(int* to, const int* from, cudaStream_t stream) {
  cudaMemcpy2DAsync(to, kPitch, from, kPitch, kHalf, kRows, cudaMemcpyDeviceToDevice, stream);
}
inline void rows_left_and_right(Things& t) {
  copy_columns(t.a, t.b, t.first);
  copy_columns(t.a + 16, t.b, t.second);
}
inline void rows_overlap_racy(Things& t) {
  copy_columns(t.a, t.b, t.first);
  copy_columns(t.a + 15, t.b, t.second);
}
inline void kernel_between_the_rows(Things& t) {
  put_left<<<4, 128, 0, t.first>>>(t.a, 3);
  copy_columns(t.a + 16, t.b, t.second);
}
inline void kernel_in_the_rows_racy(Things& t) {
  put_left<<<4, 128, 0, t.first>>>(t.a, 3);
  copy_columns(t.a + 12, t.b, t.second);
}
inline void filled_rows_apart(Things& t) {
  cudaMemset2DAsync(t.a, kPitch, 1, kHalf, kRows, t.first);
  put_left<<<4, 128, 0, t.second>>>(t.a + 16, 3);
}

inline void variable_on_another_stream_racy(Things& t) {
  put_variable<<<kN / 128, 128, 0, t.first>>>(1);
  cudaMemcpyToSymbolAsync(variable, t.pinned, kBytes, 0, cudaMemcpyHostToDevice, t.second);
}
inline void variable_on_one_stream(Things& t) {
  put_variable<<<kN / 128, 128, 0, t.first>>>(1);
  cudaMemcpyToSymbolAsync(variable, t.pinned, kBytes, 0, cudaMemcpyHostToDevice, t.first);
}

inline int* given_out(cudaStream_t stream) {
  int* memory = nullptr;
  cudaMallocAsync(&memory, kBytes, stream);
  return memory;
}
inline void taken_back_too_early_racy(Things& t) {
  int* const memory = given_out(t.first);
  run_put(memory, t.first);
  cudaFreeAsync(memory, t.second);
}
inline void taken_back_behind_the_event(Things& t) {
  int* const memory = given_out(t.first);
  run_put(memory, t.first);
  cudaEventRecord(t.event, t.first);
  cudaStreamWaitEvent(t.second, t.event);
  cudaFreeAsync(memory, t.second);
}
inline void used_before_it_is_given_out_racy(Things& t) {
  int* const memory = given_out(t.first);
  run_put(memory, t.second);
  cudaDeviceSynchronize();
  cudaFreeAsync(memory, t.first);
}
inline void used_when_it_is_given_out(Things& t) {
  int* const memory = given_out(t.first);
  cudaStreamSynchronize(t.first);
  run_put(memory, t.second);
  cudaStreamSynchronize(t.second);
  cudaFreeAsync(memory, t.first);
}
inline void given_out_and_taken_back(Things& t) {
  for (int i = 0; i < 3; ++i) {
    int* const memory = given_out(t.first);
    run_put(memory, t.first);
    run_add(memory, t.b, t.first);
    cudaFreeAsync(memory, t.first);
  }
}
