// SPDX-License-Identifier: MIT
// Threads that each have several words of their own: the fields of a structure, bytes of a word, an array that nobody else sees.
#include "families.hpp"
#include "stream.cuh"

namespace timing_set {
namespace {

using Word = unsigned;
using Byte = unsigned char;

// Structures of `Fields` words: all of them are changed, in place.
template <unsigned Fields>
__global__ void all_changed(const Word*, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Word own[Fields];
#pragma unroll
  for (unsigned k = 0; k < Fields; ++k) own[k] = out[i * Fields + k];
#pragma unroll
  for (unsigned k = 0; k < Fields; ++k) out[i * Fields + k] = (own[k] & 63u) | k << 6;
}
template <unsigned Fields>
void all_wanted(const Word*, Word* out, unsigned n) {
  for (unsigned i = 0; i < n * Fields; ++i) out[i] = 63u | i % Fields << 6;
}
// From one array to another, with something to do between reading and writing: nothing but that, sums in which each field
// needs others, or a barrier.
enum class Between { Nothing, Sums, Barrier };
template <unsigned Fields>
__host__ __device__ void sums_of(Word (&own)[Fields]) {
  for (unsigned round = 0; round < 4; ++round)
    for (unsigned k = 0; k < Fields; ++k) own[k] = own[k] * 5 + own[(k + 1) % Fields];
}
template <unsigned Fields, Between What>
__global__ void all_moved(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  Word own[Fields];
#pragma unroll
  for (unsigned k = 0; k < Fields; ++k) own[k] = i < n ? in[i * Fields + k] : 0;
  if (What == Between::Sums) sums_of(own);
  if (What == Between::Barrier) __syncthreads();
  if (i >= n) return;
#pragma unroll
  for (unsigned k = 0; k < Fields; ++k) out[i * Fields + k] = own[k];
}
template <unsigned Fields, Between What>
void moved_wanted(const Word* in, Word* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    Word own[Fields];
    std::copy_n(in + i * Fields, Fields, own);
    if (What == Between::Sums) sums_of(own);
    std::copy_n(own, Fields, out + i * Fields);
  }
}
// Only written.
template <unsigned Fields>
__global__ void all_numbered(const Word*, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
#pragma unroll
  for (unsigned k = 0; k < Fields; ++k) out[i * Fields + k] = i + k;
}
template <unsigned Fields>
void numbered_wanted(const Word*, Word* out, unsigned n) {
  for (unsigned i = 0; i < n * Fields; ++i) out[i] = i / Fields + i % Fields;
}
// The same with an array for each field.
template <unsigned Fields>
__global__ void all_apart(const Word*, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
#pragma unroll
  for (unsigned k = 0; k < Fields; ++k) out[k * n + i] = (out[k * n + i] & 63u) | k << 6;
}
template <unsigned Fields>
void apart_wanted(const Word*, Word* out, unsigned n) {
  for (unsigned i = 0; i < n * Fields; ++i) out[i] = 63u | i / n << 6;
}
// One field is read, another one is written.
template <unsigned Fields>
__global__ void one_changed(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i * Fields + 3] = in[i * Fields + 5] + 1;
}
template <unsigned Fields>
void one_wanted(const Word* in, Word* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) out[i * Fields + 3] = in[i * Fields + 5] + 1;
}
// Whole structures from anywhere, a word at a time.
template <unsigned Fields>
__global__ void fetched(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const Word* from = in + static_cast<std::size_t>(mixed(i) % n) * Fields;
#pragma unroll
  for (unsigned k = 0; k < Fields; ++k) out[k * n + i] = from[k];
}
template <unsigned Fields>
void fetched_wanted(const Word* in, Word* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    for (unsigned k = 0; k < Fields; ++k) out[k * n + i] = in[mixed(i) % n * Fields + k];
}
// Turned round by a thread: it reads them forwards, and writes them backwards.
template <unsigned Each>
__global__ void turned(const Word* in, Word* out, unsigned n) {
  const unsigned first = thread_number() * Each;
  if (first + Each > n) return;
  Word own[Each];
#pragma unroll
  for (unsigned k = 0; k < Each; ++k) own[k] = in[first + k];
#pragma unroll
  for (unsigned k = 0; k < Each; ++k) out[first + k] = own[Each - 1 - k];
}
template <unsigned Each>
void turned_wanted(const Word* in, Word* out, unsigned n) {
  for (unsigned i = 0; i < n / Each * Each; ++i) out[i] = in[i / Each * Each + Each - 1 - i % Each];
}

