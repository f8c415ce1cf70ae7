// SPDX-License-Identifier: MIT
// Lesson 00. out[i] = a x[i] + y[i], from one thread to a grid that fills the GPU.
//
// Rungs: one_thread         the loop of a CPU, on one thread of the GPU
//        one_block          all threads of one block
//        thread_per_element as many blocks as it takes, one element for each thread
//        chunks             a fixed grid, a run of neighbouring elements for each thread
//        grid_stride        the same grid, neighbouring threads have neighbouring elements
//        vector             four elements with one load
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/arrays/saxpy.hpp"
#include "common/check.cuh"
#include "common/launch.cuh"

namespace lesson00 {

using course::Saxpy;

// The loop that a CPU would run, in one thread of the GPU. Nothing is parallel here.
__global__ void one_thread(float a, const float* x, const float* y, std::size_t n, float* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a * x[i] + y[i];
}

// Changed: a block of threads shares the loop: thread t takes elements t, t + blockDim.x, ...
// Why:     a block's threads run at the same time.
// Cost:    a block runs on one multiprocessor. All others have nothing to do.
__global__ void one_block(float a, const float* x, const float* y, std::size_t n, float* out) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = a * x[i] + y[i];
}

// Changed: there are as many blocks as it takes, and each thread has one element. The loop is gone.
// Why:     blocks are spread over all multiprocessors.
// Cost:    the last block may have more threads than there are elements left: they must do nothing.
__global__ void thread_per_element(float a, const float* x, const float* y, std::size_t n,
                                   float* out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

// Changed: the grid is only as large as the GPU, and each thread has a run of neighbouring elements.
// Why:     it is what one does on a CPU: every core gets a part of its own.
// Cost:    at each step the lanes of a warp are far apart in memory. This rung is a step back.
__global__ void chunks(float a, const float* x, const float* y, std::size_t n, float* out) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t each = (n + threads - 1) / threads;
  for (std::size_t i = me * each; i < (me + 1) * each && i < n; ++i) out[i] = a * x[i] + y[i];
}

// Changed: a thread strides by the number of all threads instead of running through a part of its own.
// Why:     at each step the lanes of a warp have neighbouring elements, one stretch of memory.
// Cost:    nothing: it is the same number of elements for each thread.
__global__ void grid_stride(float a, const float* x, const float* y, std::size_t n, float* out) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = a * x[i] + y[i];
}

// Changed: each load and each store moves 16 bytes, four elements.
// Why:     four times the bytes are in flight with the same number of instructions.
// Cost:    16 bytes must begin at a multiple of 16, so the elements before and behind go one by one.
__global__ void vector(float a, const float* x, const float* y, std::size_t n, float* out) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t past = reinterpret_cast<std::uintptr_t>(x) % 16 / 4;
  const std::size_t before = past == 0 ? 0 : 4 - past, head = before < n ? before : n;
  const std::size_t fours = (n - head) / 4, tail = head + 4 * fours;
  const auto x4 = reinterpret_cast<const float4*>(x + head);
  const auto y4 = reinterpret_cast<const float4*>(y + head);
  const auto out4 = reinterpret_cast<float4*>(out + head);
  for (std::size_t i = me; i < fours; i += stride) {
    const float4 u = x4[i], v = y4[i];
    out4[i] = {a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w};
  }
  if (me < head) out[me] = a * x[me] + y[me];
  if (tail + me < n) out[tail + me] = a * x[tail + me] + y[tail + me];
}

// ---- launches

inline void launch(void (*kernel)(float, const float*, const float*, std::size_t, float*),
                   unsigned blocks, int threads, const Saxpy& s) {
  kernel<<<blocks, threads>>>(s.a, s.x, s.y, s.n, s.out);
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_one_thread(const Saxpy& s) { launch(&one_thread, 1, 1, s); }
inline void launch_one_block(const Saxpy& s) { launch(&one_block, 1, s.block, s); }
inline void launch_thread_per_element(const Saxpy& s) {
  const std::size_t blocks = (s.n + s.block - 1) / s.block;  // rounded up
  if (blocks > 0) launch(&thread_per_element, static_cast<unsigned>(blocks), s.block, s);
}
inline void launch_chunks(const Saxpy& s) {
  launch(&chunks, course::full_grid(*s.device, s.n, s.block), s.block, s);
}
inline void launch_grid_stride(const Saxpy& s) {
  launch(&grid_stride, course::full_grid(*s.device, s.n, s.block), s.block, s);
}
inline void launch_vector(const Saxpy& s) {
  launch(&vector, course::full_grid(*s.device, s.n / 4, s.block), s.block, s);
}

inline constexpr std::size_t kMostForOneThread = std::size_t{1} << 20;
inline const char* refuses_many(const Saxpy& s) {
  return s.n > kMostForOneThread ? "one thread would take seconds: at most 2^20 elements" : nullptr;
}

inline constexpr course::families::Rung<Saxpy> kRungs[] = {
    {"one_thread", "the loop of a CPU, on one thread (ignores --block)", &launch_one_thread,
     &refuses_many},
    {"one_block", "the threads of one block share the loop", &launch_one_block},
    {"thread_per_element", "many blocks, one element for each thread", &launch_thread_per_element},
    {"chunks", "a grid that fills the GPU, neighbouring elements for each thread", &launch_chunks},
    {"grid_stride", "neighbouring elements for neighbouring threads", &launch_grid_stride},
    {"vector", "16-byte loads and stores", &launch_vector},
};
inline const course::families::FamilyOf<Saxpy> kSaxpy("saxpy", "a x + y of f32", {},
                                                      &course::make_saxpy, kRungs);
inline const course::families::Family* const kFamilies[] = {&kSaxpy};
inline const course::families::Lesson kLesson{
    "00_first_steps", "What is a GPU, and how does a program run on it?", kFamilies};

}  // namespace lesson00
