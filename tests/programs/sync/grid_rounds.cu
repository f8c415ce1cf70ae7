// Many rounds of grid.sync: heat spreads over a ring of cells, one barrier per step; also the
// arrive and wait halves.
#include <cooperative_groups.h>

#include <array>

#include "../check.cuh"
namespace cg = cooperative_groups;

__global__ void rounds(int* a, int* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = (a[i] + a[(i + 1) % n] + a[(i + n - 1) % n]) & 0xffff;
    if (step % 2 == 0) {
      grid.sync();
    } else {
      auto token = grid.barrier_arrive();
      grid.barrier_wait(static_cast<cg::grid_group::arrival_token&&>(token));
    }
    int* other = a;
    a = b;
    b = other;
  }
}

int main() {
  for (const auto& [blocks, n, steps] :
       {std::array{1, 1, 3}, std::array{4, 100, 10}, std::array{12, 1000, 7}}) {
    std::vector<int> cells(n), next(n);
    for (int i = 0; i < n; ++i) cells[i] = i == 0 ? 1000 : i % 3;
    int* a = upload(cells);
    int* b = upload(cells);
    int count = n, rounds_wanted = steps;
    void* args[] = {&a, &b, &count, &rounds_wanted};
    CHECK(
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rounds), blocks, 64, args, 0, nullptr));
    CHECK_KERNEL();
    for (int step = 0; step < steps; ++step, cells.swap(next))
      for (int i = 0; i < n; ++i)
        next[i] = (cells[i] + cells[(i + 1) % n] + cells[(i + n - 1) % n]) & 0xffff;
    report("rounds", download(steps % 2 ? b : a, n), cells);
  }
  return finish();
}
