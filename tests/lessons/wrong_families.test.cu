// SPDX-License-Identifier: MIT
// Kernels of lesson 07 that are wrong on purpose: the judge of their family must refuse each. And what
// happens too rarely to be met by chance: counters of 16 bits that run over.
#include <array>
#include <vector>

#include "common/device_buffer.cuh"
#include "lessons/07_vote_and_match/histogram_best.cuh"
#include "lessons/07_vote_and_match/select_waves.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace families = course::families;
using course::Histogram;
using course::Select;
using namespace lesson07;

namespace {

// Samples before and behind the vectors are left out.
void hist_lost_tail(const Histogram& h) {
  const auto x = as_vectors(static_cast<const std::uint32_t*>(h.in), h.n);
  Histogram whole = h;
  whole.in = x.in + x.before;
  whole.n = x.count * kPerVector<std::uint32_t>;
  launch_hist_best(whole);
}
// Nobody clears the result.
void hist_not_cleared(const Histogram& h) {
  hist_global<<<4, h.block>>>(static_cast<const std::uint32_t*>(h.in), h.n, h.bins, h.counts);
}
// A sample that is no bin is counted in another.
__global__ void wrap(const std::uint32_t* in, std::size_t n, std::uint32_t bins,
                     std::uint32_t* counts) {
  each_sample(in, n, [&](std::uint32_t sample, bool there) {
    if (there) atomicAdd(counts + sample % bins, 1u);
  });
}
void hist_strays(const Histogram& h) {
  clear_counts(h);
  wrap<<<4, h.block>>>(static_cast<const std::uint32_t*>(h.in), h.n, h.bins, h.counts);
}
// The words are not left as they were found: the next launch finds the flag of this one.
void hist_flag_kept(const Histogram& h) {
  launch_hist_best(h);
  COURSE_CHECK(cudaMemset(h.words + 1, 1, 4));
}
// A warp's own count is added to its place: elements move one tile too far.
__global__ void blind(Select s) {
  each_element(s, [&](std::uint32_t v, bool there) {
    const bool mine = there && wanted(v, s.threshold);
    const Mask takers = __ballot_sync(kAllLanes, mine);
    std::uint64_t first = 0;
    if (lane() == 0) first = reserve(s, __popc(takers));
    if (mine) s.out[first + rank_in(takers)] = v;  // only lane 0 knows where the places begin
  });
}
void sel_nobody_is_told(const Select& s) { launch_select(&blind, s); }
// Tickets and tiles keep what they said: a second launch has no tile left.
void sel_words_kept(const Select& s) {
  launch_sel_ordered(s);
  COURSE_CHECK(cudaMemset(s.words, 1, 8));
}

template <class Task>
bool refused(const families::Rung<Task>& rung, typename families::FamilyOf<Task>::Make make,
             std::span<const course::Choice> choices, const course::Chosen& chosen,
             std::size_t n = 3001) {
  const std::array<families::Rung<Task>, 1> rungs{rung};
  const families::FamilyOf<Task> family("wrong", "wrong", choices, make, rungs);
  const auto bench = family.prepare({support::device(), n, 128, 1, chosen});
  return !families::verify(*bench, family.rungs()[0], 0, n).verdict.ok;
}
bool refused(void (*launch)(const Histogram&), const char* input) {
  return refused<Histogram>({"wrong", "is wrong", launch}, &course::make_histogram,
                            course::histogram_choices(),
                            {{"sample", "u32"}, {"bins", "64"}, {"input", input}});
}
bool refused(void (*launch)(const Select&), bool any_order = false, std::size_t n = 3001) {
  return refused<Select>({"wrong", "is wrong", launch, nullptr, any_order}, &course::make_select,
                         course::select_choices(), {{"keep", "50"}}, n);
}

// One block counts all of x in 65,536 bins.
std::vector<std::uint32_t> packed_counts(const std::vector<std::uint32_t>& x) {
  course::DeviceBuffer<std::uint32_t> in(x), counts(65536);
  course::DeviceBuffer<unsigned> words(course::kHistogramWords);
  COURSE_CHECK(cudaMemset(words.data(), 0, words.bytes()));
  COURSE_CHECK(cudaMemset(counts.data(), 0xcd, counts.bytes()));
  const Histogram h{in.data(),     4,    x.size(),     65536,
                    counts.data(), 1024, words.data(), &support::device()};
  launch_once(h, in.data(), &hist_packed<4>, 1, table_bytes(65536 / 2));
  return counts.download();
}

}  // namespace

TEST_CASE("right kernels pass") {
  CHECK_FALSE(refused(&launch_hist_best, "stray"));
  CHECK_FALSE(refused(&launch_sel_ordered));
  CHECK_FALSE(refused(&launch_sel_ballot, true));
}

// The shape for inputs over 2^21 elements, on fewer, with more rounds than stages.
TEST_CASE("large tiles of sel_waves, many rounds") {
  if (TileRing<1024, 4, 3>::kBytes > most_shared_bytes()) return;
  CHECK_FALSE(refused(&launch_waves<1024, 4, 3, 1>, false, 100003));
  CHECK_FALSE(refused(&launch_waves<1024, 4, 3, 1>, false, 132 * 16384 * 4 + 77));
}

TEST_CASE("wrong histograms are refused") {
  CHECK(refused(&hist_lost_tail, "uniform"));
  CHECK(refused(&hist_not_cleared, "uniform"));
  CHECK(refused(&hist_strays, "stray"));
  CHECK_FALSE(refused(&hist_strays, "uniform"));  // only strays show it
  CHECK(refused(&hist_flag_kept, "constant"));
}

TEST_CASE("wrong compactions are refused") {
  CHECK(refused(&sel_nobody_is_told));
  CHECK(refused(&sel_nobody_is_told, true));
  CHECK(refused(&sel_words_kept));
}

TEST_CASE("two counters of 16 bits in a word run over, each by itself") {
  std::vector<std::uint32_t> x(400001);
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const std::uint32_t pair[] = {5, 5 + 32768, i * 2654435761u >> 16, 5};
    x[i] = i < 100000 ? 70 : pair[i % 4];  // first runs of one value, then neighbours in one word
  }
  std::vector<std::uint32_t> truth(65536);
  course::cpu_histogram(std::span<const std::uint32_t>(x), std::span(truth), 1);
  REQUIRE(truth[5] > 2 * 65536);
  REQUIRE(truth[5 + 32768] > 65536);
  REQUIRE(truth[70] > 65536);
  CHECK(packed_counts(x) == truth);
}
