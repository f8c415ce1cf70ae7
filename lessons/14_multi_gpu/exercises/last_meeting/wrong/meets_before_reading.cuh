// SPDX-License-Identifier: MIT
// Wrong: the second meeting comes before the numbers are read.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

using lesson14::each;
using lesson14::meet;
using lesson14::SystemScope;
using lesson14::Team;

// Adds in[0] to in[count - 1] into out[rank]. `mine` is in[rank]: the numbers that the next kernel of this GPU changes.
__global__ void add_all(Team team) {
  if (!meet<SystemScope>(team, team.number)) return;
  meet<SystemScope>(team, team.number + 1);
  each({0, team.n}, [&](std::size_t i) {
    float sum = 0;
    for (int r = 0; r < team.count; ++r) sum += team.in[r][i];
    team.out[team.rank][i] += sum;
  });
}

// The next kernel on the same stream.
__global__ void change(float* mine, std::size_t n) {
  each({0, n}, [&](std::size_t i) { mine[i] = -3 * mine[i]; });
}
