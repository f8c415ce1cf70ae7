// Lanes split into ever smaller groups, each of which votes and reduces under its own mask: in
// nested branches, in loops that lanes leave at different times, and in a recursive function.
#include "../check.cuh"

constexpr int kBlock = 96;

// Splits by the lowest bit and recurses with each half; the leaves add what is left of x.
__device__ __noinline__ unsigned split(unsigned mask, unsigned x, int depth) {
  if (depth == 0) return __reduce_add_sync(mask, x);
  const unsigned odd = __ballot_sync(mask, x & 1);
  if (x & 1) return split(odd, x >> 1, depth - 1) + 1;
  return split(mask & ~odd, x >> 1, depth - 1) ^ 5;
}
__global__ void recursion(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = split(~0u, in[threadIdx.x], 4);
}

// Each lane stays for x % 9 rounds; every round adds what the lanes still here hold, and those
// with an odd sum swap with the next such lane.
__global__ void rounds(const unsigned* in, unsigned* out) {
  unsigned x = in[threadIdx.x], mask = ~0u;
  const unsigned stay = x % 9, lane = threadIdx.x & 31;
  for (unsigned round = 0;; ++round) {
    mask = __ballot_sync(mask, round < stay);
    if (round >= stay) break;
    x += __reduce_add_sync(mask, x & 255);
    const unsigned odd = __ballot_sync(mask, x & 1);
    if (x & 1) {
      const unsigned above = lane == 31 ? 0 : odd & (~0u << (lane + 1));
      x = __shfl_sync(odd, x, __ffs(above ? above : odd) - 1) + 1;
    } else {
      x ^= __reduce_max_sync(mask & ~odd, x >> 3);
    }
    __syncwarp(mask);
  }
  out[threadIdx.x] = x;
}

// The CPU's view of one warp: x[lane], for the lanes of a mask.
template <class F>
void for_each(unsigned mask, F f) {
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) f(lane);
}

void cpu_split(unsigned mask, std::vector<unsigned> x, unsigned* out, int depth) {
  if (mask == 0) return;
  unsigned sum = 0, odd = 0;
  for_each(mask, [&](int l) { sum += x[l], odd |= (x[l] & 1) << l; });
  if (depth == 0) return for_each(mask, [&](int l) { out[l] = sum; });
  for_each(mask, [&](int l) { x[l] >>= 1; });
  cpu_split(odd, x, out, depth - 1);
  cpu_split(mask & ~odd, x, out, depth - 1);
  for_each(mask, [&](int l) { out[l] = odd >> l & 1 ? out[l] + 1 : out[l] ^ 5; });
}

void cpu_rounds(const unsigned* in, unsigned* x) {
  for (int l = 0; l < 32; ++l) x[l] = in[l];
  unsigned mask = ~0u;
  for (unsigned round = 0;; ++round) {
    for_each(mask, [&](int l) { mask &= round < in[l] % 9 ? ~0u : ~(1u << l); });
    if (mask == 0) return;
    unsigned sum = 0, odd = 0, high = 0;
    for_each(mask, [&](int l) { sum += x[l] & 255; });
    for_each(mask, [&](int l) { x[l] += sum, odd |= (x[l] & 1) << l; });
    for_each(mask & ~odd, [&](int l) { high = x[l] >> 3 > high ? x[l] >> 3 : high; });
    const std::vector<unsigned> old(x, x + 32);
    for_each(mask & ~odd, [&](int l) { x[l] ^= high; });
    for_each(odd, [&](int l) {
      int from = l;
      do from = (from + 1) % 32;
      while (!(odd >> from & 1));
      x[l] = old[from] + 1;
    });
  }
}

int main() {
  std::vector<unsigned> in(kBlock), split_want(kBlock), rounds_want(kBlock);
  for (int t = 0; t < kBlock; ++t) in[t] = noise(t);
  for (int w = 0; w < kBlock; w += 32) {
    cpu_split(~0u, {in.begin() + w, in.begin() + w + 32}, &split_want[w], 4);
    cpu_rounds(&in[w], &rounds_want[w]);
  }
  unsigned* const device = upload(in);
  unsigned* const out = upload(in);
  recursion<<<1, kBlock>>>(device, out);
  CHECK_KERNEL();
  report("recursion", download(out, kBlock), split_want);
  rounds<<<1, kBlock>>>(device, out);
  CHECK_KERNEL();
  report("rounds", download(out, kBlock), rounds_want);
  return finish();
}
