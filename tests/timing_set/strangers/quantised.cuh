// SPDX-License-Identifier: MIT
// The product of two matrices of bytes, n x 384 and 384 x 2n, summed in integers: byte by byte, with neighbouring threads
// in different rows of the second one transposed, four bytes at a time from words that hold four of a column, and from
// tiles in shared memory with four by four sums a thread, whose result is rounded to bytes again.
#pragma once
#include "../set.cuh"

namespace timing_set {

using QuantisedByte = signed char;
constexpr int kQuantisedDeep = 384, kQuantisedWords = kQuantisedDeep / 4;
constexpr int kQuantisedTile = 32, kQuantisedStep = 8;  // words

__global__ void quantised_plain(const QuantisedByte* a, const QuantisedByte* b, int* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 2 * n || y >= n) return;
  int sum = 0;
  for (int k = 0; k < kQuantisedDeep; ++k) sum += a[y * kQuantisedDeep + k] * b[k * 2 * n + x];
  out[y * 2 * n + x] = sum;
}

// b is transposed here, and has a row for each column of the result.
__global__ void quantised_transposed(const QuantisedByte* a, const QuantisedByte* b, int* out,
                                     int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * n * n) return;
  const QuantisedByte* const row = a + i / (2 * n) * kQuantisedDeep;
  const QuantisedByte* const column = b + i % (2 * n) * kQuantisedDeep;
  int sum = 0;
  for (int k = 0; k < kQuantisedDeep; ++k) sum += row[k] * column[k];
  out[i] = sum;
}

__global__ void quantised_words(const int* __restrict__ a, const int* __restrict__ b,
                                int* __restrict__ out, int n) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4;  // four rows a thread
  int sum[4] = {};
#pragma unroll 4
  for (int k = 0; k < kQuantisedWords; ++k) {
    const int four = b[k * 2 * n + x];
#pragma unroll
    for (int r = 0; r < 4; ++r) sum[r] = __dp4a(a[(y + r) * kQuantisedWords + k], four, sum[r]);
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) out[(y + r) * 2 * n + x] = sum[r];
}

