// SPDX-License-Identifier: MIT
// Rung async_copy: a copy engine brings the data to shared memory while the threads add what came
// before. Needs compute capability 9.0.
#pragma once

#include <cuda/barrier>
#include <cuda/ptx>

#include "lessons/05_cooperative_groups/one_launch.cuh"

// A barrier in shared memory is set up by init(), not by its constructor.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace lesson05 {

// A ring of four stages of 16 KiB: while one is added up, three are on their way.
constexpr int kStages = 4;
constexpr std::size_t kStageFours = 1024;
constexpr std::size_t kRingBytes = kStages * kStageFours * 16;

// What arrives in shared memory, stage by stage. `arrived[s]` opens when stage s is full.
template <class T>
struct Ring {
  Four<T>* stages;
  cuda::barrier<cuda::thread_scope_block>* arrived;

  // One thread asks for a whole stage. The barrier opens when that thread has arrived and all bytes
  // have come.
  __device__ void request(int stage, const Four<T>* from, std::size_t count) {
    const auto bytes = static_cast<std::uint32_t>(count * sizeof(Four<T>));
    cuda::device::memcpy_async_tx(stages + stage * kStageFours, from,
                                  cuda::aligned_size_t<16>(bytes), arrived[stage]);
    (void)cuda::device::barrier_arrive_tx(arrived[stage], 1, bytes);
  }
};

// The block's share: stages b, b + blocks, b + 2 blocks, ... of the array.
template <class T>
__device__ T my_share_from_ring(const cg::thread_block& block, Ring<T> ring, const T* in,
                                std::size_t n) {
  const Fours<T> fours = as_fours(in, n);
  const bool leader = block.thread_rank() == 0;
  const auto size_of = [&](std::size_t first) {
    return fours.count - first < kStageFours ? fours.count - first : kStageFours;
  };
  const std::size_t begin = std::size_t{blockIdx.x} * kStageFours;
  const std::size_t step = std::size_t{gridDim.x} * kStageFours;
  if (leader) {
    for (int s = 0; s < kStages; ++s) {
      const std::size_t first = begin + s * step;
      if (first < fours.count) ring.request(s, fours.data + first, size_of(first));
    }
  }
  T mine = 0;
  int stage = 0;
  bool phase = false;  // a barrier is used again and again; its phase says which time this is
  for (std::size_t first = begin; first < fours.count; first += step) {
    ring.arrived[stage].wait_parity(phase);
    const Four<T>* const here = ring.stages + stage * kStageFours;
    for (std::size_t i = block.thread_rank(); i < size_of(first); i += block.size())
      mine += (here[i].x + here[i].y) + (here[i].z + here[i].w);
    block.sync();  // all have read this stage: it may be filled again
    const std::size_t next = first + kStages * step;
    if (leader && next < fours.count) ring.request(stage, fours.data + next, size_of(next));
    stage = (stage + 1) % kStages;
    if (stage == 0) phase = !phase;
  }
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (me < fours.head) mine += in[me];
  if (fours.tail + me < n) mine += in[fours.tail + me];
  return mine;
}

// Changed: one thread asks for 16 KiB at a time; the data goes to shared memory without passing
//          through registers.
// Why:     what is on its way no longer takes registers, so more can be: 64 KiB per block, with a
//          handful of instructions.
// Cost:    shared memory, a barrier per stage, and one more trip for every element: from shared
//          memory to a register.
template <class T>
__global__ void async_copy(const T* in, std::size_t n, T* partial, unsigned* ticket, T* out) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char raw[];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived[kStages];
  __shared__ bool is_last;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) {
    for (auto& barrier : arrived) init(&barrier, 1);
    // The copy engine must see the barriers as they are now.
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  block.sync();
  const Ring<T> ring{reinterpret_cast<Four<T>*>(raw), arrived};
  const T sum = block_sum(block, my_share_from_ring(block, ring, in, n));
  if (block.thread_rank() == 0) {
    partial[blockIdx.x] = sum;
    is_last = take_last_ticket(ticket, gridDim.x);
  }
  block.sync();
  if (is_last) add_partials(block, partial, gridDim.x, out);
#endif
}

// As many blocks as rings fit: two per multiprocessor keep 128 KiB on their way on each.
inline unsigned blocks_with_rings(std::size_t n, const Device& device) {
  const std::size_t most = 2 * static_cast<std::size_t>(device.multiprocessors);
  const std::size_t needed = n / (4 * kStageFours) + 1;
  return static_cast<unsigned>(needed < most ? needed : most);
}

template <class T>
void launch_async_copy(const Sum<T>& s) {
  // More than 48 KiB of shared memory must be asked for.
  COURSE_CHECK(cudaFuncSetAttribute(async_copy<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(kRingBytes)));
  async_copy<<<blocks_with_rings(s.n, *s.device), s.block, kRingBytes>>>(s.in, s.n, s.partials,
                                                                         s.tickets, s.out);
  COURSE_CHECK(cudaGetLastError());
}

inline double depth_with_rings(std::size_t n, int block, const Device& device) {
  const double blocks = blocks_with_rings(n, device);
  const double threads = blocks * (block < 1024 ? block : 1024);
  return depth_of_block(n, threads, 4 * kStageFours / block) + blocks / block + 12;
}

}  // namespace lesson05
