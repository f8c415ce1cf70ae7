// SPDX-License-Identifier: MIT
// What the families' tests (family_rungs.test.cpp) do not reach: operations that are not commutative,
// exclusive scans, segments by flag, key and label, many orders of the threads, and wrong variants.
#include <cstdlib>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "lessons/08_scan/any_size.cuh"
#include "lessons/08_scan/cut_long.cuh"
#include "lessons/08_scan/segmented_scan.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace lesson08;
using course::DeviceBuffer;

namespace {

std::vector<unsigned> random_maps(std::size_t n) {
  std::vector<unsigned> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<unsigned>(course::random_bits(5, i)) | 1u << 16;  // m odd: nothing is lost
  return x;
}

template <class Op, class T>
std::vector<T> expected(const std::vector<T>& x, bool exclusive) {
  std::vector<T> out(x.size());
  T sum = Op::identity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T next = Op{}(sum, x[i]);
    out[i] = exclusive ? sum : next;
    sum = next;
  }
  return out;
}

struct Words {
  DeviceBuffer<Word> words{4096};
  Words() { COURSE_CHECK(cudaMemset(words.data(), 0, words.bytes())); }
  Word* data() { return words.data(); }
};

// launch(in, n, out, words) on x, from every place in 16 bytes, must give `right`.
template <class T, class Launch>
void check_scan(const std::vector<T>& x, const std::vector<T>& right, Launch launch,
                std::initializer_list<std::size_t> shifts = {0, 1}) {
  Words words;
  for (const std::size_t shift : shifts) {
    std::vector<T> shifted(shift, T{77});
    shifted.insert(shifted.end(), x.begin(), x.end());
    DeviceBuffer<T> in(shifted), out(shifted.size() + 1);
    COURSE_CHECK(cudaMemset(out.data(), 0xcd, out.bytes()));
    launch(in.data() + shift, x.size(), out.data() + shift, words.data());
    COURSE_CHECK(cudaGetLastError());
    auto got = out.download();
    INFO("n " << x.size() << ", shift " << shift);
    const auto poison = got.back();
    CHECK((reinterpret_cast<const unsigned&>(poison) == 0xcdcdcdcd));
    got.pop_back();
    got.erase(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(shift));
    CHECK(got == right);
  }
}

template <class How, bool kExclusive>
auto pass(unsigned block) {
  return [block](const unsigned* in, std::size_t n, unsigned* out, Word* words) {
    const unsigned tiles = tiles_of(n, Tile<Compose, 1>::size(block));
    if (tiles > 0) one_pass<Compose, 1, How, kExclusive><<<tiles, block>>>(in, n, out, words);
  };
}

// Looking ahead with few small blocks, so that there are rounds.
void seven_blocks_ahead(const unsigned* in, std::size_t n, unsigned* out, Word* words) {
  using Mine = LookAhead<Compose, 64, 1, 5, 1, false>;
  launch_together(look_ahead<Compose, 64, 1, 5, 1>, 7, 64, sizeof(Mine::Shared), in, out, words,
                  Rounds::of(n, Mine::kTile, 7));
}

template <class Op>
__global__ void warp_scans(const unsigned* in, unsigned* inclusive, unsigned* exclusive) {
  inclusive[threadIdx.x] = warp_inclusive<Op>(in[threadIdx.x]);
  exclusive[threadIdx.x] = warp_exclusive<Op>(in[threadIdx.x]);
}

// As one text has it: lane 0 keeps what the shuffle gave it, its own value.
template <class Op>
__global__ void exclusive_without_lane_0(const unsigned* in, unsigned* exclusive) {
  exclusive[threadIdx.x] = from_left(warp_inclusive<Op>(in[threadIdx.x]), 1);
}

// The flag stays behind: the result of two pieces has none.
template <class Op>
struct FlagForgotten : Segmented<Op> {
  using Value = typename Segmented<Op>::Value;
  __host__ __device__ Value operator()(Value left, Value right) const {
    return {Segmented<Op>{}(left, right).value, right.head};
  }
};
template <class Pairs>
__global__ void warp_segmented(const int* in, const unsigned char* flags, int* out) {
  const unsigned i = threadIdx.x;
  out[i] = warp_inclusive<Pairs>({in[i], flags[i] != 0}).value;
}

