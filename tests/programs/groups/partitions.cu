// Every way to partition a block: tiles of 32 to 1 and of 64 to 512, binary, labelled and coalesced
// groups; ranks and sizes.
#include <cooperative_groups.h>

#include "../check.cuh"
namespace cg = cooperative_groups;

__device__ int sum_by_shuffle(int size, int v, auto group) {
  for (int step = size / 2; step > 0; step /= 2) v += group.shfl_xor(v, step);
  return v;
}

// Rank, size and number of the tile, and the sum of the thread ranks in it, packed into one number.
template <int Size>
__device__ int describe() {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  int sum = 0;
  if constexpr (Size <= 32) sum = sum_by_shuffle(Size, threadIdx.x, tile);
  tile.sync();
  return tile.thread_rank() + 1000 * tile.meta_group_rank() +
         100000 * (tile.meta_group_size() + tile.num_threads()) + sum;
}

__global__ void tiles(int* out) {
  const int t = threadIdx.x, n = blockDim.x;
  out[0 * n + t] = describe<1>();
  out[1 * n + t] = describe<2>();
  out[2 * n + t] = describe<4>();
  out[3 * n + t] = describe<8>();
  out[4 * n + t] = describe<16>();
  out[5 * n + t] = describe<32>();
  out[6 * n + t] = describe<64>();
  out[7 * n + t] = describe<128>();
}

__global__ void others(int* out) {
  cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank(), n = block.size();
  auto warp = cg::tiled_partition<32>(block);
  // A tile whose size is known at run time only.
  auto eight = cg::tiled_partition(block, 8);
  out[0 * n + t] = eight.size() * 100 + eight.thread_rank();
  // Two groups by a predicate.
  auto even = cg::binary_partition(warp, t % 3 == 0);
  out[1 * n + t] = even.size() * 100 + even.thread_rank();
  // Groups of equal labels.
  auto same = cg::labeled_partition(warp, t % 5);
  out[2 * n + t] = same.size() * 100 + same.thread_rank() + 10000 * same.shfl(t, 0);
  // Whoever took the branch.
  out[3 * n + t] = -1;
  if (t % 32 < 20) {
    auto together = cg::coalesced_threads();
    auto pairs = cg::tiled_partition<2>(cg::tiled_partition<4>(warp));
    (void)pairs;
    out[3 * n + t] = together.any(t % 32 == 19) ? together.size() : 0;
  }
  // Votes and matches inside a tile of sixteen.
  auto half = cg::tiled_partition<16>(warp);
  out[4 * n + t] = half.ballot(t % 2 == 0) + (half.all(t >= 0) << 16) + (half.any(t == 5) << 17) +
                   (__popc(half.match_any(t % 4)) << 18);
  const dim3 index = block.thread_index(), place = block.group_index(), shape = block.group_dim();
  out[5 * n + t] = index.x + 1000 * place.x + 10000 * shape.x;
}

int main() {
  const int n = 128;
  int* out = upload(std::vector<int>(8 * n));
  tiles<<<1, n>>>(out);
  CHECK_KERNEL();
  std::vector<int> want;
  for (int size = 1; size <= 128; size *= 2)
    for (int t = 0; t < n; ++t) {
      const int first = t / size * size, sum = size <= 32 ? size * (2 * first + size - 1) / 2 : 0;
      want.push_back(t % size + 1000 * (t / size) + 100000 * (n / size + size) + sum);
    }
  report("tiles", download(out, 8 * n), want);

  others<<<1, n>>>(out);
  CHECK_KERNEL();
  want.assign(6 * n, 0);
  for (int t = 0; t < n; ++t) {
    const int base = t / 32 * 32;
    int group = 0, rank = 0, labelled = 0, label_rank = 0, first = -1;
    for (int u = base; u < base + 32; ++u) {
      if ((u % 3 == 0) == (t % 3 == 0)) ++group, rank += u < t;
      if (u % 5 == t % 5) ++labelled, label_rank += u < t, first = first < 0 ? u : first;
    }
    want[t] = 800 + t % 8;
    want[n + t] = group * 100 + rank;
    want[2 * n + t] = labelled * 100 + label_rank + 10000 * first;
    want[3 * n + t] = t % 32 < 20 ? 20 : -1;
    want[4 * n + t] = 0x5555 + (1 << 16) + ((t / 16 == 0) << 17) + (4 << 18);
    want[5 * n + t] = t + 10000 * n;
  }
  report("others", download(out, 6 * n), want);
  return finish();
}
