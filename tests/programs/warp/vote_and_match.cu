// Votes and matches: all, any, uni, ballot, match_any on 32 and 64 bits, match_all, activemask in
// branches, elect.
#include "../check.cuh"

__global__ void votes(const int* in, int* out) {
  const int lane = threadIdx.x;
  const int v = in[lane];
  out[lane] = __all_sync(~0u, v >= 0) + 2 * __any_sync(~0u, v == 3) +
              4 * __uni_sync(~0u, v > 1000) + 8 * (__ballot_sync(~0u, v % 2) & 0xffff);
  out[32 + lane] = __match_any_sync(~0u, v % 4);
  out[64 + lane] = __popc(__match_any_sync(~0u, (static_cast<unsigned long long>(v % 3) << 40)));
  int same = -1;
  out[96 + lane] = __match_all_sync(~0u, lane < 64, &same);
  out[128 + lane] = same;
  out[160 + lane] = __match_all_sync(~0u, v, &same) + 10 * same;
}

__global__ void branches(int* out) {
  const int lane = threadIdx.x;
  unsigned mask = 0;
  if (lane % 4 == 0) {
    mask = __activemask();
  } else if (lane > 20) {
    mask = __ballot_sync(0xffe00000u & 0xeeeeeeeeu, lane % 2);
  } else {
    const unsigned here = ~0x11111111u & 0x1fffffu;
    mask = __any_sync(here, lane == 2) + __shfl_sync(here, lane, 7) * 2;
  }
  out[lane] = mask;
}

__global__ void elect(int* out) {
  unsigned leader, chosen;
  asm volatile("{\n .reg .pred p;\n elect.sync %0|p, 0xffffffff;\n selp.b32 %1, 1, 0, p;\n}\n"
               : "=r"(leader), "=r"(chosen));
  const unsigned winners = __ballot_sync(~0u, chosen);
  if (threadIdx.x == 0) out[0] = __popc(winners), out[1] = winners == 1u << leader;
}

int main() {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[i] = noise(i) % 10;
  std::vector<int> want(192);
  int all = 1, any = 0, odd = 0;
  for (int i = 0; i < 32; ++i) any |= values[i] == 3, odd |= (values[i] % 2) << i;
  for (int i = 0; i < 32; ++i) {
    want[i] = all + 2 * any + 4 * 1 + 8 * (odd & 0xffff);
    for (int j = 0; j < 32; ++j)
      want[32 + i] |= static_cast<int>((values[i] % 4 == values[j] % 4 ? 1u : 0u) << j),
          want[64 + i] += values[i] % 3 == values[j] % 3;
    want[96 + i] = -1, want[128 + i] = 1;
  }
  int* out = upload(std::vector<int>(192));
  votes<<<1, 32>>>(upload(values), out);
  CHECK_KERNEL();
  report("votes", download(out, 192), want);
  branches<<<1, 32>>>(out);
  CHECK_KERNEL();
  want.assign(32, 0);
  for (int lane = 0; lane < 32; ++lane) {
    unsigned ballot = 0;
    for (int j = 21; j < 32; ++j) ballot |= (j % 4 != 0 && j % 2 ? 1u : 0u) << j;
    want[lane] = lane % 4 == 0 ? 0x11111111 : lane > 20 ? static_cast<int>(ballot) : 15;
  }
  report("branches", download(out, 32), want);
  elect<<<1, 32>>>(out);
  CHECK_KERNEL();
  report("elect", download(out, 2), {1, 1});
  return finish();
}
