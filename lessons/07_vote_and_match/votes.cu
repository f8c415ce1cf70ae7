// SPDX-License-Identifier: MIT
// What each vote and each match returns, on small numbers, and what it costs. Program
// 07_vote_and_match.votes.
#include <cstdio>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "lessons/04_warp_shuffle/chain.cuh"
#include "lessons/07_vote_and_match/lanes.cuh"

namespace {

using course::DeviceBuffer;
using lesson04::chain_row;
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

// A chain that begins with the lane's number.
struct FromLane {
  static __device__ unsigned begin() { return lane(); }
};
struct All : FromLane {
  static __device__ unsigned step(unsigned v, unsigned*) { return v + __all_sync(kAllLanes, v); }
};
struct Any : FromLane {
  static __device__ unsigned step(unsigned v, unsigned*) { return v + __any_sync(kAllLanes, v); }
};
struct Ballot : FromLane {
  static __device__ unsigned step(unsigned v, unsigned*) {
    return v ^ __ballot_sync(kAllLanes, v & 1);
  }
};
// All lanes different (each gets its own bit back), or all alike.
struct MatchAnyDifferent : FromLane {
  static __device__ unsigned step(unsigned v, unsigned*) {
    return __match_any_sync(kAllLanes, v & 31) | (v & ~31u) | lane();
  }
};
struct MatchAnyAlike : FromLane {
  static __device__ unsigned step(unsigned v, unsigned*) {
    return v & ~31u & __match_any_sync(kAllLanes, v & ~63u);
  }
};
struct MatchAll : FromLane {
  static __device__ unsigned step(unsigned v, unsigned*) {
    int same = 0;
    // The same in all lanes, which the compiler must not find out.
    return v + (__match_all_sync(kAllLanes, v - lane(), &same) & 32u);
  }
};
struct PopulationCount : FromLane {
  static __device__ unsigned step(unsigned v, unsigned*) { return v ^ __popc(v); }
};

bool measure_votes(course::Experiment& e) {
  const bool ok = show(e.device);
  if (!ok) std::printf("FAIL: a vote or a match gave another answer\n");
  course::Table table{"cost",
                      "A vote or a match that needs the result of the one before, and one addition",
                      lesson04::clock_unit(e.device),
                      {"operation", "1 warp", "8 warps", "32 warps"}};
  table.rows.push_back(chain_row<PopulationCount>(e.device, "population count"));
  table.rows.push_back(chain_row<All>(e.device, "__all_sync"));
  table.rows.push_back(chain_row<Any>(e.device, "__any_sync"));
  table.rows.push_back(chain_row<Ballot>(e.device, "__ballot_sync"));
  table.rows.push_back(chain_row<MatchAll>(e.device, "__match_all_sync"));
  table.rows.push_back(chain_row<MatchAnyAlike>(e.device, "__match_any_sync, all alike"));
  table.rows.push_back(chain_row<MatchAnyDifferent>(e.device, "__match_any_sync, all different"));
  e.add(std::move(table));
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "votes", "What votes and matches return, and what they cost."}, argc,
      argv, measure_votes);
}
