// SPDX-License-Identifier: MIT
// Look-back in flight: every tile writes down what it tells and what it finds, in the order in which it
// happens. Program 08_scan.flight; scripts/record_flight.py makes the chapter's picture of it.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "lessons/08_scan/one_pass.cuh"

namespace {

using namespace lesson08;
using course::DeviceBuffer;
using Op = Plus<int>;

constexpr unsigned kTiles = 12, kThreads = 32, kMostEvents = 1024;

enum class What : unsigned { kTold, kWaits, kFinds };
struct Event {
  unsigned tile;  // whose
  What what;
  unsigned other;   // of which tile's word; its own where it tells
  Meaning meaning;  // what the word says
};
// The order of all events: a number for each.
struct Log {
  Event* events;
  unsigned* count;
  __device__ void write(Event event) const {
    const unsigned at = atomicAdd(count, 1u);
    if (at < kMostEvents) events[at] = event;
  }
};

// look_back_alone, with a log.
__device__ int look_back_and_log(Word* words, Ticket me, Log log) {
  int right = 0;
  for (unsigned tile = me.tile; tile-- > 0;) {
    auto m = look_at<int>(words, tile, me.launch);
    if (m.meaning == Meaning::kNothing) log.write({me.tile, What::kWaits, tile, m.meaning});
    while (m.meaning == Meaning::kNothing) m = look_at<int>(words, tile, me.launch);
    log.write({me.tile, What::kFinds, tile, m.meaning});
    right += m.value;
    if (m.meaning == Meaning::kPrefix) break;
  }
  return right;
}

__global__ void recorded(const int* in, std::size_t n, int* out, Word* words, Log log) {
  __shared__ Ticket ticket;
  Tile<Op, 1> tile;
  if (threadIdx.x == 0) ticket = take_ticket(words, gridDim.x);
  __syncthreads();
  const Ticket me = ticket;
  const std::size_t size = tile.size(kThreads), first = me.tile * size;
  tile.load(in + first, n - first, size, true);
  const int sum = tile.scan_in_warp();
  int before = 0;
  if (threadIdx.x == 0) {
    const auto tell = [&](Meaning meaning, int value) {
      log.write({me.tile, What::kTold, me.tile, meaning});  // first: then nobody finds it before
      publish<int>(words, me, {meaning, value});
    };
    if (me.tile > 0) {
      tell(Meaning::kSum, sum);
      before = look_back_and_log(words, me, log);
    }
    tell(Meaning::kPrefix, before + sum);
  }
  tile.store<false>(out + first, n - first, size, true, from_lane(before, 0));
}

bool show_flight(course::Experiment&) {
  constexpr std::size_t kSize = Tile<Op, 1>::size(kThreads) * kTiles;
  const auto x = course::random_ints(kSize, 1);
  DeviceBuffer<int> in(x), out(kSize);
  DeviceBuffer<Word> words(words_for(kTiles));
  DeviceBuffer<Event> events(kMostEvents);
  DeviceBuffer<unsigned> count(1);
  COURSE_CHECK(cudaMemset(words.data(), 0, words.bytes()));
  COURSE_CHECK(cudaMemset(count.data(), 0, count.bytes()));
  recorded<<<kTiles, kThreads>>>(in.data(), kSize, out.data(), words.data(),
                                 {events.data(), count.data()});
  COURSE_CHECK(cudaGetLastError());
  const unsigned happened = std::min<unsigned>(count.download()[0], kMostEvents);
  const auto all = events.download(happened);
  std::printf("\nevent  tile  what it does\n");
  for (unsigned i = 0; i < happened; ++i) {
    const auto& e = all[i];
    const char* const word = e.meaning == Meaning::kPrefix ? "prefix" : "sum";
    if (e.what == What::kTold) std::printf("%5u  %4u  tells its %s\n", i, e.tile, word);
    if (e.what == What::kWaits) std::printf("%5u  %4u  waits for tile %u\n", i, e.tile, e.other);
    if (e.what == What::kFinds)
      std::printf("%5u  %4u  finds the %s of tile %u\n", i, e.tile, word, e.other);
  }
  const auto got = out.download();
  int right = 0;
  for (std::size_t i = 0; i < kSize; ++i)
    if (got[i] != (right = Op{}(right, x[i]))) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment({.lesson = "08_scan",
                                 .name = "flight",
                                 .about = "Look-back, written down as it happens.",
                                 .takes_json = false},
                                argc, argv, show_flight);
}
