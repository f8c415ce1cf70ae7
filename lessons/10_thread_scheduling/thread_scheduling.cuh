// SPDX-License-Identifier: MIT
// Lesson 10. Since Volta every lane has a program counter of its own. What that costs, what it promises,
// and what a warp may still not assume.
//
// Families: ways      elements that need different code        ways.cuh, ways_sorted.cuh
//           stencil   copying and computing at the same time   stencil.cuh, stencil_apart.cuh
#pragma once

#include "lessons/10_thread_scheduling/stencil.cuh"
#include "lessons/10_thread_scheduling/stencil_apart.cuh"
#include "lessons/10_thread_scheduling/ways.cuh"
#include "lessons/10_thread_scheduling/ways_sorted.cuh"

namespace lesson10 {

using course::families::Rung;

inline constexpr Rung<Ways> kWaysRungs[] = {
    {"way_branch", "each lane branches to its element's way", &launch_way_branch},
    {"way_all", "no branch: every lane goes all ways and keeps one", &launch_way_all},
    {"way_sorted", "a block sorts by way first: a warp has one", &launch_way_sorted},
    {"way_constants", "one way for all, whose constants differ", &launch_way_constants},
};
inline constexpr Rung<Stencil> kStencilRungs[] = {
    {"st_direct", "each thread reads all its neighbours", &launch_st_direct},
    {"st_staged", "copy a tile, barrier, compute, barrier", &launch_st_staged},
    {"st_async", "copies of later tiles in flight, by all threads", &launch_st_async},
    {"st_named", "a warp copies, eight compute; named barriers (ignores --block)",
     &launch_st_apart<NamedBarriers>, nullptr, false, 80},
    {"st_mbarrier", "the same with mbarriers: the copy itself arrives (ignores --block)",
     &launch_st_apart<ByMbarrier<false>>, nullptr, false, 80},
    {"st_bulk", "one lane asks for a whole tile (ignores --block)",
     &launch_st_apart<ByMbarrier<true>>, nullptr, false, 90},
};

inline const course::families::FamilyOf<Ways> kWays("ways", "elements on ways of their own",
                                                    course::ways_choices(), &course::make_ways,
                                                    kWaysRungs);
inline const course::families::FamilyOf<Stencil> kStencil("stencil", "weighted sums of neighbours",
                                                          course::stencil_choices(),
                                                          &course::make_stencil, kStencilRungs);
inline const course::families::Family* const kFamilies[] = {&kWays, &kStencil};
inline const course::families::Lesson kLesson{"10_thread_scheduling",
                                              "What may a warp assume since Volta?", kFamilies};

}  // namespace lesson10