__global__ void quantised_tiles(const int* a, const int* b, const float* scale, QuantisedByte* out,
                                int n) {
  __shared__ int rows[kQuantisedTile][kQuantisedStep + 1];
  __shared__ int columns[kQuantisedStep][kQuantisedTile];
  const int left = blockIdx.x * kQuantisedTile, top = blockIdx.y * kQuantisedTile;
  const int thread = threadIdx.y * 8 + threadIdx.x;
  int sum[4][4] = {};
  for (int first = 0; first < kQuantisedWords; first += kQuantisedStep) {
    for (int i = thread; i < kQuantisedTile * kQuantisedStep; i += 64) {
      const int r = i / kQuantisedStep, k = i % kQuantisedStep;
      rows[r][k] = a[(top + r) * kQuantisedWords + first + k];
      columns[i / kQuantisedTile][i % kQuantisedTile] =
          b[(first + i / kQuantisedTile) * 2 * n + left + i % kQuantisedTile];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kQuantisedStep; ++k) {
      int mine[4];
#pragma unroll
      for (int c = 0; c < 4; ++c) mine[c] = columns[k][threadIdx.x + 8 * c];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const int left_word = rows[threadIdx.y * 4 + r][k];
#pragma unroll
        for (int c = 0; c < 4; ++c) sum[r][c] = __dp4a(left_word, mine[c], sum[r][c]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int y = top + threadIdx.y * 4 + r;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const int rounded = __float2int_rn(sum[r][c] * scale[y]);
      out[y * 2 * n + left + threadIdx.x + 8 * c] =
          static_cast<QuantisedByte>(max(-127, min(127, rounded)));
    }
  }
}

inline int quantised_a(unsigned row, unsigned k) {
  return static_cast<int>(mixed(row * kQuantisedDeep + k + 0x31000000u) % 255) - 127;
}
inline int quantised_b(unsigned k, unsigned column) {
  return static_cast<int>(mixed(column * kQuantisedDeep + k + 0x72000000u) % 255) - 127;
}
inline int quantised_wanted(unsigned i, unsigned n) {
  int sum = 0;
  for (unsigned k = 0; k < kQuantisedDeep; ++k)
    sum += quantised_a(i / (2 * n), k) * quantised_b(k, i % (2 * n));
  return sum;
}
template <class Value>
int quantised_packed(Value value) {
  unsigned word = 0;
  for (unsigned j = 0; j < 4; ++j) word |= (static_cast<unsigned>(value(j)) & 255u) << (8 * j);
  return static_cast<int>(word);
}
inline Shared<int> quantised_a_words(unsigned n) {
  return array<int>(std::size_t{n} * kQuantisedWords, [](unsigned i) {
    return quantised_packed(
        [=](unsigned j) { return quantised_a(i / kQuantisedWords, i % kQuantisedWords * 4 + j); });
  });
}
inline Shared<int> quantised_b_words(unsigned n) {
  return array<int>(std::size_t{2 * n} * kQuantisedWords, [n](unsigned i) {
    return quantised_packed(
        [=](unsigned j) { return quantised_b(i / (2 * n) * 4 + j, i % (2 * n)); });
  });
}

template <class Function>
std::function<Problem(unsigned)> quantised_problem(Function kernel, bool transposed) {
  return [=](unsigned n) {
    auto a = array<QuantisedByte>(std::size_t{n} * kQuantisedDeep, [](unsigned i) {
      return quantised_a(i / kQuantisedDeep, i % kQuantisedDeep);
    });
    auto b = array<QuantisedByte>(std::size_t{2 * n} * kQuantisedDeep, [=](unsigned i) {
      return transposed ? quantised_b(i % kQuantisedDeep, i / kQuantisedDeep)
                        : quantised_b(i / (2 * n), i % (2 * n));
    });
    auto out = room<int>(std::size_t{2 * n} * n);
    const dim3 grid =
        transposed ? dim3(blocks_of(2 * n * n, 192)) : dim3(blocks_of(2 * n, 16), blocks_of(n, 16));
    const dim3 block = transposed ? dim3(192) : dim3(16, 16);
    return Problem{
        [=] { kernel<<<grid, block>>>(a->data(), b->data(), out->data(), static_cast<int>(n)); },
        [=] {
          return agrees(
              out, [n](unsigned i) { return quantised_wanted(i, n); }, 0);
        }};
  };
}

inline Problem quantised_words_problem(unsigned n) {
  auto a = quantised_a_words(n), b = quantised_b_words(n), out = room<int>(std::size_t{2 * n} * n);
  return Problem{[=] {
                   quantised_words<<<dim3(n / 32, n / 4), 64>>>(a->data(), b->data(), out->data(),
                                                                static_cast<int>(n));
                 },
                 [=] {
                   return agrees(
                       out, [n](unsigned i) { return quantised_wanted(i, n); }, 0);
                 }};
}

inline Problem quantised_tiles_problem(unsigned n) {
  auto a = quantised_a_words(n), b = quantised_b_words(n);
  auto scale = array<float>(n, [](unsigned i) { return (1 + i % 7) / 4096.0; });
  auto out = room<QuantisedByte>(std::size_t{2 * n} * n);
  return Problem{
      [=] {
        quantised_tiles<<<dim3(2 * n / kQuantisedTile, n / kQuantisedTile), dim3(8, 8)>>>(
            a->data(), b->data(), scale->data(), out->data(), static_cast<int>(n));
      },
      [=] {
        return agrees(
            out,
            [=](unsigned i) {
              const float sum = static_cast<float>(quantised_wanted(i, n));
              const float rounded = std::nearbyint(sum * scale->host[i / (2 * n)]);
              return std::max(-127.0f, std::min(127.0f, rounded));
            },
            0);
      }};
}

inline void add_quantised(Set& set) {
  const std::vector<unsigned> sizes = {64, 288, 480}, faster = {64, 288, 992};  // multiples of 32
  set.add("quantised_plain", sizes, quantised_problem(quantised_plain, false));
  set.add("quantised_transposed", sizes, quantised_problem(quantised_transposed, true));
  set.add("quantised_words", faster, quantised_words_problem);
  set.add("quantised_tiles", faster, quantised_tiles_problem);
}

}  // namespace timing_set
