// SPDX-License-Identifier: MIT
// Lesson 09. A sum of floats depends on the order in which it is added. How wrong is it, and what does it
// cost to have it right?
//
// Families: sum       one array, by ways of adding that promise more and more   plain_ways.cuh, reproducible.cuh, exact.cuh
//           rmsnorm   rows divided by their root mean square                     rmsnorm.cuh, long_rows.cuh
#pragma once

#include "lessons/09_precision/long_rows.cuh"
#include "lessons/09_precision/sum_rungs.cuh"

namespace lesson09 {

inline constexpr Rung<RmsNorm> kRmsNormRungs[] = {
    {"two_passes", "a block per row, each element read twice", &launch_two_passes},
    {"vector_loads", "loads and stores of 16 bytes", &launch_vector_loads},
    {"in_registers", "a row stays in registers: one read", &launch_in_registers},
    {"several_rows", "short rows: a few lanes each", &launch_several_rows},
    {"clusters", "long rows: a cluster each", &launch_with_clusters, nullptr, false, 90},
    {"any_shape", "rows and columns decide (ignores --block)", &launch_any_shape},
};

inline const course::families::FamilyOf<Sums> kSums("sum", "one sum", course::sums_choices(),
                                                    &course::make_sums, kSumRungs);
inline const course::families::FamilyOf<RmsNorm> kRmsNorm("rmsnorm", "RMSNorm of rows",
                                                          course::rmsnorm_choices(),
                                                          &course::make_rmsnorm, kRmsNormRungs);
inline const course::families::Family* const kFamilies[] = {&kSums, &kRmsNorm};
inline const course::families::Lesson kLesson{
    "09_precision", "What is a correct sum, and what does it cost?", kFamilies};

}  // namespace lesson09
