// A scan of many blocks in one pass: each block looks back at its predecessors' published sums
// (decoupled look-back).
#include "../check.cuh"

constexpr int kBlock = 64;
// A block's state in one 64-bit word, so that flag and value are seen together: 0 nothing yet, 1
// own sum, 2 sum of all up to here.
__device__ unsigned long long pack(unsigned flag, unsigned value) {
  return static_cast<unsigned long long>(flag) << 32 | value;
}

__global__ void look_back(const unsigned* in, int n, unsigned* out,
                          volatile unsigned long long* state, unsigned* next_tile) {
  __shared__ unsigned tile, before, s[kBlock];
  const int t = threadIdx.x;
  if (t == 0)
    tile = atomicAdd(next_tile, 1u);  // blocks take tiles in the order in which they start
  __syncthreads();
  const int i = tile * kBlock + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    const unsigned left = t >= step ? s[t - step] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (t == 0) {
    const unsigned own = s[kBlock - 1];
    unsigned sum = 0;
    if (tile > 0) {
      state[tile] = pack(1, own);
      for (int look = static_cast<int>(tile) - 1;;) {
        const unsigned long long seen = state[look];
        if (seen >> 32 == 0) continue;  // not there yet: look again
        sum += static_cast<unsigned>(seen);
        if (seen >> 32 == 2) break;
        --look;
      }
    }
    state[tile] = pack(2, sum + own);
    before = sum;
  }
  __syncthreads();
  if (i < n) out[i] = before + s[t];
}

int main() {
  for (int n : {1, 63, 64, 65, 1000, 20011}) {
    const int tiles = blocks_for(n, kBlock);
    std::vector<unsigned> values(n), want(n);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) want[i] = sum += values[i] = noise(i) % 1000;
    unsigned* in = upload(values);
    unsigned* out = upload(std::vector<unsigned>(n));
    unsigned* next = upload(std::vector<unsigned>{0});
    unsigned long long* state = upload(std::vector<unsigned long long>(tiles));
    look_back<<<tiles, kBlock>>>(in, n, out, state, next);
    CHECK_KERNEL();
    report("look_back", download(out, n), want);
    std::printf("  total %u\n", want.back());
  }
  return finish();
}
