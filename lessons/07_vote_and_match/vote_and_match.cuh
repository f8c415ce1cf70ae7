// SPDX-License-Identifier: MIT
// Lesson 07. The lanes of a warp vote, and find others with the same value. With that they count and
// sort out together what each alone would pay an atomic for.
//
// Families: histogram   how often each value occurs            histogram*.cuh
//           select      the wanted elements, moved together    select*.cuh, look_back.cuh
#pragma once

#include "common/arrays/cub_histogram.hpp"
#include "common/arrays/cub_select.hpp"
#include "lessons/07_vote_and_match/histogram.cuh"
#include "lessons/07_vote_and_match/histogram_best.cuh"
#include "lessons/07_vote_and_match/histogram_exchanged.cuh"
#include "lessons/07_vote_and_match/histogram_lanes.cuh"
#include "lessons/07_vote_and_match/histogram_wide.cuh"
#include "lessons/07_vote_and_match/select.cuh"
#include "lessons/07_vote_and_match/select_ordered.cuh"
#include "lessons/07_vote_and_match/select_staged.cuh"
#include "lessons/07_vote_and_match/select_waves.cuh"

namespace lesson07 {

using course::families::Rung;

inline constexpr Rung<Histogram> kHistogramRungs[] = {
    {"hist_global", "an atomic in global memory for each sample", &launch_hist_global},
    {"hist_shared", "a table in shared memory for each block", &launch_hist_shared,
     &refuses_one_table},
    {"hist_warp", "a table for each warp", &launch_hist_warp, &refuses_warp_tables},
    {"hist_vector", "16-byte loads, four in flight", &launch_hist_vector, &refuses_warp_tables},
    {"hist_match", "lanes with the same sample add once", &launch_hist_match, &refuses_warp_tables},
    {"hist_lanes", "a counter for each lane, in its own bank; one launch", &launch_hist_lanes,
     &refuses_lanes},
    {"hist_wide", "all shared memory for one table (ignores --block)", &launch_hist_wide,
     &refuses_one_table},
    {"hist_cluster", "two blocks share a table (ignores --block)", &launch_hist_cluster,
     &refuses_bytes, false, 90},
    {"hist_packed", "two counters of 16 bits in a word, carries seen (ignores --block)",
     &launch_hist_packed, &refuses_bytes},
    {"hist_exchanged", "tables to memory, each block adds up its bins (ignores --block)",
     &launch_hist_exchanged, &refuses_exchange},
    {"hist_best", "the right one for the sample, the bins and n (ignores --block)",
     &launch_hist_best},
};
inline constexpr Rung<Select> kSelectRungs[] = {
    {"sel_atomic", "an atomic for each wanted element", &launch_sel_atomic, nullptr, true},
    {"sel_ballot", "a vote, and an atomic for each warp", &launch_sel_ballot, nullptr, true},
    {"sel_block", "an atomic for each block", &launch_sel_block, nullptr, true},
    {"sel_ordered", "tiles in order: each looks back for its place", &launch_sel_ordered},
    {"sel_staged", "registers, loads ahead, wide stores (ignores --block)", &launch_sel_staged},
    {"sel_waves", "all blocks at once, each hears all others (ignores --block)", &launch_sel_waves,
     &refuses_waves},
};

inline const course::families::FamilyOf<Histogram> kHistogram(
    "histogram", "histogram", course::histogram_choices(), &course::make_histogram, kHistogramRungs,
    {"cub::DeviceHistogram::HistogramEven", &course::cub_histogram});
inline const course::families::FamilyOf<Select> kSelect(
    "select", "compaction of u32", course::select_choices(), &course::make_select, kSelectRungs,
    {"cub::DeviceSelect::If", &course::cub_select});
inline const course::families::Family* const kFamilies[] = {&kHistogram, &kSelect};
inline const course::families::Lesson kLesson{
    "07_vote_and_match", "How does a warp decide together, and count without queueing?", kFamilies};

}  // namespace lesson07
