// SPDX-License-Identifier: MIT
// Where the elements are that neighbouring threads read or write: down the columns of a matrix, every eighth, the same for
// many threads, anywhere.
#include "families.hpp"
#include "stream.cuh"

namespace timing_set {
namespace {

// The matrix of `Width` columns is read, or written, down its columns.
template <unsigned Width>
__host__ __device__ unsigned down(unsigned i, unsigned size) {
  const unsigned rows = size / Width;
  return i % rows * Width + i / rows;
}
// A place that looks random; each occurs once, as `size` is a power of two.
__host__ __device__ inline unsigned anywhere(unsigned i, unsigned size) {
  unsigned place = i * 0x9e3779b1u % size;
  place = (place ^ place >> 7) * 0x85ebca6bu % size;
  return place ^ place >> 9;
}

#define PLACE(name, ...)                                                                 \
  struct name {                                                                          \
    static __host__ __device__ unsigned of(unsigned i, [[maybe_unused]] unsigned size) { \
      return __VA_ARGS__;                                                                \
    }                                                                                    \
  }
PLACE(Column32, down<32>(i, size));
PLACE(Column1000, down<1000>(i, size));
PLACE(Column1024, down<1024>(i, size));
PLACE(Column4096, down<4096>(i, size));
PLACE(Every2, 2 * i);
PLACE(Every8, 8 * i);
PLACE(Every16, 16 * i);
PLACE(Every32, 32 * i);
PLACE(ForWarp, i / 32);
PLACE(ForThousand, i / 1000);
PLACE(RoundThousand, i % 1000);
PLACE(RoundHundredThousand, i % 100000);
PLACE(Anywhere, mixed(i) % size);
PLACE(AnywhereOnce, anywhere(i, size));
PLACE(AnywhereNear, (i & ~1023u) + mixed(i) % 1024 < size ? (i & ~1023u) + mixed(i) % 1024 : i);
PLACE(SwappedInSector, i ^ 5);
PLACE(SwappedInLine, i ^ 21);
#undef PLACE

template <class Place>
struct Taken {
  template <class T>
  __host__ __device__ T operator()(const T* in, unsigned i, unsigned size) const {
    return in[Place::of(i, size)];
  }
};
template <class Place>
struct PutAt {
  __host__ __device__ void operator()(unsigned* out, unsigned i, unsigned x, unsigned size) const {
    out[Place::of(i, size)] = x;
  }
};
// Sixteen bytes at once; `In` and the sizes count words.
template <class Place>
__global__ void fours(const uint4* in, uint4* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = in[Place::of(i, n)];
}
template <class Place>
std::function<Problem(unsigned)> taking_fours() {
  return stream<unsigned, unsigned, 1, 1>(
      [](const unsigned* in, unsigned* out, unsigned n) {
        fours<Place><<<blocks_of(n / 4), kBlock>>>(reinterpret_cast<const uint4*>(in),
                                                   reinterpret_cast<uint4*>(out), n / 4);
      },
      [](const unsigned* in, unsigned* out, unsigned n) {
        for (unsigned i = 0; i < n; ++i) out[i] = in[Place::of(i / 4, n / 4) * 4 + i % 4];
      });
}
template <class Place>
std::function<Problem(unsigned)> words_from() {
  return taking<unsigned, unsigned, 1>(Taken<Place>{});
}
template <class Place>
std::function<Problem(unsigned)> words_to() {
  return putting<unsigned, 1>(PutAt<Place>{});
}

}  // namespace

void add_places(std::vector<Kernel>& kernels) {
  const std::vector<unsigned> sizes = {20000, 1000000, 12000000},
                              powers = {1 << 14, 1 << 20, 3 << 22},
                              once = {1 << 14, 1 << 20, 1 << 23}, fewer = {5000, 200000, 2000000};
  Set columns("columns", kernels);
  columns.add("columns_32", sizes, words_from<Column32>());
  columns.add("columns_1000", sizes, words_from<Column1000>());
  columns.add("columns_1024", powers, words_from<Column1024>());
  columns.add("columns_4096", powers, words_from<Column4096>());
  columns.add("columns_32_out", sizes, words_to<Column32>());
  columns.add("columns_1000_out", sizes, words_to<Column1000>());
  columns.add("columns_1024_out", powers, words_to<Column1024>());
  columns.add("columns_fours", sizes, taking_fours<Column1000>());
  Set every("every", kernels);
  every.add("every_8", fewer, taking<unsigned, unsigned, 8>(Taken<Every8>{}));
  every.add("every_32", fewer, taking<unsigned, unsigned, 32>(Taken<Every32>{}));
  every.add("every_2_out", sizes, putting<unsigned, 2>(PutAt<Every2>{}));
  every.add("every_8_out", fewer, putting<unsigned, 8>(PutAt<Every8>{}));
  every.add("every_16_out", fewer, putting<unsigned, 16>(PutAt<Every16>{}));
  every.add("every_32_out", fewer, putting<unsigned, 32>(PutAt<Every32>{}));
  Set same("same", kernels);
  same.add("same_for_warp", sizes, words_from<ForWarp>());
  same.add("same_for_thousand", sizes, words_from<ForThousand>());
  same.add("same_round_thousand", sizes, words_from<RoundThousand>());
  same.add("same_round_100000", sizes, words_from<RoundHundredThousand>());
  same.add("same_sector", powers, words_from<SwappedInSector>());
  same.add("same_line", powers, words_from<SwappedInLine>());
  Set of_anywhere("anywhere", kernels);
  of_anywhere.add("anywhere_words", sizes, words_from<Anywhere>());
  of_anywhere.add("anywhere_bytes", sizes, taking<unsigned char, unsigned, 1>(Taken<Anywhere>{}));
  of_anywhere.add("anywhere_near", sizes, words_from<AnywhereNear>());
  of_anywhere.add("anywhere_fours", sizes, taking_fours<Anywhere>());
  of_anywhere.add("anywhere_out", once, words_to<AnywhereOnce>());
  of_anywhere.add("anywhere_near_out", powers, words_to<SwappedInLine>());
}

}  // namespace timing_set
