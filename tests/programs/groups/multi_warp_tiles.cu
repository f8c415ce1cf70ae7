// Tiles larger than a warp (64 to 512 threads): they synchronise, shuffle, vote, reduce and scan
// through memory that the block lends them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "../check.cuh"
namespace cg = cooperative_groups;

constexpr int kBlock = 1024, kRow = 6;

template <int Size>
__global__ void tiles(const int* in, int* out) {
  __shared__ cg::block_tile_memory<kBlock> lent;
  const auto block = cg::this_thread_block(lent);
  const auto tile = cg::tiled_partition<Size>(block);
  const int v = in[threadIdx.x];
  int* row = out + kRow * threadIdx.x;
  row[0] = cg::reduce(tile, v, cg::plus<int>());
  row[1] = cg::inclusive_scan(tile, v);
  row[2] = tile.shfl(v, Size - 3);
  row[3] = tile.any(v == 7) * 2 + tile.all(v < 990);
  row[4] = tile.meta_group_rank() * 10000 + tile.thread_rank();
  // Only every other tile goes on: the rest must not be waited for.
  if (tile.meta_group_rank() % 2 == 0) {
    tile.sync();
    row[5] = cg::reduce(tile, v, cg::less<int>());
  }
}

template <int Size>
void test() {
  std::vector<int> in(kBlock), want(kRow * kBlock);
  for (int t = 0; t < kBlock; ++t) in[t] = noise(t) % 1000;
  for (int t = 0; t < kBlock; ++t) {
    const int first = t / Size * Size;
    int sum = 0, before = 0, low = 1000, any = 0, all = 1;
    for (int u = first; u < first + Size; ++u) {
      sum += in[u], low = std::min(low, in[u]), any |= in[u] == 7, all &= in[u] < 990;
      if (u <= t) before += in[u];
    }
    const int row[] = {sum,
                       before,
                       in[first + Size - 3],
                       any * 2 + all,
                       t / Size * 10000 + t % Size,
                       t / Size % 2 == 0 ? low : 0};
    std::copy(row, row + kRow, want.begin() + kRow * t);
  }
  int* const device = upload(in);
  int* const out = upload(std::vector<int>(kRow * kBlock));
  tiles<Size><<<1, kBlock>>>(device, out);
  CHECK_KERNEL();
  char what[32];
  std::snprintf(what, sizeof what, "tiles of %d", Size);
  report(what, download(out, kRow * kBlock), want);
}

int main() {
  test<64>();
  test<128>();
  test<256>();
  test<512>();
  return finish();
}