void set_schedule(unsigned seed) {
  setenv("WARPLADDER_SCHEDULE", ("random:" + std::to_string(seed)).c_str(), 1);
  setenv("WARPLADDER_MEMORY", "weak", 1);
}
void usual_schedule() {
  unsetenv("WARPLADDER_SCHEDULE");
  unsetenv("WARPLADDER_MEMORY");
}

}  // namespace

TEST_CASE("a warp scans in order; lane 0 of an exclusive scan has the identity") {
  const auto x = random_maps(32);
  DeviceBuffer<unsigned> in(x), inclusive(32), exclusive(32), wrong(32);
  warp_scans<Compose><<<1, 32>>>(in.data(), inclusive.data(), exclusive.data());
  exclusive_without_lane_0<Compose><<<1, 32>>>(in.data(), wrong.data());
  CHECK(inclusive.download() == expected<Compose>(x, false));
  CHECK(exclusive.download() == expected<Compose>(x, true));
  CHECK(wrong.download()[0] == x[0]);
  CHECK(wrong.download() != expected<Compose>(x, true));
}

TEST_CASE("one pass keeps the order, however it learns its prefix") {
  for (const std::size_t n : {1, 127, 1029, 20011}) {
    const auto x = random_maps(n);
    const auto right = expected<Compose>(x, false);
    check_scan(x, right, pass<WaitForNeighbour, false>(64));
    check_scan(x, right, pass<LookBack<false>, false>(32));
    check_scan(x, right, pass<LookBack<true>, false>(32));
    check_scan(x, expected<Compose>(x, true), pass<LookBack<true>, true>(1024));
  }
}

TEST_CASE("all shapes keep the order") {
  for (const std::size_t n : {1, 511, 2047, 2048}) {
    const auto x = random_maps(n);
    const auto block = [](const unsigned* in, std::size_t k, unsigned* out, Word*) {
      one_block<Compose, 2, 256, true><<<1, 256>>>(in, static_cast<unsigned>(k), out);
    };
    check_scan(x, expected<Compose>(x, true), block);
  }
  for (const std::size_t n : {1, 128, 3001, 20011}) {
    const auto x = random_maps(n);
    const auto right = expected<Compose>(x, false);
    check_scan(x, right, [](const unsigned* in, std::size_t k, unsigned* out, Word* words) {
      launch_together(one_wave<Compose, 1, 32, 1>, tiles_of(k, 128), 32, 0, in, k, out, words);
    });
    if (support::device().sm < 90) continue;
    check_scan(x, right, &seven_blocks_ahead, {0, 4});
  }
}

TEST_CASE("segments begin anew at flags and at changes of the key, across tiles") {
  for (const std::size_t n : {1, 4097, 30011}) {
    const auto x = course::random_ints(n, 3);
    std::vector<unsigned char> flags(n);
    std::vector<unsigned> labels(n);
    std::vector<int> right(n), sums(n + 1, -1), right_sums(n + 1, -1);
    for (std::size_t i = 0; i < n; ++i) {
      flags[i] = course::random_bits(9, i) % 900 == 0;
      labels[i] = i == 0 ? 0 : labels[i - 1] + flags[i];
      const bool head = i == 0 || flags[i];
      right[i] = head ? x[i] : Plus<int>{}(right[i - 1], x[i]);
      right_sums[labels[i]] = right[i];
    }
    DeviceBuffer<unsigned char> on_flags(flags);
    DeviceBuffer<unsigned> keys(labels);
    DeviceBuffer<int> by_label(sums);
    using Op = Plus<int>;
    const auto by_flag = [&](const int* in, std::size_t k, int* out, Word* words) {
      launch_segmented_scan<Op>(in, k, HeadsByFlag{on_flags.data()}, EverySum<int>{out}, words);
    };
    const auto by_key = [&](const int* in, std::size_t k, int* out, Word* words) {
      launch_segmented_scan<Op>(in, k, HeadsByKey<unsigned>{keys.data()}, EverySum<int>{out},
                                words);
    };
    check_scan(x, right, by_flag, {0});
    check_scan(x, right, by_key, {0});
    Words words;
    DeviceBuffer<int> in(x);
    launch_segmented_scan<Op>(in.data(), n, HeadsByKey<unsigned>{keys.data()},
                              LastSum<int>{keys.data(), by_label.data()}, words.data());
    CHECK(by_label.download() == right_sums);
  }
}

