// SPDX-License-Identifier: MIT
// An array read and another written: elements of 1 to 16 bytes, one after the other, apart, in structures, backwards.
#include "families.hpp"
#include "stream.cuh"

namespace timing_set {
namespace {

// By few threads that each take many, so that several loads are on their way.
template <class T>
__global__ void walked(const T* in, T* out, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
template <unsigned Each, bool Apart>
__global__ void many(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = thread_number(), threads = n / Each;
  if (i >= threads) return;
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < Each; ++k) sum += in[Apart ? k * threads + i : i * Each + k];
  out[i] = sum;
}
template <class T>
__global__ void filled(T* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = static_cast<T>(i % 61);
}

struct Backwards {
  __host__ __device__ unsigned operator()(const unsigned* in, unsigned i, unsigned size) const {
    return in[size - 1 - i];
  }
};
struct Next {
  __host__ __device__ unsigned operator()(const unsigned* in, unsigned i, unsigned size) const {
    return i + 1 < size ? in[i + 1] : 0;
  }
};
template <unsigned Stride>
struct Apart {
  template <class T>
  __host__ __device__ T operator()(const T* in, unsigned i, unsigned size) const {
    return in[static_cast<unsigned>(i * static_cast<std::size_t>(Stride) % size)];
  }
};
struct Three {
  template <class T>
  __host__ __device__ unsigned operator()(const T* in, unsigned i, unsigned) const {
    return static_cast<unsigned>(in[3 * i] + in[3 * i + 1] + in[3 * i + 2]);
  }
};
struct Neighbours {
  __host__ __device__ unsigned operator()(const unsigned* in, unsigned i, unsigned size) const {
    return i > 0 && i + 1 < size ? in[i - 1] + in[i] + in[i + 1] : 0;
  }
};
struct PutThree {
  template <class T>
  __host__ __device__ void operator()(T* out, unsigned i, unsigned x, unsigned) const {
    out[3 * i] = static_cast<T>(x);
    out[3 * i + 1] = static_cast<T>(x + 1);
    out[3 * i + 2] = static_cast<T>(x + 2);
  }
};
template <unsigned Stride>
struct PutApart {
  __host__ __device__ void operator()(unsigned* out, unsigned i, unsigned x, unsigned size) const {
    out[static_cast<unsigned>(i * static_cast<std::size_t>(Stride) % size)] = x;
  }
};

template <unsigned Each, bool Apart>
std::function<Problem(unsigned)> many_of() {
  return stream<unsigned, unsigned, 1, 1>(
      [](const unsigned* in, unsigned* out, unsigned n) {
        many<Each, Apart><<<blocks_of(n / Each), kBlock>>>(in, out, n);
      },
      [](const unsigned* in, unsigned* out, unsigned n) {
        const unsigned threads = n / Each;
        for (unsigned i = 0; i < threads; ++i) {
          out[i] = 0;
          for (unsigned k = 0; k < Each; ++k) out[i] += in[Apart ? k * threads + i : i * Each + k];
        }
      });
}

}  // namespace

void add_streams(std::vector<Kernel>& kernels) {
  using Byte = unsigned char;
  using Short = unsigned short;
  const std::vector<unsigned> sizes = {20000, 1000000, 12000000},
                              bytes = {20000, 2000000, 30000000};
  Set of_bytes("bytes", kernels);
  of_bytes.add("bytes_copied", bytes, taking<Byte, Byte, 1>(Same{}));
  of_bytes.add("bytes_copied_512", bytes, taking<Byte, Byte, 1, 512>(Same{}));
  of_bytes.add("shorts_copied", bytes, taking<Short, Short, 1>(Same{}));
  of_bytes.add("bytes_to_words", bytes, taking<Byte, unsigned, 1>(Same{}));
  of_bytes.add("words_to_bytes", bytes, taking<unsigned, Byte, 1>(Same{}));
  of_bytes.add("bytes_three", bytes, taking<Byte, unsigned, 3>(Three{}));
  of_bytes.add("bytes_three_out", bytes, putting<Byte, 3>(PutThree{}));
  of_bytes.add("bytes_fourth", bytes, taking<Byte, Byte, 4>(Apart<4>{}));
  of_bytes.add("bytes_filled", bytes, copying<Byte>([](const Byte*, Byte* out, unsigned n) {
                 filled<<<blocks_of(n), kBlock>>>(out, n);
               }));
  of_bytes.add("bytes_walked", bytes, copying<Byte>([](const Byte* in, Byte* out, unsigned n) {
                 walked<<<std::min(blocks_of(n), 1056u), kBlock>>>(in, out, n);
               }));
  Set of_words("words", kernels);
  of_words.add("words_copied", sizes, taking<unsigned, unsigned, 1>(Same{}));
  of_words.add("words_copied_64", sizes, taking<unsigned, unsigned, 1, 64>(Same{}));
  of_words.add("words_copied_1024", sizes, taking<unsigned, unsigned, 1, 1024>(Same{}));
  of_words.add("words_backwards", sizes, taking<unsigned, unsigned, 1>(Backwards{}));
  of_words.add("words_next", sizes, taking<unsigned, unsigned, 1>(Next{}));
  of_words.add("words_neighbours", sizes, taking<unsigned, unsigned, 1>(Neighbours{}));
  of_words.add("words_three", sizes, taking<unsigned, unsigned, 3>(Three{}));
  of_words.add("words_three_out", sizes, putting<unsigned, 3>(PutThree{}));
  of_words.add("words_walked", sizes,
               copying<unsigned>([](const unsigned* in, unsigned* out, unsigned n) {
                 walked<<<std::min(blocks_of(n), 528u), kBlock>>>(in, out, n);
               }));
  of_words.add("words_eight", sizes, many_of<8, false>());
  of_words.add("words_eight_apart", sizes, many_of<8, true>());
  of_words.add("doubles_copied", sizes, taking<double, double, 1>(Same{}));
  Set apart("apart", kernels);
  apart.add("apart_2", sizes, taking<unsigned, unsigned, 1>(Apart<2>{}));
  apart.add("apart_7", sizes, taking<unsigned, unsigned, 1>(Apart<7>{}));
  apart.add("apart_37", sizes, taking<unsigned, unsigned, 1>(Apart<37>{}));
  apart.add("apart_1009", sizes, taking<unsigned, unsigned, 1>(Apart<1009>{}));
  apart.add("apart_7_out", sizes, putting<unsigned, 1>(PutApart<7>{}));
  apart.add("apart_37_out", sizes, putting<unsigned, 1>(PutApart<37>{}));
  apart.add("apart_1009_out", sizes, putting<unsigned, 1>(PutApart<1009>{}));
}

}  // namespace timing_set
