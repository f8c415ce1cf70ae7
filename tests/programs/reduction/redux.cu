// The warp's own reduction instruction: add, min, max, and, or, xor over all lanes and over part of
// a warp.
#include "sums.cuh"

__global__ void redux_sum(const int* in, int n, int* sum) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

// One row of results per mask; lanes outside the mask take no part.
__global__ void every_kind(const int* in, const unsigned* masks, int rows, int* out) {
  const int lane = threadIdx.x;
  for (int r = 0; r < rows; ++r) {
    const unsigned mask = masks[r];
    if ((mask >> lane & 1) == 0) continue;
    const int v = in[lane];
    const unsigned u = static_cast<unsigned>(v);
    const int results[8] = {__reduce_add_sync(mask, v),
                            __reduce_min_sync(mask, v),
                            __reduce_max_sync(mask, v),
                            (int)__reduce_min_sync(mask, u),
                            (int)__reduce_max_sync(mask, u),
                            (int)__reduce_and_sync(mask, u | 0x80u),
                            (int)__reduce_or_sync(mask, u & 0xff00u),
                            (int)__reduce_xor_sync(mask, u)};
    if (lane == __ffs(mask) - 1)
      for (int k = 0; k < 8; ++k) out[8 * r + k] = results[k];
  }
}

int main() {
  sum_all_sizes("redux_sum",
                [](const int* in, int n, int* sum) { redux_sum<<<2, 160>>>(in, n, sum); });

  const std::vector<unsigned> masks = {0xffffffffu, 0x1u, 0x80000000u, 0x55555555u, 0x00ffff00u};
  const std::vector<int> values = numbers(32);
  std::vector<int> want;
  for (unsigned mask : masks) {
    int sum = 0, low = 0x7fffffff, high = -low - 1;
    unsigned ulow = ~0u, uhigh = 0, all = ~0u, any = 0, odd = 0;
    for (int lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      const int v = values[lane];
      const unsigned u = static_cast<unsigned>(v);
      sum += v, low = v < low ? v : low, high = v > high ? v : high;
      ulow = u < ulow ? u : ulow, uhigh = u > uhigh ? u : uhigh, all &= u | 0x80u,
      any |= u & 0xff00u, odd ^= u;
    }
    for (int v : {sum, low, high, (int)ulow, (int)uhigh, (int)all, (int)any, (int)odd})
      want.push_back(v);
  }
  int* out = upload(std::vector<int>(want.size()));
  every_kind<<<1, 32>>>(upload(values), upload(masks), static_cast<int>(masks.size()), out);
  CHECK_KERNEL();
  const std::vector<int> got = download(out, want.size());
  report("every_kind", got, want);
  for (std::size_t i = 0; i < got.size(); ++i) std::printf("%d%c", got[i], i % 8 == 7 ? '\n' : ' ');
  return finish();
}
