// SPDX-License-Identifier: MIT
// Lesson 08. Every element wants to know the sum of all before it. It looks like a loop, and can be had
// at nearly the speed of a copy.
//
// Families: scan       prefix sums of one array    several_passes.cuh, one_pass.cuh, look_ahead.cuh, any_size.cuh
//           segments   one sum for each segment    segments.cuh, even_shares.cuh, cut_long.cuh
// Segmented scans are in segmented_scan.cuh.
#pragma once

#include "common/arrays/cub_scan.hpp"
#include "common/arrays/cub_segments.hpp"
#include "lessons/08_scan/any_size.cuh"
#include "lessons/08_scan/look_ahead.cuh"
#include "lessons/08_scan/one_pass.cuh"
#include "lessons/08_scan/segments.cuh"
#include "lessons/08_scan/several_passes.cuh"

namespace lesson08 {

using course::families::Rung;

inline constexpr Rung<Scan> kScanRungs[] = {
    {"three_kernels", "blocks scan, their sums are scanned, then added", &launch_three_kernels},
    {"reduce_first", "first only sums: nothing is written twice", &launch_reduce_first},
    {"chained", "one pass: a tile waits for the prefix of the one before", &launch_chained},
    {"look_back", "a tile adds up sums until it finds a prefix", &launch_look_back},
    {"look_back_warp", "a warp looks back, 32 tiles at a step", &launch_look_back_warp},
    {"look_ahead", "sums told three rounds ahead, tiles copied in bulk (ignores --block)",
     &launch_look_ahead, nullptr, false, 90},
    {"any_size", "one block, cluster, wave or rounds, by n (ignores --block)", &launch_any_size},
};
inline constexpr Rung<Segments> kSegmentRungs[] = {
    {"per_block", "one block for each segment", &launch_per_block},
    {"per_warp", "one warp for each segment", &launch_per_warp},
    {"even_shares", "equal shares, sums handed over (ignores --block)", &launch_even_shares},
    {"cut_long", "a block for each, long ones in pieces (ignores --block)", &launch_cut_long},
    {"any_length", "even shares or a block for each, by length (ignores --block)",
     &launch_any_length},
};

inline const course::families::FamilyOf<Scan> kScan("scan", "prefix sums", course::scan_choices(),
                                                    &course::make_scan, kScanRungs,
                                                    {"cub::DeviceScan::InclusiveSum",
                                                     &course::cub_scan});
inline const course::families::FamilyOf<Segments> kSegments(
    "segments", "segmented sum of f32", course::segments_choices(), &course::make_segments,
    kSegmentRungs, {"cub::DeviceSegmentedReduce::Sum", &course::cub_segments});
inline const course::families::Family* const kFamilies[] = {&kScan, &kSegments};
inline const course::families::Lesson kLesson{
    "08_scan", "How can every element know what comes before it, at the speed of a copy?",
    kFamilies};

}  // namespace lesson08
