// SPDX-License-Identifier: MIT
// Lesson 12. Work that nobody can share out beforehand: who does it, and how does everybody know that it is done?
//
// Families: tree     a forest that is found out by walking through it    levels.cuh, queued.cuh, persistent.cuh
//           refine   squares of a grid, cut where a circle cuts them      refine_job.cuh
//           paths    shortest paths from one vertex to all                paths_rounds.cuh, paths_job.cuh
#pragma once

#include "lessons/12_task_scheduler/levels.cuh"
#include "lessons/12_task_scheduler/paths_rounds.cuh"
#include "lessons/12_task_scheduler/persistent.cuh"
#include "lessons/12_task_scheduler/queued.cuh"
#include "lessons/12_task_scheduler/refine_job.cuh"

namespace lesson12 {

using course::families::Rung;

// A scheduler in the memory of a problem: blocks for the work that there is, queues as large as there is room for.
template <class S, class Problem>
S scheduler_for(const Problem& p, std::size_t tasks) {
  const std::size_t needed = tasks / (32 * S::kWarps) + 1;
  auto blocks = std::min<std::size_t>(needed, blocks_to_fill<S>(*p.device));
  // Every block needs room for its stacks and for 256 tasks in each queue.
  while (blocks > 1 && S::bytes(static_cast<unsigned>(blocks), 256) > p.memory_bytes) blocks /= 2;
  std::uint32_t capacity = S::kSteal ? 4096 : 1 << 17;  // nobody helps a block that keeps its share
  while (S::bytes(static_cast<unsigned>(blocks), capacity) > p.memory_bytes) capacity /= 2;
  return S(p.memory, static_cast<unsigned>(blocks), capacity);
}
template <class How>
void launch_tree_by(const TreeSearch& t) {
  static constexpr char kMark = 0;
  clear_totals(t);
  auto s = scheduler_for<Scheduler<TreeJob, How>>(t, t.node_count);
  if (*t.owner != &kMark) s.set_up();
  *t.owner = &kMark;
  s.roots = reinterpret_cast<const Task*>(t.roots);
  s.root_count = t.root_count;
  if constexpr (How::kSteal)
    run_to_the_end(s, TreeJob(t.rule, t.totals));
  else
    run_all(s, TreeJob(t.rule, t.totals));
}

// Changed: (the first) the roots are shared out, and a block keeps what comes of its share.
inline void launch_tree_static(const TreeSearch& t) { launch_tree_by<Apart>(t); }

// Changed: tasks stay with the warp that made them, in shared memory; only what is too much goes to a queue, 32 at
//          a time. The kernel ends by itself.
// Why:     most tasks never leave their multiprocessor, and a batch costs no operation on a shared word.
// Cost:    shared memory; a warp that is full must find room before it goes on.
inline void launch_tree_persistent(const TreeSearch& t) { launch_tree_by<Shared>(t); }

// Changed: (the first) squares of both kinds in one stack.
// Changed, with kByKind: a stack for each kind; a warp takes 32 tasks of one.
// Why:     lanes with different kinds of tasks run one after the other: a warp with one small square among large ones
//          waits for it.
// Cost:    two stacks; a kind of which there are few is run in smaller batches.
template <bool kByKind>
void launch_refine(const Refinement& r) {
  static constexpr char kMark = 0;
  COURSE_CHECK(cudaMemsetAsync(r.totals, 0, sizeof *r.totals));
  auto s = scheduler_for<Scheduler<RefineJob<kByKind>>>(r, r.squares);
  if (*r.owner != &kMark) s.set_up();
  *r.owner = &kMark;
  s.roots = reinterpret_cast<const Task*>(r.root);
  s.root_count = r.side > 0 ? 1 : 0;
  run_to_the_end(s, RefineJob<kByKind>(r));
}

// Changed: one launch. Tasks wait in stacks by stripe, and the nearest come first.
// Why:     nobody waits for a round to end: the next stripe begins where this one has run out.
// Cost:    the order is no longer exact: a warp that has nothing near goes on with what it has.
inline void launch_paths_urgent(const Paths& p) {
  static constexpr char kMark = 0;
  if (p.vertices == 0) return;
  auto* const words =
      reinterpret_cast<unsigned long long*>(p.memory);  // runs, stripe, the first task
  Paths rest = p;
  rest.memory += 256, rest.memory_bytes -= 256;
  auto s = scheduler_for<Scheduler<PathsJob>>(rest, p.vertices);
  if (*p.owner != &kMark) s.set_up();
  *p.owner = &kMark;
  COURSE_CHECK(cudaMemsetAsync(words, 0, 16));
  start_at_first<<<course::full_grid(*p.device, p.vertices, p.block), p.block>>>(p, words + 2);
  s.roots = words + 2;
  s.root_count = 1;
  run_to_the_end(s, PathsJob(p, reinterpret_cast<std::uint32_t*>(words + 1), words));
}

inline constexpr Rung<TreeSearch> kTreeRungs[] = {
    {"tree_static", "a share of the roots for every block (ignores --block)", &launch_tree_static},
    {"tree_levels", "one launch per level", &launch_tree_levels},
    {"tree_queue", "one queue for all", &launch_tree_queue},
    {"tree_steal", "queues for blocks, and stealing", &launch_tree_steal},
    {"tree_batches", "32 tasks at a time", &launch_tree_batches},
    {"tree_persistent", "stacks in shared memory, one launch (ignores --block)",
     &launch_tree_persistent},
    {"tree_list", "the same tasks from a list: no scheduling", &launch_tree_list},
};

inline constexpr Rung<Refinement> kRefineRungs[] = {
    {"refine_mixed", "large and small squares together (ignores --block)", &launch_refine<false>},
    {"refine_kinds", "32 squares of one kind (ignores --block)", &launch_refine<true>},
};
inline constexpr Rung<Paths> kPathsRungs[] = {
    {"paths_rounds", "a launch per round, everything at once", &launch_paths_rounds},
    {"paths_delta", "stripe by stripe, a launch per round", &launch_paths_delta},
    {.id = "paths_urgent",
     .idea = "one launch, the nearest first (scheduler ignores --block)",
     .launch = &launch_paths_urgent,
     .least_sm = 80},
};

inline const course::families::FamilyOf<TreeSearch> kTree("tree", "search of an unbalanced forest",
                                                          course::tree_choices(),
                                                          &course::make_tree, kTreeRungs);
inline const course::families::FamilyOf<Refinement> kRefine("refine",
                                                            "adaptive refinement of a grid",
                                                            course::refinement_choices(),
                                                            &course::make_refinement, kRefineRungs);
inline const course::families::FamilyOf<Paths> kPaths("paths", "shortest paths from one vertex",
                                                      course::paths_choices(), &course::make_paths,
                                                      kPathsRungs);
inline const course::families::Family* const kFamilies[] = {&kTree, &kRefine, &kPaths};
// A quarter of the usual n: one queue for all, and one CPU thread, take their time.
inline const course::families::Lesson kLesson{
    .name = "12_task_scheduler",
    .question = "Who does the work that nobody could share out?",
    .families = kFamilies,
    .default_n = 1 << 24,
    .emulated_n = 1 << 18};

}  // namespace lesson12
