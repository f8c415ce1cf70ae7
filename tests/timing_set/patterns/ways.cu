// SPDX-License-Identifier: MIT
// How the work of a copy is divided among threads, and with what it is done: runs of a thread, of a warp, of a block, few
// blocks, little room on a multiprocessor, more arrays, some elements only, other instructions.
#include <cuda_pipeline.h>

#include "families.hpp"
#include "stream.cuh"

namespace timing_set {
namespace {

using Word = unsigned;

// A thread, a warp or a block takes `Each` words that lie together.
template <unsigned Each>
__global__ void by_thread(const Word* in, Word* out, unsigned n) {
  const unsigned first = thread_number() * Each;
  for (unsigned i = first; i < first + Each && i < n; ++i) out[i] = in[i];
}
template <unsigned Each>
__global__ void by_warp(const Word* in, Word* out, unsigned n) {
  const unsigned first = thread_number() / 32 * Each;
  for (unsigned i = first + threadIdx.x % 32; i < first + Each && i < n; i += 32) out[i] = in[i];
}
template <unsigned Each>
__global__ void by_block(const Word* in, Word* out, unsigned n) {
  const unsigned first = blockIdx.x * Each;
  for (unsigned i = first + threadIdx.x; i < first + Each && i < n; i += blockDim.x) out[i] = in[i];
}
__global__ void by_all(const Word* in, Word* out, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void with_room(const Word* in, Word* out, unsigned n) {
  extern __shared__ Word room_of_block[];
  const unsigned i = thread_number();
  room_of_block[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = room_of_block[threadIdx.x];
}
template <unsigned Bytes>  // at once, straight to shared memory
__global__ void by_async(const Word* in, Word* out, unsigned n) {
  __shared__ __align__(16) Word kept[kBlock * 4];
  constexpr unsigned words = Bytes / 4;
  const unsigned first = blockIdx.x * kBlock * words + threadIdx.x * words;
  if (first < n) __pipeline_memcpy_async(&kept[threadIdx.x * words], &in[first], Bytes);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kBlock * words; k += kBlock)
    if (const unsigned i = blockIdx.x * kBlock * words + k; i < n) out[i] = kept[k];
}
__global__ void streaming(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) __stcs(out + i, __ldcs(in + i));
}
__global__ void past_l1(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) __stcg(out + i, __ldcg(in + i));
}
__global__ void as_volatile(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) static_cast<volatile Word*>(out)[i] = static_cast<const volatile Word*>(in)[i];
}
template <unsigned Arrays>  // the input is so many arrays, one after the other
__global__ void of_several(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Word sum = 0;
#pragma unroll
  for (unsigned k = 0; k < Arrays; ++k) sum += in[k * n + i];
  out[i] = sum;
}
template <unsigned Arrays>
__global__ void to_several(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const Word x = in[i];
#pragma unroll
  for (unsigned k = 0; k < Arrays; ++k) out[k * n + i] = x + k;
}
__global__ void in_place(const Word*, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = out[i] & 63u;
}
__global__ void smaller_of_both(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = min(out[i], in[i]);
}
// Of the values 0 to 60 one in eight is larger than 53.
__global__ void some_written(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n && in[i] > 53) out[i] = 1;
}
__global__ void some_read(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = mixed(i) % 8 == 0 ? in[i] : 7;
}
__global__ void twice(const Word* in, Word* out, unsigned n) {
  Word sum = 0;
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = thread_number(); i < n; i += threads) sum = max(sum, in[i]);
  for (unsigned i = thread_number(); i < n; i += threads) out[i] = min(in[i], sum);
}
template <unsigned Row>  // the largest of each row, by a block
__global__ void row_of_block(const Word* in, Word* out, unsigned n) {
  __shared__ Word of_warp[kBlock / 32];
  const unsigned row = blockIdx.x;
  if (row >= n / Row) return;
  Word most = 0;
  for (unsigned i = threadIdx.x; i < Row; i += kBlock) most = max(most, in[row * Row + i]);
  most = __reduce_max_sync(kAll, most);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned k = 1; k < kBlock / 32; ++k) most = max(most, of_warp[k]);
    out[row] = most;
  }
}
template <unsigned Row>
__global__ void row_of_warp(const Word* in, Word* out, unsigned n) {
  const unsigned row = thread_number() / 32;
  if (row >= n / Row) return;
  Word most = 0;
  for (unsigned i = threadIdx.x % 32; i < Row; i += 32) most = max(most, in[row * Row + i]);
  most = __reduce_max_sync(kAll, most);
  if (threadIdx.x % 32 == 0) out[row] = most;
}
template <unsigned Row>
__global__ void row_of_thread(const Word* in, Word* out, unsigned n) {
  const unsigned row = thread_number();
  if (row >= n / Row) return;
  Word most = 0;
  for (unsigned i = 0; i < Row; ++i) most = max(most, in[row * Row + i]);
  out[row] = most;
}
template <unsigned Row>
void rows_wanted(const Word* in, Word* out, unsigned n) {
  for (unsigned row = 0; row < n / Row; ++row)
    out[row] = *std::max_element(in + row * Row, in + (row + 1) * Row);
}

