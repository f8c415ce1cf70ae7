// SPDX-License-Identifier: MIT
// The rungs of the family sum, from the shortest promise to the longest.
#pragma once

#include "lessons/09_precision/exact.cuh"
#include "lessons/09_precision/plain_ways.cuh"
#include "lessons/09_precision/reproducible.cuh"

namespace lesson09 {

using course::families::Rung;

inline constexpr Rung<Sums> kSumRungs[] = {
    {"running", "each thread adds one after the other, then trees", &launch_near<Running>},
    {"pairwise", "threads add in pairs too", &launch_near<Pairwise>},
    {"kahan", "each thread compensates; lost in the merge", &launch_near<Kahan>},
    {"two_sum", "the error is kept, through shuffles, blocks and grid", &launch_near<TwoSum>},
    {"in_double", "the sum is a double", &launch_near<InDouble>},
    {"reproducible", "the same bits in every order", &launch_reproducible},
    {"exact", "integers, rounded once at the end (ignores --block)", &launch_exact},
};

}  // namespace lesson09
