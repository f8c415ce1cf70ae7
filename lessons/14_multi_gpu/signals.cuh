// SPDX-License-Identifier: MIT
// How a thread of one GPU tells a thread of another how far it is. A word lies in the memory of the one that waits, so
// that looking at it costs no trip over the link; the other writes it over the link, once.
#pragma once

#include <cuda/atomic>

#include "common/several_gpus/all_reduce.hpp"
#include "lessons/14_multi_gpu/numbers.cuh"

namespace lesson14 {

using course::AllReduce;
using course::kMostRanks;
using course::kMostThreads;
using course::Signals;

// How words are written and read. Across GPUs only one way is right; the tests run the kernels with others, each weaker
// in one place, and weak memory must show it.
struct SystemScope {
  static constexpr cuda::thread_scope kRaise = cuda::thread_scope_system,
                                      kLook = cuda::thread_scope_system;
  static constexpr cuda::memory_order kRelease = cuda::memory_order_release,
                                      kAcquire = cuda::memory_order_acquire;
};

// What a kernel of one rank knows: itself, and where everybody's memory is.
struct Team {
  int rank, count;
  const float* in[kMostRanks];
  float* out[kMostRanks];
  float* scratch[kMostRanks];
  Signals* signals[kMostRanks];
  unsigned* gave_up;  // this rank's
  std::size_t n;
  unsigned number;  // the first that this launch may use
  unsigned patience;

  __device__ int next() const { return rank + 1 < count ? rank + 1 : 0; }
  __device__ int before() const { return rank > 0 ? rank - 1 : count - 1; }
};

inline Team team_of(const AllReduce& task, int rank) {
  Team team{};
  team.rank = rank;
  team.count = task.ranks->count();
  for (int r = 0; r < team.count; ++r) {
    team.in[r] = task.in[r];
    team.out[r] = task.out[r];
    team.scratch[r] = task.scratch[r];
    team.signals[r] = task.signals[r];
  }
  team.gave_up = task.gave_up[rank];
  team.n = task.n;
  team.number = *task.numbers;
  team.patience = task.patience;
  return team;
}

// All that this thread has written, and knows of others (a barrier of the block lies before), is there for whoever sees
// the word.
template <class How>
__device__ void raise(unsigned& word, unsigned number) {
  cuda::atomic_ref<unsigned, How::kRaise>(word).store(number, How::kRelease);
}

constexpr std::uint64_t kSecond = 1'000'000'000;
__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// Until the word has this number, or one behind it. A GPU that has stopped never writes it: then the thread gives up
// after a second, notes for whom it has waited, and the host says so. The emulator's clock counts instructions: there it
// looks so many times. The difference is right when numbers begin again at 0.
template <class How>
__device__ bool wait_for(unsigned& word, unsigned number, const Team& team, int whom) {
  const cuda::atomic_ref<unsigned, How::kLook> watched(word);
  const std::uint64_t begun = nanoseconds();
  for (unsigned looks = 0; looks < team.patience && nanoseconds() - begun < kSecond; ++looks) {
    if (static_cast<int>(watched.load(How::kAcquire) - number) >= 0) return true;
    __nanosleep(20);  // others of this multiprocessor may have something to do
  }
  *team.gave_up = 1 + static_cast<unsigned>(whom);
  return false;
}

// Block b of every rank meets block b of all others: a thread for each of them tells it, and waits for it.
// false: somebody did not come, and the block must end.
template <class How>
__device__ bool meet(const Team& team, unsigned number) {
  __syncthreads();
  bool missed = false;
  const int whom = static_cast<int>(threadIdx.x);
  if (whom < team.count && whom != team.rank) {
    raise<How>(team.signals[whom]->arrived[blockIdx.x][team.rank], number);
    missed = !wait_for<How>(team.signals[team.rank]->arrived[blockIdx.x][whom], number, team, whom);
  }
  return !__syncthreads_or(missed);
}

// One thread waits for all of the block. false: in vain.
template <class How>
__device__ bool block_waits(unsigned& word, unsigned number, const Team& team, int whom) {
  bool missed = false;
  if (threadIdx.x == 0) missed = !wait_for<How>(word, number, team, whom);
  return !__syncthreads_or(missed);
}
// One thread tells it, when all of the block are done.
template <class How>
__device__ void block_raises(unsigned& word, unsigned number) {
  __syncthreads();
  if (threadIdx.x == 0) raise<How>(word, number);
}

// A kernel on every rank, with numbers that nobody has used.
using Kernel = void (*)(Team);
inline void launch_on_all(const AllReduce& task, Kernel kernel) {
  constexpr unsigned kNumbersOfALaunch = 256;
  task.ranks->fork();
  for (int r = 0; r < task.ranks->count(); ++r) {
    const course::OnDevice here((*task.ranks)[r].device);
    kernel<<<static_cast<unsigned>(task.blocks), static_cast<unsigned>(task.block), 0,
             (*task.ranks)[r].stream>>>(team_of(task, r));
    COURSE_CHECK(cudaGetLastError());
  }
  task.ranks->join();
  *task.numbers += kNumbersOfALaunch;
}

}  // namespace lesson14
