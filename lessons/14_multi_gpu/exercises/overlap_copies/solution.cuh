// SPDX-License-Identifier: MIT
// Exercise overlap_copies: pieces come from one GPU while another one adds those that have come.
//
// A function of the host: it gives orders and returns. Two buffers are filled and emptied in turn.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// Adds a piece to the running sums; launched with one block of 32 threads.
__global__ void add_piece(int* sums, const int* piece, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += 32) sums[i] += piece[i];
}

struct Lane {
  cudaStream_t copies, adds;     // both of the GPU that adds, which is the current one
  cudaEvent_t full[2], free[2];  // of the two buffers
  int* buffer[2];                // room for n numbers each
  int from, to;                  // the GPU that has the pieces, the GPU that adds
};

// sums[i] += the numbers i of all pieces, which lie behind each other in the memory of GPU `from`.
inline void add_pieces(const Lane& lane, int* sums, const int* pieces, std::size_t n, int count) {
  for (int k = 0; k < count; ++k) {
    const int b = k % 2;
    // <solution>
    if (k >= 2) cudaStreamWaitEvent(lane.copies, lane.free[b], 0);
    cudaMemcpyPeerAsync(lane.buffer[b], lane.to, pieces + static_cast<std::size_t>(k) * n,
                        lane.from, n * sizeof(int), lane.copies);
    cudaEventRecord(lane.full[b], lane.copies);
    cudaStreamWaitEvent(lane.adds, lane.full[b], 0);
    add_piece<<<1, 32, 0, lane.adds>>>(sums, lane.buffer[b], n);
    cudaEventRecord(lane.free[b], lane.adds);
    // <starter>
    //| // TODO: the two streams know nothing of each other. When is a buffer full, and when is it free again?
    //| cudaMemcpyPeerAsync(lane.buffer[b], lane.to, pieces + static_cast<std::size_t>(k) * n,
    //|                     lane.from, n * sizeof(int), lane.copies);
    //| add_piece<<<1, 32, 0, lane.adds>>>(sums, lane.buffer[b], n);
    // </solution>
  }
}