using Copy = void (*)(const Word*, Word*, unsigned);
// With so many blocks, or, if that is 0, one thread for each `each` words.
std::function<Problem(unsigned)> copy_of(Copy kernel, unsigned each = 1, unsigned blocks = 0,
                                         unsigned threads = kBlock, unsigned shared_bytes = 0) {
  return copying<Word>([=](const Word* in, Word* out, unsigned n) {
    if (shared_bytes != 0)
      COURSE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes)));
    kernel<<<blocks != 0 ? blocks : blocks_of((n + each - 1) / each, threads), threads,
             shared_bytes>>>(in, out, n);
  });
}
template <unsigned In = 1, unsigned Out = 1, class Wanted>
std::function<Problem(unsigned)> other(Copy kernel, Wanted wanted, unsigned each = 1) {
  return stream<Word, Word, In, Out>(
      [=](const Word* in, Word* out, unsigned n) {
        kernel<<<blocks_of((n + each - 1) / each), kBlock>>>(in, out, n);
      },
      wanted);
}

void add_divided(std::vector<Kernel>& kernels) {
  const std::vector<unsigned> sizes = {20000, 1000000, 12000000}, few = {2000, 20000, 400000};
  Set runs("runs", kernels);
  runs.add("runs_of_thread_4", sizes, copy_of(by_thread<4>, 4));
  runs.add("runs_of_thread_32", sizes, copy_of(by_thread<32>, 32));
  runs.add("runs_of_thread_100", sizes, copy_of(by_thread<100>, 100));
  runs.add("runs_of_warp_256", sizes, copy_of(by_warp<256>, 8));
  runs.add("runs_of_warp_4096", sizes, copy_of(by_warp<4096>, 128));
  runs.add("runs_of_block_2048", sizes, copy_of(by_block<2048>, 8));
  runs.add("runs_of_block_16384", sizes, copy_of(by_block<16384>, 64));
  Set of_few("few", kernels);
  of_few.add("few_1_block", few, copy_of(by_all, 1, 1, 1024));
  of_few.add("few_1_warp", few, copy_of(by_all, 1, 1, 32));
  of_few.add("few_16_blocks", few, copy_of(by_all, 1, 16, 256));
  of_few.add("few_132_warps", sizes, copy_of(by_all, 1, 132, 32));
  of_few.add("few_132_blocks", sizes, copy_of(by_all, 1, 132, 256));
  of_few.add("few_132_full", sizes, copy_of(by_all, 1, 132, 1024));
  of_few.add("few_264_full", sizes, copy_of(by_all, 1, 264, 1024));
  of_few.add("few_133_full", sizes, copy_of(by_all, 1, 133, 1024));
  Set room("room", kernels);
  room.add("room_100_kib", sizes, copy_of(with_room, 1, 0, kBlock, 100 << 10));
  room.add("room_200_kib", sizes, copy_of(with_room, 1, 0, kBlock, 200 << 10));
  room.add("room_200_kib_1024", sizes, copy_of(with_room, 1, 0, 1024, 200 << 10));
  Set rows("rows", kernels);
  rows.add("rows_of_block_1000", sizes, other(row_of_block<1000>, rows_wanted<1000>, 3));
  rows.add("rows_of_block_4000", sizes, other(row_of_block<4000>, rows_wanted<4000>, 15));
  rows.add("rows_of_warp_40", sizes, other(row_of_warp<40>, rows_wanted<40>, 1));
  rows.add("rows_of_warp_1000", sizes, other(row_of_warp<1000>, rows_wanted<1000>, 31));
  rows.add("rows_of_thread_10", sizes, other(row_of_thread<10>, rows_wanted<10>, 10));
  rows.add("rows_of_thread_100", sizes, other(row_of_thread<100>, rows_wanted<100>, 100));
}
void add_other(std::vector<Kernel>& kernels) {
  const std::vector<unsigned> sizes = {20000, 1000000, 12000000};
  Set with("with", kernels);
  with.add("with_async_4", sizes, copy_of(by_async<4>));
  with.add("with_async_16", sizes, copy_of(by_async<16>, 4));
  with.add("with_streaming", sizes, copy_of(streaming));
  with.add("with_past_l1", sizes, copy_of(past_l1));
  with.add("with_volatile", sizes, copy_of(as_volatile));
  Set several("several", kernels);
  several.add("several_3_in", sizes,
              other<3>(of_several<3>, [](const Word* in, Word* out, unsigned n) {
                for (unsigned i = 0; i < n; ++i) out[i] = in[i] + in[n + i] + in[2 * n + i];
              }));
  several.add(
      "several_6_in", sizes, other<6>(of_several<6>, [](const Word* in, Word* out, unsigned n) {
        for (unsigned i = 0; i < n; ++i)
          out[i] =
              in[i] + in[n + i] + in[2 * n + i] + in[3 * n + i] + in[4 * n + i] + in[5 * n + i];
      }));
  several.add("several_3_out", sizes,
              other<1, 3>(to_several<3>, [](const Word* in, Word* out, unsigned n) {
                for (unsigned i = 0; i < 3 * n; ++i) out[i] = in[i % n] + i / n;
              }));
  Set some("some", kernels);
  some.add("some_in_place", sizes,
           other(in_place, [](const Word*, Word* out, unsigned n) { std::fill_n(out, n, 63u); }));
  some.add("some_both", sizes, copy_of(smaller_of_both));
  some.add("some_written", sizes, other(some_written, [](const Word* in, Word* out, unsigned n) {
             for (unsigned i = 0; i < n; ++i)
               if (in[i] > 53) out[i] = 1;
           }));
  some.add("some_read", sizes, other(some_read, [](const Word* in, Word* out, unsigned n) {
             for (unsigned i = 0; i < n; ++i) out[i] = mixed(i) % 8 == 0 ? in[i] : 7;
           }));
  some.add("some_twice", sizes,
           stream<Word, Word, 1, 1>(
               [](const Word* in, Word* out, unsigned n) {
                 twice<<<std::min(blocks_of(n), 1056u), kBlock>>>(in, out, n);
               },
               [](const Word* in, Word* out, unsigned n) {
                 const unsigned threads = std::min(blocks_of(n), 1056u) * kBlock;
                 std::vector<Word> most(threads, 0);
                 for (unsigned i = 0; i < n; ++i)
                   most[i % threads] = std::max(most[i % threads], in[i]);
                 for (unsigned i = 0; i < n; ++i) out[i] = std::min(in[i], most[i % threads]);
               }));
}

}  // namespace

void add_ways(std::vector<Kernel>& kernels) {
  add_divided(kernels);
  add_other(kernels);
}

}  // namespace timing_set