__global__ void packed(const Byte* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const Byte* b = in + 4 * i;
  out[i] = b[0] | Word{b[1]} << 8 | Word{b[2]} << 16 | Word{b[3]} << 24;
}
__global__ void unpacked(const Word* in, Byte* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const Word x = in[i];
  Byte* b = out + 4 * i;
  b[0] = static_cast<Byte>(x);
  b[1] = static_cast<Byte>(x >> 8);
  b[2] = static_cast<Byte>(x >> 16);
  b[3] = static_cast<Byte>(x >> 24);
}
__global__ void grey(const Byte* in, Byte* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n)
    out[i] = static_cast<Byte>((in[3 * i] * 77 + in[3 * i + 1] * 150 + in[3 * i + 2] * 29) >> 8);
}
// The first 256 bytes are the table.
template <bool InShared>
__global__ void by_table(const Byte* in, Byte* out, unsigned n) {
  __shared__ Byte kept[256];
  if (InShared) {
    kept[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
  }
  const unsigned i = thread_number();
  if (i < n) out[i] = InShared ? kept[in[i]] : in[in[i]];
}
// How often the most frequent of 16 kinds comes, of 64 words that lie together.
__global__ void most_frequent(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Byte counts[16] = {};
  for (unsigned k = 0; k < 64; ++k) ++counts[mixed(in[(i / 32 * 64 + k) * 32 + i % 32]) % 16];
  Word most = 0;
  for (unsigned k = 0; k < 16; ++k) most = max(most, Word{counts[k]});
  out[i] = most;
}
// The middle one of 25, which a thread puts in order as they come.
__global__ void middle_of_25(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Word own[25];
  for (int k = 0; k < 25; ++k) {
    const Word x = mixed(in[k * n + i] + i) & 1023;
    int at = k;
    for (; at > 0 && own[at - 1] > x; --at) own[at] = own[at - 1];
    own[at] = x;
  }
  out[i] = own[12];
}
__host__ __device__ inline void in_order(Word& a, Word& b) {
  const Word less = a < b ? a : b;
  b = a < b ? b : a;
  a = less;
}
// Of nine, in registers: each is compared with each.
__global__ void middle_of_9(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Word own[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) own[k] = mixed(in[k * n + i] + i);
#pragma unroll
  for (int a = 0; a < 8; ++a)
#pragma unroll
    for (int b = 0; b < 8 - a; ++b) in_order(own[b], own[b + 1]);
  out[i] = own[4];
}
template <unsigned Of, unsigned Mask>
void middle_wanted(const Word* in, Word* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    Word own[Of];
    for (unsigned k = 0; k < Of; ++k) own[k] = mixed(in[k * n + i] + i) & Mask;
    std::nth_element(own, own + Of / 2, own + Of);
    out[i] = own[Of / 2];
  }
}

using Kernel2 = void (*)(const Word*, Word*, unsigned);
template <unsigned In, unsigned Out, class Wanted>
std::function<Problem(unsigned)> words(Kernel2 kernel, Wanted wanted, unsigned each = 1) {
  return stream<Word, Word, In, Out>(
      [=](const Word* in, Word* out, unsigned n) {
        kernel<<<blocks_of((n + each - 1) / each), kBlock>>>(in, out, n);
      },
      wanted);
}
template <unsigned Fields, Between What>
std::function<Problem(unsigned)> moved() {
  return words<Fields, Fields>(all_moved<Fields, What>, moved_wanted<Fields, What>);
}
template <bool InShared>
std::function<Problem(unsigned)> table_problem() {
  return stream<Byte, Byte, 1, 1>(
      [](const Byte* in, Byte* out, unsigned n) {
        by_table<InShared><<<blocks_of(n), kBlock>>>(in, out, n);
      },
      [](const Byte* in, Byte* out, unsigned n) {
        for (unsigned i = 0; i < n; ++i) out[i] = in[in[i]];
      });
}

