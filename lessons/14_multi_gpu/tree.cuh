// SPDX-License-Identifier: MIT
// All-reduce in a tree: sums go up to the first rank, the result comes down.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

namespace lesson14 {

// Changed: rank r adds what its children 2 r + 1 and 2 r + 2 send and sends it to its parent; the first rank's sum is the
//          result, which goes the same way down. In pieces, so that all levels work at once.
// Why:     2 log2(count) steps from the last leaf to the last leaf, instead of 2 (count - 1): what counts with hundreds
//          of ranks and few numbers.
// Cost:    a parent gets twice as much as it sends, so that its link in is the narrow place; with eight ranks the tree is
//          hardly shorter than two steps are.
template <class How = SystemScope>
__global__ void __launch_bounds__(kMostThreads, 1) tree(Team team) {
  constexpr int kPieces = 4;
  const Span all = span_of_block(team.n);
  const bool top = team.rank == 0;
  const int parent = (team.rank - 1) / 2, child = 2 * team.rank + 1,
            children = child + 1 < team.count ? 2 : child < team.count;
  const float *const mine = team.in[team.rank], *const sent = team.scratch[team.rank];
  float* const out = team.out[team.rank];
  if (team.count == 1) return copy(all, out, mine);  // no pieces where nobody waits for one
  Signals& heard = *team.signals[team.rank];
  // The room for what the second child sends lies behind that of the first.
  float* const up = top ? out : team.scratch[parent] + (team.rank % 2 == 1 ? 0 : team.n);
  const auto down = [&](std::size_t i, float sum) {
    for (int c = 0; c < children; ++c) team.out[child + c][i] = sum;
  };
  const auto tell_children = [&](unsigned number) {
    for (int c = 0; c < children; ++c)
      block_raises<How>(team.signals[child + c]->down[blockIdx.x], number);
  };

  for (int piece = 0; piece < kPieces; ++piece) {
    const unsigned number = team.number + 1 + piece;
    for (int c = 0; c < children; ++c)
      if (!block_waits<How>(heard.up[blockIdx.x][c], number, team, child + c)) return;
    add_up(
        part_of(all, piece, kPieces), 1 + children,
        [&](int a) { return a == 0 ? mine : sent + (a - 1) * team.n; },
        [&](std::size_t i, float sum) {
          up[i] = sum;
          if (top) down(i, sum);
        });
    if (top)
      tell_children(number);
    else
      block_raises<How>(team.signals[parent]->up[blockIdx.x][(team.rank - 1) % 2], number);
  }
  for (int piece = 0; piece < kPieces && !top; ++piece) {
    const unsigned number = team.number + 1 + piece;
    if (!block_waits<How>(heard.down[blockIdx.x], number, team, parent)) return;
    if (children > 0)
      add_up(
          part_of(all, piece, kPieces), 1, [&](int) { return out; }, down);
    tell_children(number);
  }
}

}  // namespace lesson14
