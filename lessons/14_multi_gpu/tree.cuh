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
__global__ void tree(Team team) {
  constexpr int kPieces = 4;
  const Span all = span_of_block(team.n);
  const int child[2] = {2 * team.rank + 1, 2 * team.rank + 2}, parent = (team.rank - 1) / 2;
  const float* const mine = team.in[team.rank];
  float* const out = team.out[team.rank];
  Signals& heard = *team.signals[team.rank];
  // The room for what the second child sends lies behind that of the first.
  float* const up =
      team.rank > 0 ? team.scratch[parent] + (team.rank % 2 == 1 ? 0 : team.n) : nullptr;
  for (int piece = 0; piece < kPieces; ++piece) {
    for (int c = 0; c < 2; ++c)
      if (child[c] < team.count &&
          !block_waits<How>(heard.up[blockIdx.x][c], team.number + 1 + piece, team, child[c]))
        return;
    each(part_of(all, piece, kPieces), [&](std::size_t i) {
      float sum = mine[i];
      for (int c = 0; c < 2; ++c)
        if (child[c] < team.count) sum += team.scratch[team.rank][c * team.n + i];
      (team.rank > 0 ? up : out)[i] = sum;
    });
    if (team.rank > 0)
      block_raises<How>(team.signals[parent]->up[blockIdx.x][(team.rank - 1) % 2],
                        team.number + 1 + piece);
  }
  for (int piece = 0; piece < kPieces; ++piece) {
    if (team.rank > 0 &&
        !block_waits<How>(heard.down[blockIdx.x], team.number + 1 + piece, team, parent))
      return;
    for (int c = 0; c < 2; ++c) {
      if (child[c] >= team.count) continue;
      each(part_of(all, piece, kPieces), [&](std::size_t i) { team.out[child[c]][i] = out[i]; });
      block_raises<How>(team.signals[child[c]]->down[blockIdx.x], team.number + 1 + piece);
    }
  }
}

}  // namespace lesson14
