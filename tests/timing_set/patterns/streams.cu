// SPDX-License-Identifier: MIT
// An array read and another written: elements of 1 to 16 bytes, one after the other, apart, in structures, backwards.
#include "families.hpp"

namespace timing_set {
namespace {

// Element i of the result is made of elements of the input: `Take` says of which, and `Put` where it goes.
template <class T, class Out, class Take>
__global__ void taken(const T* in, Out* out, unsigned n, unsigned size, Take take) {
  const unsigned i = thread_number();
  if (i < n) out[i] = static_cast<Out>(take(in, i, size));
}
template <class T, class Out, class Put>
__global__ void put(const T* in, Out* out, unsigned n, unsigned size, Put put_at) {
  const unsigned i = thread_number();
  if (i < n) put_at(out, i, in[i], size);
}
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

struct Same {
  template <class T>
  __device__ T operator()(const T* in, unsigned i, unsigned) const {
    return in[i];
  }
};
struct Backwards {
  __device__ unsigned operator()(const unsigned* in, unsigned i, unsigned size) const {
    return in[size - 1 - i];
  }
};
struct Next {
  __device__ unsigned operator()(const unsigned* in, unsigned i, unsigned size) const {
    return i + 1 < size ? in[i + 1] : 0;
  }
};
template <unsigned Stride>
struct Apart {
  template <class T>
  __device__ T operator()(const T* in, unsigned i, unsigned size) const {
    return in[static_cast<unsigned>(i * static_cast<std::size_t>(Stride) % size)];
  }
};
struct Three {
  template <class T>
  __device__ unsigned operator()(const T* in, unsigned i, unsigned) const {
    return static_cast<unsigned>(in[3 * i] + in[3 * i + 1] + in[3 * i + 2]);
  }
};
struct Neighbours {
  __device__ unsigned operator()(const unsigned* in, unsigned i, unsigned size) const {
    return i > 0 && i + 1 < size ? in[i - 1] + in[i] + in[i + 1] : 0;
  }
};
struct PutThree {
  template <class T>
  __device__ void operator()(T* out, unsigned i, unsigned x, unsigned) const {
    out[3 * i] = static_cast<T>(x);
    out[3 * i + 1] = static_cast<T>(x + 1);
    out[3 * i + 2] = static_cast<T>(x + 2);
  }
};
template <unsigned Stride>
struct PutApart {
  __device__ void operator()(unsigned* out, unsigned i, unsigned x, unsigned size) const {
    out[static_cast<unsigned>(i * static_cast<std::size_t>(Stride) % size)] = x;
  }
};

// `In` and `Out`: how many elements each has for one of n. That every element was written is what is looked at.
template <class T, class Result, unsigned In, unsigned Out, class Launch>
std::function<Problem(unsigned)> stream(Launch launch) {
  return [=](unsigned n) {
    auto in = array<T>(static_cast<std::size_t>(n) * In, [](unsigned i) { return i % 61; });
    auto out = room<Result>(static_cast<std::size_t>(n) * Out);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] {
                     const std::vector<Result> got = out->device.download();
                     std::vector<unsigned char> none(sizeof(Result), 0xff);
                     for (std::size_t i = 0; i < got.size() / 8; i += 997)
                       if (std::equal(none.begin(), none.end(),
                                      reinterpret_cast<const unsigned char*>(&got[i])))
                         return false;
                     return true;
                   }};
  };
}
template <class T, class Result, unsigned In, unsigned Block, class Take>
std::function<Problem(unsigned)> taking(Take take) {
  return stream<T, Result, In, 1>([=](const T* in, Result* out, unsigned n) {
    taken<<<blocks_of(n, Block), Block>>>(in, out, n, n * In, take);
  });
}
template <class Result, unsigned Out, unsigned Block, class Put>
std::function<Problem(unsigned)> putting(Put at) {
  return stream<unsigned, Result, 1, Out>([=](const unsigned* in, Result* out, unsigned n) {
    put<<<blocks_of(n, Block), Block>>>(in, out, n, n * Out, at);
  });
}

}  // namespace

