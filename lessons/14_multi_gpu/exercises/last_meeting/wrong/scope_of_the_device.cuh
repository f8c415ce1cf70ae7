// SPDX-License-Identifier: MIT
// Wrong: the meetings have the scope of one GPU.
#pragma once

#include <cuda/atomic>

#include "lessons/14_multi_gpu/signals.cuh"

using lesson14::each;
using lesson14::meet;
using lesson14::Team;

struct DeviceScope : lesson14::SystemScope {
  static constexpr cuda::thread_scope kRaise = cuda::thread_scope_device,
                                      kLook = cuda::thread_scope_device;
};

// Adds in[0] to in[count - 1] into out[rank]. `mine` is in[rank]: the numbers that the next kernel of this GPU changes.
__global__ void add_all(Team team) {
  if (!meet<DeviceScope>(team, team.number)) return;
  each({0, team.n}, [&](std::size_t i) {
    float sum = 0;
    for (int r = 0; r < team.count; ++r) sum += team.in[r][i];
    team.out[team.rank][i] += sum;
  });
  meet<DeviceScope>(team, team.number + 1);
}

// The next kernel on the same stream.
__global__ void change(float* mine, std::size_t n) {
  each({0, n}, [&](std::size_t i) { mine[i] = -3 * mine[i]; });
}
