// Warp-aggregated atomics: lanes of the same bin find each other with __match_any_sync and one of
// them adds for all.
#include "../check.cuh"

constexpr int kBins = 10;

__global__ void warp_aggregated(const int* in, int n, unsigned* bins, unsigned* atomics) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned here = __ballot_sync(~0u, i < n);
  if (i >= n) return;
  const unsigned peers = __match_any_sync(here, in[i]);
  if (threadIdx.x % 32 == __ffs(peers) - 1) {
    atomicAdd(&bins[in[i]], __popc(peers));
    atomicAdd(atomics, 1u);
  }
}

// Positions of the numbers that pass, in one atomic per warp; the order between warps is free, so
// only the set is compared.
__global__ void compact(const int* in, int n, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool pass = i < n && in[i] >= 5;
  const unsigned votes = __ballot_sync(~0u, pass);
  const int lane = threadIdx.x % 32;
  int base = 0;
  if (lane == 0 && votes != 0) base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(~0u, base, 0);
  if (pass) out[base + __popc(votes & ((1u << lane) - 1))] = i;
}

int main() {
  for (int n : {0, 1, 31, 33, 1000, 5003}) {
    std::vector<int> values(n), want_flags(n), got_flags(n);
    std::vector<unsigned> want(kBins);
    unsigned want_atomics = 0;
    int want_count = 0;
    for (int i = 0, seen = 0; i < n; ++i) {
      if (i % 32 == 0) seen = 0;
      ++want[values[i] = noise(i) % kBins];
      if ((seen >> values[i] & 1) == 0) ++want_atomics, seen |= 1 << values[i];
      want_count += want_flags[i] = values[i] >= 5;
    }
    int* in = upload(values);
    unsigned* bins = upload(std::vector<unsigned>(kBins));
    unsigned* atomics = upload(std::vector<unsigned>{0});
    warp_aggregated<<<blocks_for(n, 128), 128>>>(in, n, bins, atomics);
    CHECK_KERNEL();
    report("warp_aggregated", download(bins, kBins), want);
    report("  atomics", n, download(atomics, 1)[0], want_atomics);

    int* out = upload(std::vector<int>(n));
    int* count = upload(std::vector<int>{0});
    compact<<<blocks_for(n, 128), 128>>>(in, n, out, count);
    CHECK_KERNEL();
    report("  kept", n, download(count, 1)[0], want_count);
    for (int i : download(out, want_count)) got_flags[i] = 1;
    report("  compact", got_flags, want_flags);
  }
  return finish();
}
