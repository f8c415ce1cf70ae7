// SPDX-License-Identifier: MIT
// What does it cost to hand over a message, within a warp and between two? Program
// 10_thread_scheduling.handover.
#include "lessons/10_thread_scheduling/handover.cuh"

#include <cstdio>
#include <cuda/barrier>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"

namespace {

using namespace lesson10;

// The library's barrier, which is an mbarrier too: who arrives gets a token, and waits with it.
struct LibraryBarriers {
  static constexpr int kThreads = 32;
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  struct Shared {
    alignas(Barrier) unsigned char memory[2 * kSlots][sizeof(Barrier)];
    __device__ Barrier& full(unsigned i) { return reinterpret_cast<Barrier&>(memory[i % kSlots]); }
    __device__ Barrier& empty(unsigned i) {
      return reinterpret_cast<Barrier&>(memory[kSlots + i % kSlots]);
    }
  };
  static __device__ void open(Shared& s) {
    for (unsigned i = 0; i < kSlots; ++i) {
      init(&s.full(i), 64);
      init(&s.empty(i), 64);
    }
  }
  // Both sides arrive; who has to wait does so with what arriving gave it.
  static __device__ void wait_empty(Shared& s, unsigned i) {
    if (i >= kSlots) s.empty(i).arrive_and_wait();
  }
  static __device__ void tell_full(Shared& s, unsigned i) { (void)s.full(i).arrive(); }
  static __device__ void wait_full(Shared& s, unsigned i) { s.full(i).arrive_and_wait(); }
  static __device__ void tell_empty(Shared& s, unsigned i) { (void)s.empty(i).arrive(); }
};

template <class Way>
bool add_row(course::Experiment& e, course::Table& table, const char* name) {
  const unsigned count = e.device.small ? 64 : 1u << 14;
  course::DeviceBuffer<unsigned> out(Way::kThreads);
  course::Stopwatch watch(e.device, course::Flush::None);
  COURSE_CHECK(cudaMemset(out.data(), 0xcd, out.bytes()));
  const auto timing = watch.measure([&] {
    hand_over<Way><<<1, 2 * Way::kThreads>>>(count, out.data());
    COURSE_CHECK(cudaGetLastError());
  });
  const auto got = out.download();
  for (unsigned rank = 0; rank < got.size(); ++rank) {
    if (got[rank] == right_answer<Way>(count, rank)) continue;
    std::printf("FAIL %s: consumer %u has heard something else\n", name, rank);
    return false;
  }
  table.rows.push_back({name, {1e3 * timing.median_us / count}});
  return true;
}

bool measure_handover(course::Experiment& e) {
  course::Table table{
      "messages",
      "A message of 32 words (16 within a warp), handed over and the slot given back",
      "ns",
      {"how", "each"}};
  const bool ok = add_row<Flags<true>>(e, table, "one warp, flags") &&
                  add_row<Flags<false>>(e, table, "two warps, flags") &&
                  add_row<Numbers>(e, table, "two warps, named barriers") &&
                  add_row<Mbarriers>(e, table, "two warps, mbarriers") &&
                  add_row<LibraryBarriers>(e, table, "two warps, cuda::barrier");
  e.add(std::move(table));
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"10_thread_scheduling", "handover",
                              "What does it cost to hand over a message?"};
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, measure_handover);
}
