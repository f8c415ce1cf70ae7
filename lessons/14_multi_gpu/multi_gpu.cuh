// SPDX-License-Identifier: MIT
// Lesson 14. Several GPUs add their numbers: how they reach each other, how they wait for each other, and how many bytes
// go over which link.
//
// Families: gather       the result on the first GPU   sum_on_first.cuh
//           all_reduce   the result on all of them     ring.cuh, direct.cuh, tree.cuh; waiting: signals.cuh
#pragma once

#include "common/several_gpus/nccl.hpp"
#include "lessons/14_multi_gpu/direct.cuh"
#include "lessons/14_multi_gpu/ring.cuh"
#include "lessons/14_multi_gpu/sum_on_first.cuh"
#include "lessons/14_multi_gpu/tree.cuh"

namespace lesson14 {

using course::families::Rung;

// Changed: (the first) as sum_host; then the result is copied to all GPUs.
inline void all_host(const AllReduce& t) {
  if (t.n == 0) return;
  const course::Ranks& ranks = *t.ranks;
  collect_on_host(t);
  {
    const course::OnDevice first(ranks[0].device);
    COURSE_CHECK(cudaEventRecord(ranks[0].done, ranks[0].stream));
  }
  for (int r = 0; r < ranks.count(); ++r) {
    const course::OnDevice here(ranks[r].device);
    COURSE_CHECK(cudaStreamWaitEvent(ranks[r].stream, ranks[0].done, 0));
    COURSE_CHECK(
        cudaMemcpyAsync(t.out[r], t.host, bytes_of(t.n), cudaMemcpyHostToDevice, ranks[r].stream));
  }
  ranks.join();
}

template <Kernel kKernel>
void on_all(const AllReduce& task) {
  launch_on_all(task, kKernel);
}

inline const char* needs_peers(const AllReduce& task) { return task.ranks->no_peers(); }

inline constexpr Rung<AllReduce> kSumRungs[] = {
    {"sum_host", "through the host, which adds", &sum_host},
    {"sum_copies", "copies to the first GPU, which adds", &sum_copies},
    {"sum_peers", "the first GPU reads the memory of the others", &sum_peers, &needs_peers},
    {"sum_overlap", "copies in pieces, while the piece before is added", &sum_overlap},
};
inline constexpr Rung<AllReduce> kAllReduceRungs[] = {
    {"all_host", "through the host, which adds", &all_host},
    {"all_ring", "parts go round a ring of GPUs, twice", &on_all<&ring<>>, &needs_peers},
    {"all_two_step", "each adds its part, then all read all parts", &on_all<&two_step<>>,
     &needs_peers},
    {"all_one_shot", "each reads everything and adds it itself", &on_all<&one_shot<>>,
     &needs_peers},
    {"all_tree", "sums go up a tree, the result comes down", &on_all<&tree<>>, &needs_peers},
};

inline const course::families::FamilyOf<AllReduce> kSum("gather",
                                                        "sum of several GPUs' numbers on the first",
                                                        course::all_reduce_choices(),
                                                        &course::make_sum_of_ranks, kSumRungs);
inline const course::families::FamilyOf<AllReduce> kAllReduce(
    "all_reduce", "sum of several GPUs' numbers on all", course::all_reduce_choices(),
    &course::make_all_reduce, kAllReduceRungs,
    {"ncclAllReduce", &course::nccl_all_reduce, &course::no_nccl, "nccl"});
inline const course::families::Family* const kFamilies[] = {&kSum, &kAllReduce};
inline const course::families::Lesson kLesson{"14_multi_gpu", "What does a second GPU change?",
                                              kFamilies, 1u << 24, 1u << 16};

}  // namespace lesson14
