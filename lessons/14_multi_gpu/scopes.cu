// SPDX-License-Identifier: MIT
// What does a wider scope cost? Two threads of one GPU hand a word back and forth, with the scope of the block, of the GPU and
// of the system; and where there are two GPUs, a thread of each does.
#include <cuda/atomic>

#include "common/program/experiment.cuh"
#include "common/several_gpus/ranks.hpp"
#include "common/timing.cuh"

namespace lesson14::scopes {

using course::Experiment;

// Thread `side` of two: waits for its own word, writes the other's. `rounds` times there and back.
template <cuda::thread_scope kScope>
__device__ void play(unsigned* mine, unsigned* theirs, int side, unsigned rounds, unsigned first,
                     unsigned patience) {
  const cuda::atomic_ref<unsigned, kScope> heard(*mine), told(*theirs);
  for (unsigned k = 1; k <= rounds; ++k) {
    const unsigned number = first + k;
    if (side == 0) told.store(number, cuda::memory_order_release);
    unsigned looks = 0;
    while (heard.load(cuda::memory_order_acquire) != number)
      if (++looks == patience) return;
    if (side == 1) told.store(number, cuda::memory_order_release);
  }
}

// Two warps of a block, or two blocks.
template <cuda::thread_scope kScope, bool kOneBlock>
__global__ void to_and_fro(unsigned* words, unsigned rounds, unsigned first, unsigned patience) {
  const int side = static_cast<int>(kOneBlock ? threadIdx.x / 32 : blockIdx.x);
  if (threadIdx.x % 32 != 0) return;
  play<kScope>(words + 64 * side, words + 64 * (1 - side), side, rounds, first, patience);
}
// One side of two GPUs.
__global__ void one_side(unsigned* mine, unsigned* theirs, int side, unsigned rounds,
                         unsigned first, unsigned patience) {
  play<cuda::thread_scope_system>(mine, theirs, side, rounds, first, patience);
}

struct Game {
  unsigned rounds, patience;
  unsigned first = 0;
};

template <class Launch>
double ns_of_a_way(Experiment& e, Game& game, Launch launch) {
  course::Stopwatch watch(e.device, course::Flush::None);
  const auto timing = watch.measure(
      [&] {
        launch(game);
        game.first += game.rounds;
      },
      e.reps);
  return timing.median_us * 1e3 / (2.0 * game.rounds);
}

std::optional<double> between_two(Experiment& e, Game game) {
  if (course::device_count() < 2) return std::nullopt;
  const course::Ranks ranks(2);
  if (ranks.no_peers()) return std::nullopt;
  const course::RankBuffer<unsigned> a(ranks[0].device, 64), b(ranks[1].device, 64);
  unsigned* words[2] = {a->data(), b->data()};
  a->upload(std::vector<unsigned>(64)), b->upload(std::vector<unsigned>(64));
  return ns_of_a_way(e, game, [&](const Game& g) {
    ranks.fork();
    for (int side = 0; side < 2; ++side) {
      const course::OnDevice here(ranks[side].device);
      one_side<<<1, 1, 0, ranks[side].stream>>>(words[side], words[1 - side], side, g.rounds,
                                                g.first, g.patience);
      COURSE_CHECK(cudaGetLastError());
    }
    ranks.join();
  });
}

bool measure_scopes(Experiment& e) {
  Game game{e.device.small ? 16u : 1000u, e.device.small ? 100'000u : 1u << 24};
  course::DeviceBuffer<unsigned> words(std::vector<unsigned>(128));
  course::Table table{
      "scopes", "A word handed over, one way", "ns", {"between", "block", "device", "system"}};
  constexpr auto kBlock = cuda::thread_scope_block, kDevice = cuda::thread_scope_device,
                 kSystem = cuda::thread_scope_system;
  const auto time = [&](auto* kernel, int blocks, int threads) {
    return ns_of_a_way(e, game, [&](const Game& g) {
      kernel<<<blocks, threads>>>(words.data(), g.rounds, g.first, g.patience);
    });
  };
  table.rows.push_back(
      {"two warps of a block",
       {time(&to_and_fro<kBlock, true>, 1, 64), time(&to_and_fro<kDevice, true>, 1, 64),
        time(&to_and_fro<kSystem, true>, 1, 64)}});
  table.rows.push_back({"two blocks",
                        {std::nullopt, time(&to_and_fro<kDevice, false>, 2, 32),
                         time(&to_and_fro<kSystem, false>, 2, 32)}});
  table.rows.push_back({"two GPUs", {std::nullopt, std::nullopt, between_two(e, game)}});
  e.add(std::move(table));
  return true;
}

}  // namespace lesson14::scopes

int main(int argc, char** argv) {
  course::want_devices();
  course::ExperimentInfo info{"14_multi_gpu", "scopes", "What does a wider scope cost?"};
  info.takes_reps = true;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, lesson14::scopes::measure_scopes);
}