TEST_CASE("without the flag a segmented scan adds across heads") {
  std::vector<int> x(32, 1), right(32);
  std::vector<unsigned char> flags(32);
  flags[5] = flags[9] = 1;
  for (int i = 0; i < 32; ++i) right[i] = i == 0 || flags[i] ? 1 : right[i - 1] + 1;
  DeviceBuffer<int> in(x), out(32);
  DeviceBuffer<unsigned char> on_flags(flags);
  warp_segmented<Segmented<Plus<int>>><<<1, 32>>>(in.data(), on_flags.data(), out.data());
  CHECK(out.download() == right);
  warp_segmented<FlagForgotten<Plus<int>>><<<1, 32>>>(in.data(), on_flags.data(), out.data());
  CHECK(out.download() != right);
}

// SCAN_SEEDS: how many orders of the threads are tried. The words are never cleared in between.
TEST_CASE("tickets and look-back hold in every order of the threads", "[schedules]") {
  const char* const asked = std::getenv("SCAN_SEEDS");
  const unsigned seeds = asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : 4;
  const auto x = random_maps(1531);
  const auto right = expected<Compose>(x, false);
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    set_schedule(seed);
    check_scan(x, right, pass<LookBack<true>, false>(32), {0});
    check_scan(x, right, pass<LookBack<false>, false>(32), {1});
    check_scan(x, right,
               [](const unsigned* in, std::size_t k, unsigned* out, Word* words) {
                 launch_together(one_wave<Compose, 1, 32, 1>, tiles_of(k, 128), 32, 0, in, k, out,
                                 words);
               },
               {0});
    if (support::device().sm >= 90) check_scan(x, right, &seven_blocks_ahead, {0});
    usual_schedule();
  }
}

// Whole numbers, so that every order of additions gives the same sum. The board is never cleared in between.
TEST_CASE("pieces of cut segments are all summed up, in every order of the threads",
          "[schedules]") {
  const char* const asked = std::getenv("SCAN_SEEDS");
  const unsigned seeds = asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : 4;
  const std::vector<unsigned> offsets{0, 0, 61, 700, 700, 705, 1000, 1100, 1100};
  const auto segments = static_cast<unsigned>(offsets.size() - 1);
  std::vector<float> x(1100), right(segments);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(course::random_bits(9, i) % 1000);
  for (unsigned s = 0; s < segments; ++s)
    for (unsigned i = offsets[s]; i < offsets[s + 1]; ++i) right[s] += x[i];
  DeviceBuffer<PieceBoard> board(1);
  COURSE_CHECK(cudaMemset(board.data(), 0, board.bytes()));
  const DeviceBuffer<float> in(x);
  const DeviceBuffer<unsigned> ends(offsets);
  DeviceBuffer<float> out(segments);
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    set_schedule(seed);
    COURSE_CHECK(cudaMemset(out.data(), 0xcd, out.bytes()));
    cut_long<64, 1, 2><<<3 + segments, 64>>>(
        SegmentedSum{in.data(), ends.data(), out.data(), x.size(), segments, nullptr},
        Cutting{100, 80, 3}, board.data());
    COURSE_CHECK(cudaGetLastError());
    CHECK(out.download() == right);
    usual_schedule();
  }
}

// Blocks may begin in any order. If a block takes its tile by its own number, those that are on the GPU
// may all wait for one that is not: here they begin from the end.
__global__ void by_block_number(const int* in, std::size_t n, int* out, Word* words) {
  extern __shared__ unsigned char most_of_the_memory[];
  Tile<Plus<int>, 1> tile;
  const Ticket me{gridDim.x - 1 - blockIdx.x, 0};
  const std::size_t first = me.tile * tile.size(32);
  tile.load(in + first, n - first, tile.size(32), true);
  const int prefix = WaitForNeighbour::prefix<Plus<int>>(words, me, tile.scan_in_warp());
  tile.store<false>(out + first, n - first, tile.size(32), true, prefix);
}

TEST_CASE("a tile by block number waits for ever", "[.][hang]") {
  if (!support::device().emulated) return;  // a GPU would not come back
  const auto blocks = static_cast<unsigned>(support::device().multiprocessors) + 8;
  DeviceBuffer<int> in(course::random_ints(128 * blocks, 1)), out(128 * blocks);
  Words words;
  constexpr int kBytes = 200 * 1024;  // one block per multiprocessor
  COURSE_CHECK(
      cudaFuncSetAttribute(by_block_number, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  by_block_number<<<blocks, 32, kBytes>>>(in.data(), in.size(), out.data(), words.data());
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  COURSE_CHECK(cudaDeviceReset());
  std::_Exit(0);  // the buffers are gone with the device
}
