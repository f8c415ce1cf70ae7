// SPDX-License-Identifier: MIT
// What each vote and each match returns, on small numbers, and what it costs. Program
// 07_vote_and_match.votes.
#include <cstdio>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/07_vote_and_match/lanes.cuh"

namespace {

using course::DeviceBuffer;
using namespace lesson07;

// ---- what they return

// Every lane's answers. Lane i has the value i / 8: 0, 1, 2 or 3, eight lanes each.
struct Answers {
  unsigned all_below_4, all_below_3, any_is_3, ballot_odd, match, match_all, rank;
  int all_match;
};
__global__ void ask(Answers* answers) {
  const unsigned v = lane() / 8;
  Answers a;
  a.all_below_4 = __all_sync(kAllLanes, v < 4);
  a.all_below_3 = __all_sync(kAllLanes, v < 3);
  a.any_is_3 = __any_sync(kAllLanes, v == 3);
  a.ballot_odd = __ballot_sync(kAllLanes, v % 2);
  a.match = __match_any_sync(kAllLanes, v);
  a.match_all = __match_all_sync(kAllLanes, v, &a.all_match);
  a.rank = rank_in(a.match);
  answers[lane()] = a;
}
// The same question, asked in a branch by those who take it: the mask names them, and nobody else.
__global__ void ask_some(unsigned* answers) {
  const bool mine = lane() >= 16;
  const Mask takers = __ballot_sync(kAllLanes, mine);  // before the branch, by all
  answers[lane()] = 0;
  if (mine) answers[lane()] = __ballot_sync(takers, lane() % 2);
}

bool show(const course::Device&) {
  DeviceBuffer<Answers> answers(32);
  ask<<<1, 32>>>(answers.data());
  COURSE_CHECK(cudaGetLastError());
  const auto a = answers.download();
  DeviceBuffer<unsigned> some(32);
  ask_some<<<1, 32>>>(some.data());
  COURSE_CHECK(cudaGetLastError());
  const auto s = some.download();
  std::printf("\nLane i has v = i / 8. Bit i of a mask is lane i.\n");
  std::printf("  __all_sync(all, v < 4)           every lane gets %u\n", a[0].all_below_4);
  std::printf("  __all_sync(all, v < 3)           every lane gets %u\n", a[0].all_below_3);
  std::printf("  __any_sync(all, v == 3)          every lane gets %u\n", a[0].any_is_3);
  std::printf("  __ballot_sync(all, v %% 2)        every lane gets 0x%08x\n", a[0].ballot_odd);
  std::printf("  __match_any_sync(all, v)         lane 0 gets 0x%08x, lane 31 gets 0x%08x\n",
              a[0].match, a[31].match);
  std::printf("  __match_all_sync(all, v, &same)  every lane gets 0x%08x, same %d\n",
              a[0].match_all, a[0].all_match);
  std::printf("  lanes before me with my v        lane 8 has %u, lane 15 has %u\n", a[8].rank,
              a[15].rank);
  std::printf(
      "  __ballot_sync(takers, i %% 2)     lanes 16 to 31 get 0x%08x: only they take part\n",
      s[16]);
  bool ok = a[0].all_below_4 == 1 && a[0].all_below_3 == 0 && a[0].any_is_3 == 1 &&
            a[0].ballot_odd == 0xff00ff00u && a[0].match_all == 0 && s[16] == 0xaaaa0000u;
  for (unsigned i = 0; i < 32; ++i)
    ok = ok && a[i].match == 0xffu << i / 8 * 8 && a[i].rank == i % 8;
  return ok;
}

// ---- what they cost

struct All {
  static __device__ unsigned step(unsigned v) { return v + __all_sync(kAllLanes, v); }
};
struct Any {
  static __device__ unsigned step(unsigned v) { return v + __any_sync(kAllLanes, v); }
};
struct Ballot {
  static __device__ unsigned step(unsigned v) { return v ^ __ballot_sync(kAllLanes, v & 1); }
};
// All lanes different (each gets its own bit back), or all alike.
struct MatchAnyDifferent {
  static __device__ unsigned step(unsigned v) {
    return __match_any_sync(kAllLanes, v & 31) | (v & ~31u) | lane();
  }
};
struct MatchAnyAlike {
  static __device__ unsigned step(unsigned v) {
    return v & ~31u & __match_any_sync(kAllLanes, v & ~63u);
  }
};
struct MatchAll {
  static __device__ unsigned step(unsigned v) {
    int same = 0;
    return v ^ (__match_all_sync(kAllLanes, v & ~63u, &same) & 32u);
  }
};
struct PopulationCount {
  static __device__ unsigned step(unsigned v) { return v ^ __popc(v); }
};

constexpr int kUnroll = 16;
template <class Operation>
__global__ void chain(int rounds, long long* cycles, unsigned* result) {
  unsigned v = lane();
  long long spent = 0;
  for (int pass = 0; pass < 2; ++pass) {  // the first brings the instructions
    __syncthreads();
    const long long start = clock64();
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) v = Operation::step(v);
    }
    spent = clock64() - start;
  }
  result[threadIdx.x] = v;  // or the compiler would drop the chain
  if (threadIdx.x == 0) *cycles = spent;
}
template <class Operation>
double cycles_per_step(const course::Device& device, int threads) {
  const int rounds = device.emulated ? 1 : 64, runs = device.emulated ? 1 : 7;
  DeviceBuffer<long long> cycles(1);
  DeviceBuffer<unsigned> result(1024);
  std::vector<double> seen;
  for (int i = 0; i < runs; ++i) {
    chain<Operation><<<1, threads>>>(rounds, cycles.data(), result.data());
    COURSE_CHECK(cudaGetLastError());
    seen.push_back(static_cast<double>(cycles.download()[0]) / (rounds * kUnroll));
  }
  return course::summarise(seen).median_us;
}
template <class Operation>
void add_row(course::Table& table, const char* name, const course::Device& device) {
  course::TableRow row{name, {}};
  for (const int threads : {32, 256, 1024})
    row.values.push_back(cycles_per_step<Operation>(device, threads));
  table.rows.push_back(std::move(row));
}

bool measure(course::Experiment& e) {
  const bool ok = show(e.device);
  if (!ok) std::printf("FAIL: a vote or a match gave another answer\n");
  course::Table table{"cost",
                      "A vote or a match that needs the result of the one before, and one addition",
                      "cycles",
                      {"operation", "1 warp", "8 warps", "32 warps"}};
  add_row<PopulationCount>(table, "population count", e.device);
  add_row<All>(table, "__all_sync", e.device);
  add_row<Any>(table, "__any_sync", e.device);
  add_row<Ballot>(table, "__ballot_sync", e.device);
  add_row<MatchAll>(table, "__match_all_sync", e.device);
  add_row<MatchAnyAlike>(table, "__match_any_sync, all alike", e.device);
  add_row<MatchAnyDifferent>(table, "__match_any_sync, all different", e.device);
  e.add(std::move(table));
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "votes", "What votes and matches return, and what they cost."}, argc,
      argv, measure);
}