void add_structures(std::vector<Kernel>& kernels) {
  const std::vector<unsigned> sizes = {5000, 200000, 2000000}, fewer = {3000, 60000, 1000000};
  Set fields("fields", kernels);
  fields.add("fields_3", sizes, words<1, 3>(all_changed<3>, all_wanted<3>));
  fields.add("fields_7", sizes, words<1, 7>(all_changed<7>, all_wanted<7>));
  fields.add("fields_8", sizes, words<1, 8>(all_changed<8>, all_wanted<8>));
  fields.add("fields_16", fewer, words<1, 16>(all_changed<16>, all_wanted<16>));
  fields.add("fields_4", sizes, words<1, 4>(all_changed<4>, all_wanted<4>));
  fields.add("fields_6", sizes, words<1, 6>(all_changed<6>, all_wanted<6>));
  fields.add("fields_12", fewer, words<1, 12>(all_changed<12>, all_wanted<12>));
  fields.add("fields_8_moved", sizes, moved<8, Between::Nothing>());
  fields.add("fields_8_summed", sizes, moved<8, Between::Sums>());
  fields.add("fields_8_barrier", sizes, moved<8, Between::Barrier>());
  fields.add("fields_16_summed", fewer, moved<16, Between::Sums>());
  fields.add("fields_8_numbered", sizes, words<1, 8>(all_numbered<8>, numbered_wanted<8>));
  fields.add("fields_16_numbered", fewer, words<1, 16>(all_numbered<16>, numbered_wanted<16>));
  fields.add("fields_8_apart", sizes, words<1, 8>(all_apart<8>, apart_wanted<8>));
  fields.add("fields_one_of_16", sizes, words<16, 16>(one_changed<16>, one_wanted<16>));
  fields.add("fields_8_fetched", sizes, words<8, 8>(fetched<8>, fetched_wanted<8>));
  fields.add("fields_3_fetched", sizes, words<3, 3>(fetched<3>, fetched_wanted<3>));
  const std::vector<unsigned> turns = {20000, 1000000, 12000000};
  fields.add("fields_16_turned", turns, words<1, 1>(turned<16>, turned_wanted<16>, 16));
  fields.add("fields_5_turned", turns, words<1, 1>(turned<5>, turned_wanted<5>, 5));
}
void add_own(std::vector<Kernel>& kernels) {
  const std::vector<unsigned> sizes = {20000, 1000000, 8000000}, few = {2048, 32768, 524288},
                              fewer = {1000, 20000, 400000};
  Set packing("packing", kernels);
  packing.add(
      "packing_bytes", sizes,
      stream<Byte, Word, 4, 1>([](const Byte* in, Word* out,
                                  unsigned n) { packed<<<blocks_of(n), kBlock>>>(in, out, n); },
                               [](const Byte* in, Word* out, unsigned n) {
                                 for (unsigned i = 0; i < n; ++i)
                                   std::copy_n(in + 4 * i, 4, reinterpret_cast<Byte*>(out + i));
                               }));
  packing.add("packing_words", sizes,
              stream<Word, Byte, 1, 4>(
                  [](const Word* in, Byte* out, unsigned n) {
                    unpacked<<<blocks_of(n), kBlock>>>(in, out, n);
                  },
                  [](const Word* in, Byte* out, unsigned n) {
                    std::copy_n(reinterpret_cast<const Byte*>(in), std::size_t{4} * n, out);
                  }));
  packing.add(
      "packing_grey", sizes,
      stream<Byte, Byte, 3, 1>(
          [](const Byte* in, Byte* out, unsigned n) { grey<<<blocks_of(n), kBlock>>>(in, out, n); },
          [](const Byte* in, Byte* out, unsigned n) {
            for (unsigned i = 0; i < n; ++i)
              out[i] = static_cast<Byte>(
                  (in[3 * i] * 77 + in[3 * i + 1] * 150 + in[3 * i + 2] * 29) >> 8);
          }));
  packing.add("packing_by_table", sizes, table_problem<false>());
  packing.add("packing_by_table_shared", sizes, table_problem<true>());
  Set own("own", kernels);
  own.add("own_counts", few, words<64, 1>(most_frequent, [](const Word* in, Word* out, unsigned n) {
            for (unsigned i = 0; i < n; ++i) {
              Word counts[16] = {};
              for (unsigned k = 0; k < 64; ++k)
                ++counts[mixed(in[(i / 32 * 64 + k) * 32 + i % 32]) % 16];
              out[i] = *std::max_element(counts, counts + 16);
            }
          }));
  own.add("own_middle_of_25", fewer, words<25, 1>(middle_of_25, middle_wanted<25, 1023>));
  own.add("own_middle_of_9", sizes, words<9, 1>(middle_of_9, middle_wanted<9, ~0u>));
}

}  // namespace

void add_fields(std::vector<Kernel>& kernels) {
  add_structures(kernels);
  add_own(kernels);
}

}  // namespace timing_set
