// CUB inside a kernel: load, sort, scan, exchange and reduce within a block and within a warp.
#include <algorithm>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <numeric>

#include "../check.cuh"

constexpr int kBlock = 96, kItems = 5, kTile = kBlock * kItems;

// n values of a tile: their inclusive sums, and the block's total.
__global__ void scan(const int* in, int n, int* sums, int* total) {
  using Load = cub::BlockLoad<int, kBlock, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<int, kBlock, cub::BLOCK_SCAN_RAKING>;
  using Store = cub::BlockStore<int, kBlock, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage load;
    Scan::TempStorage scan;
    Store::TempStorage store;
  } shared;
  int items[kItems], sum = 0;
  Load(shared.load).Load(in, items, n, 0);
  __syncthreads();
  Scan(shared.scan).InclusiveSum(items, items, sum);
  __syncthreads();
  Store(shared.store).Store(sums, items, n);
  if (threadIdx.x == 0) *total = sum;
}

// Sorts the tile's keys downwards and says where each came from.
__global__ void sort(const float* in, float* keys, int* from) {
  using Sort = cub::BlockRadixSort<float, kBlock, kItems, int>;
  __shared__ Sort::TempStorage shared;
  float key[kItems];
  int index[kItems];
  for (int i = 0; i < kItems; ++i) {
    index[i] = static_cast<int>(threadIdx.x) * kItems + i;
    key[i] = in[index[i]];
  }
  Sort(shared).SortDescendingBlockedToStriped(key, index);
  for (int i = 0; i < kItems; ++i) {
    keys[i * kBlock + threadIdx.x] = key[i];
    from[i * kBlock + threadIdx.x] = index[i];
  }
}

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

// Eight lanes sort 8 * kItems values; sixteen lanes add; the block takes the greatest of the first
// `valid` threads.
__global__ void small_groups(const int* in, int* sorted, int* sums, int valid, int* highest) {
  using Sort = cub::WarpMergeSort<int, kItems, 8>;
  using Sum = cub::WarpReduce<int, 16>;
  using Highest = cub::BlockReduce<int, kBlock>;
  __shared__ Sort::TempStorage sort_shared[kBlock / 8];
  __shared__ Sum::TempStorage sum_shared[kBlock / 16];
  __shared__ Highest::TempStorage highest_shared;
  int items[kItems];
  for (int i = 0; i < kItems; ++i) items[i] = in[threadIdx.x * kItems + i];
  const int sum = Sum(sum_shared[threadIdx.x / 16]).Sum(items[0]);
  if (threadIdx.x % 16 == 0) sums[threadIdx.x / 16] = sum;
  const int high = Highest(highest_shared).Reduce(items[0], cuda::maximum<>{}, valid);
  if (threadIdx.x == 0) *highest = high;
  Sort(sort_shared[threadIdx.x / 8]).Sort(items, Less{});
  for (int i = 0; i < kItems; ++i) sorted[threadIdx.x * kItems + i] = items[i];
}

int main() {
  std::vector<int> in(kTile);
  for (int i = 0; i < kTile; ++i) in[i] = static_cast<int>(noise(i) % 2001) - 1000;
  int* const device = upload(in);
  int* const total = upload(std::vector<int>(1));

  for (const int n : {1, 33, kTile - 1, kTile}) {
    int* const sums = upload(std::vector<int>(n));
    scan<<<1, kBlock>>>(device, n, sums, total);
    CHECK_KERNEL();
    std::vector<int> want(n);
    std::partial_sum(in.begin(), in.begin() + n, want.begin());
    report("sums", download(sums, n), want);
    report("total", n, download(total, 1)[0], want.back());
  }

  std::vector<float> keys(kTile);
  for (int i = 0; i < kTile; ++i) keys[i] = static_cast<float>(in[i] / 8) * 0.25f;
  float* const sorted_keys = upload(keys);
  int* const from = upload(in);
  sort<<<1, kBlock>>>(sorted_keys, sorted_keys, from);
  CHECK_KERNEL();
  std::vector<int> order(kTile);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] > keys[b]; });
  std::vector<float> want_keys(kTile);
  for (int i = 0; i < kTile; ++i) want_keys[i] = keys[order[i]];
  report("sorted keys", download(sorted_keys, kTile), want_keys);
  report("their origin", download(from, kTile), order);

  int* const sorted = upload(in);
  int* const sums = upload(std::vector<int>(kBlock / 16));
  small_groups<<<1, kBlock>>>(device, sorted, sums, 50, total);
  CHECK_KERNEL();
  std::vector<int> want = in, want_sums(kBlock / 16);
  int high = in[0];
  for (int t = 0; t < kBlock; ++t) {
    want_sums[t / 16] += in[t * kItems];
    if (t < 50) high = std::max(high, in[t * kItems]);
  }
  for (int i = 0; i < kTile; i += 8 * kItems)
    std::sort(want.begin() + i, want.begin() + i + 8 * kItems);
  report("sorted by eight lanes", download(sorted, kTile), want);
  report("sums of sixteen lanes", download(sums, kBlock / 16), want_sums);
  report("the highest of some", 50, download(total, 1)[0], high);
  return finish();
}
