// SPDX-License-Identifier: MIT
// Lesson 05. Groups say who works together: lanes, a block, a cluster of blocks, the whole grid. With
// them one kernel does the whole sum, at the speed of the memory.
//
// Rungs: tile_reduce   the block sum of lesson 04 with named groups        tiles.cuh
//        coalesced     whoever is here adds together; atomics finish       tiles.cuh
//        last_block    the block with the last ticket finishes             one_launch.cuh
//        grid_sync     all blocks wait for all, the first one finishes     one_launch.cuh
//        cluster       eight blocks share their shared memory              one_launch.cuh
//        async_copy    a copy engine fills shared memory ahead of time     async_copy.cuh
//        collect       sums handed over in one word, no fence, no ticket   collect.cuh
//        roofline      the same, in the right shape for every n            roofline.cuh
#pragma once

#include "lessons/05_cooperative_groups/async_copy.cuh"
#include "lessons/05_cooperative_groups/collect.cuh"
#include "lessons/05_cooperative_groups/one_launch.cuh"
#include "lessons/05_cooperative_groups/roofline.cuh"
#include "lessons/05_cooperative_groups/tiles.cuh"

namespace lesson05 {

inline constexpr course::Rung kRungs[] = {
    {"tile_reduce", "named groups: a block, its tiles of 32, cg::reduce",
     &launch_tile_reduce<float>, &launch_tile_reduce<int>, &depth_in_two_levels},
    {"coalesced", "whoever is here forms a group; one atomicAdd per group, no second pass",
     &launch_coalesced<float>, &launch_coalesced<int>, &depth_with_atomics},
    {"last_block", "one launch: the block with the last ticket adds the partial sums",
     &launch_last_block<float>, &launch_last_block<int>, &depth_in_two_levels},
    {"grid_sync", "one cooperative launch: all blocks wait for all, the first one adds",
     &launch_grid_sync<float>, &launch_grid_sync<int>, &depth_of_grid_sync},
    {"cluster", "eight blocks add in each other's shared memory: an eighth of the tickets",
     &launch_cluster<float>, &launch_cluster<int>, &depth_of_cluster, 90},
    {"async_copy", "a copy engine fills shared memory while the threads add",
     &launch_async_copy<float>, &launch_async_copy<int>, &depth_with_rings, 90},
    {"collect", "value and flag in one word: block 0 takes the sums over, no fence, no ticket",
     &launch_collect<float>, &launch_collect<int>, &depth_in_two_levels},
    {"roofline", "the right shape for every n (ignores --block)", &launch_roofline<float>,
     &launch_roofline<int>, &depth_of_roofline},
};
inline constexpr course::Lesson kLesson{
    "05_cooperative_groups", "Who may synchronise with whom, and how far up can one kernel go?",
    kRungs};

}  // namespace lesson05
