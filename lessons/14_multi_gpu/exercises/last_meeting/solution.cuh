// SPDX-License-Identifier: MIT
// Exercise last_meeting: every GPU adds the numbers of all, and may then change its own.
//
// Launched with one block of 32 threads on each of `count` GPUs at the same time; add_all() twice, with other numbers.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

using lesson14::each;
using lesson14::meet;
using lesson14::SystemScope;
using lesson14::Team;

// Adds in[0] to in[count - 1] into out[rank]. `mine` is in[rank]: the numbers that the next kernel of this GPU changes.
__global__ void add_all(Team team) {
  if (!meet<SystemScope>(team, team.number)) return;
  each({0, team.n}, [&](std::size_t i) {
    float sum = 0;
    for (int r = 0; r < team.count; ++r) sum += team.in[r][i];
    team.out[team.rank][i] += sum;
  });
  // <solution>
  meet<SystemScope>(team, team.number + 1);
  // <starter>
  //| // TODO: this GPU is done. Are the others?
  // </solution>
}

// The next kernel on the same stream.
__global__ void change(float* mine, std::size_t n) {
  each({0, n}, [&](std::size_t i) { mine[i] = -3 * mine[i]; });
}