void add_streams(std::vector<Kernel>& kernels) {
  using Byte = unsigned char;
  using Short = unsigned short;
  const std::vector<unsigned> sizes = {20000, 1000000, 12000000},
                              bytes = {20000, 2000000, 30000000};
  Set of_bytes("bytes", kernels);
  of_bytes.add("bytes_copied", bytes, taking<Byte, Byte, 1, 256>(Same{}));
  of_bytes.add("bytes_copied_512", bytes, taking<Byte, Byte, 1, 512>(Same{}));
  of_bytes.add("shorts_copied", bytes, taking<Short, Short, 1, 256>(Same{}));
  of_bytes.add("bytes_to_words", bytes, taking<Byte, unsigned, 1, 256>(Same{}));
  of_bytes.add("words_to_bytes", bytes, taking<unsigned, Byte, 1, 256>(Same{}));
  of_bytes.add("bytes_three", bytes, taking<Byte, unsigned, 3, 256>(Three{}));
  of_bytes.add("bytes_three_out", bytes, putting<Byte, 3, 256>(PutThree{}));
  of_bytes.add("bytes_fourth", bytes, taking<Byte, Byte, 4, 256>(Apart<4>{}));
  of_bytes.add("bytes_filled", bytes,
               stream<Byte, Byte, 1, 1>([](const Byte*, Byte* out, unsigned n) {
                 filled<<<blocks_of(n), kBlock>>>(out, n);
               }));
  of_bytes.add("bytes_walked", bytes,
               stream<Byte, Byte, 1, 1>([](const Byte* in, Byte* out, unsigned n) {
                 walked<<<std::min(blocks_of(n), 1056u), kBlock>>>(in, out, n);
               }));
  Set of_words("words", kernels);
  of_words.add("words_copied", sizes, taking<unsigned, unsigned, 1, 256>(Same{}));
  of_words.add("words_copied_64", sizes, taking<unsigned, unsigned, 1, 64>(Same{}));
  of_words.add("words_copied_1024", sizes, taking<unsigned, unsigned, 1, 1024>(Same{}));
  of_words.add("words_backwards", sizes, taking<unsigned, unsigned, 1, 256>(Backwards{}));
  of_words.add("words_next", sizes, taking<unsigned, unsigned, 1, 256>(Next{}));
  of_words.add("words_neighbours", sizes, taking<unsigned, unsigned, 1, 256>(Neighbours{}));
  of_words.add("words_three", sizes, taking<unsigned, unsigned, 3, 256>(Three{}));
  of_words.add("words_three_out", sizes, putting<unsigned, 3, 256>(PutThree{}));
  of_words.add("words_walked", sizes,
               stream<unsigned, unsigned, 1, 1>([](const unsigned* in, unsigned* out, unsigned n) {
                 walked<<<std::min(blocks_of(n), 528u), kBlock>>>(in, out, n);
               }));
  of_words.add("words_eight", sizes,
               stream<unsigned, unsigned, 1, 1>([](const unsigned* in, unsigned* out, unsigned n) {
                 many<8, false><<<blocks_of(n / 8), kBlock>>>(in, out, n);
               }));
  of_words.add("words_eight_apart", sizes,
               stream<unsigned, unsigned, 1, 1>([](const unsigned* in, unsigned* out, unsigned n) {
                 many<8, true><<<blocks_of(n / 8), kBlock>>>(in, out, n);
               }));
  of_words.add("doubles_copied", sizes, taking<double, double, 1, 256>(Same{}));
  Set apart("apart", kernels);
  apart.add("apart_2", sizes, taking<unsigned, unsigned, 1, 256>(Apart<2>{}));
  apart.add("apart_7", sizes, taking<unsigned, unsigned, 1, 256>(Apart<7>{}));
  apart.add("apart_37", sizes, taking<unsigned, unsigned, 1, 256>(Apart<37>{}));
  apart.add("apart_1009", sizes, taking<unsigned, unsigned, 1, 256>(Apart<1009>{}));
  apart.add("apart_7_out", sizes, putting<unsigned, 1, 256>(PutApart<7>{}));
  apart.add("apart_37_out", sizes, putting<unsigned, 1, 256>(PutApart<37>{}));
  apart.add("apart_1009_out", sizes, putting<unsigned, 1, 256>(PutApart<1009>{}));
}

}  // namespace timing_set
