// The rest of cooperative groups: memcpy_async with wait, invoke_one and its broadcast, warps taken
// from a block.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "../check.cuh"
namespace cg = cooperative_groups;

__global__ void copy(const int* in, int n, int* out) {
  extern __shared__ int s[];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(int) * n);
  cg::wait(block);
  for (int i = block.thread_rank(); i < n; i += block.size()) out[i] = s[n - 1 - i];
}

__global__ void one(int* count, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  cg::invoke_one(tile, [&] { atomicAdd(count, 1); });
  const int chosen = cg::invoke_one_broadcast(
      tile, [&] { return static_cast<int>(tile.meta_group_rank()) * 10 + 1; });
  out[threadIdx.x] = chosen;
}

int main() {
  for (int n : {0, 1, 33, 500}) {
    std::vector<int> values(n), want(n);
    for (int i = 0; i < n; ++i) values[i] = want[n - 1 - i] = noise(i) % 1000;
    int* out = upload(std::vector<int>(n));
    copy<<<1, 64, (n + 1) * sizeof(int)>>>(upload(values), n, out);
    CHECK_KERNEL();
    report("copy", download(out, n), want);
  }
  int* count = upload(std::vector<int>{0});
  int* out = upload(std::vector<int>(80));
  one<<<1, 80>>>(count, out);
  CHECK_KERNEL();
  report("one", 80, download(count, 1)[0], 5);
  std::vector<int> want(80);
  for (int t = 0; t < 80; ++t) want[t] = t / 16 * 10 + 1;
  report("broadcast", download(out, 80), want);
  return finish();
}
