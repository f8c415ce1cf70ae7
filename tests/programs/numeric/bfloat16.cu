// bfloat16: scalar and packed arithmetic, fma, comparisons, conversions with rounding; the bits are
// printed.
#include <cuda_bf16.h>

#include "../check.cuh"

constexpr int kResults = 20;

__global__ void arithmetic(const float2* in, unsigned* out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const __nv_bfloat16 a = __float2bfloat16_rn(in[t].x), b = __float2bfloat16_rn(in[t].y);
  const __nv_bfloat162 p = __halves2bfloat162(a, b), q = __floats2bfloat162_rn(in[t].y, in[t].x);
  unsigned* r = out + kResults * t;
  int k = 0;
  const auto put = [&](__nv_bfloat16 h) { r[k++] = __bfloat16_as_ushort(h); };
  const auto put2 = [&](__nv_bfloat162 h) {
    r[k++] = __bfloat16_as_ushort(__low2bfloat16(h)) | __bfloat16_as_ushort(__high2bfloat16(h))
                                                           << 16;
  };
  put(a), put(b), put(__hadd(a, b)), put(__hsub(a, b)), put(__hmul(a, b)), put(__hfma(a, b, b)),
      put(__hneg(a)), put(__habs(b));
  put(__hmin(a, b)), put(__hmax(a, b)), put(__float2bfloat16_rz(in[t].x)),
      put(__float2bfloat16_ru(in[t].x)), put(__float2bfloat16_rd(in[t].x));
  put2(__hadd2(p, q)), put2(__hmul2(p, q)), put2(__hfma2(p, p, q)), put2(__hmin2(p, q));
  r[k++] = __hlt(a, b) | __hle(a, b) << 1 | __heq(a, b) << 2 | __hgt(a, b) << 3 | __hne(a, b) << 4;
  r[k++] = __float_as_uint(__bfloat162float(a));
  r[k++] = __bfloat162int_rn(b);
}

int main() {
  const std::vector<float2> pairs = {{1, 2},         {0.1f, 0.2f},         {-3.5f, 1024.25f},
                                     {257, 259},     {1e-30f, 3e-30f},     {300.5f, -300.5f},
                                     {3e38f, -0.0f}, {1.00390625f, 0.998f}};
  const int n = static_cast<int>(pairs.size());
  unsigned* out = upload(std::vector<unsigned>(kResults * n));
  arithmetic<<<1, 32>>>(upload(pairs), out, n);
  CHECK_KERNEL();
  const std::vector<unsigned> got = download(out, kResults * n);
  for (int i = 0; i < n; ++i) {
    std::printf("%g, %g:", pairs[i].x, pairs[i].y);
    for (int k = 0; k < kResults; ++k) std::printf(" %x", got[kResults * i + k]);
    std::printf("\n");
    const __nv_bfloat16 a = __float2bfloat16_rn(pairs[i].x), b = __float2bfloat16_rn(pairs[i].y);
    const float x = __bfloat162float(a), y = __bfloat162float(b);
    report("  sum", i, got[kResults * i + 2],
           static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16_rn(x + y))));
    report("  product", i, got[kResults * i + 4],
           static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16_rn(x * y))));
  }
  return finish();
}
