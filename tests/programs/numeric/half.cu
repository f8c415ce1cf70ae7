// Half precision: scalar and packed arithmetic, fma, comparisons, conversions with rounding; the
// bits are printed.
#include <cuda_fp16.h>

#include "../check.cuh"

constexpr int kResults = 24;

__global__ void arithmetic(const float2* in, unsigned* out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const __half a = __float2half_rn(in[t].x), b = __float2half_rn(in[t].y);
  const __half2 p = __halves2half2(a, b), q = __halves2half2(b, a);
  unsigned* r = out + kResults * t;
  int k = 0;
  const auto put = [&](__half h) { r[k++] = __half_as_ushort(h); };
  const auto put2 = [&](__half2 h) {
    r[k++] = __half_as_ushort(__low2half(h)) | __half_as_ushort(__high2half(h)) << 16;
  };
  put(a), put(b), put(__hadd(a, b)), put(__hsub(a, b)), put(__hmul(a, b)), put(__hfma(a, b, a)),
      put(__hneg(a)), put(__habs(a));
  put(__hadd_sat(a, b)), put(__hmin(a, b)), put(__hmax(a, b)), put(__float2half_rz(in[t].x)),
      put(__float2half_ru(in[t].x)), put(__float2half_rd(in[t].x));
  put2(__hadd2(p, q)), put2(__hsub2(p, q)), put2(__hmul2(p, p)), put2(__hfma2(p, q, q)),
      put2(__hmax2(p, q)), put2(__heq2(p, q));
  r[k++] = __hlt(a, b) | __hle(a, b) << 1 | __heq(a, b) << 2 | __hgt(a, b) << 3 | __hne(a, b) << 4 |
           __hisnan(a) << 5;
  r[k++] = __half2int_rn(a), r[k++] = __half2int_rz(b);
  r[k++] = __half_as_ushort(__int2half_rn(static_cast<int>(in[t].x))) |
           static_cast<unsigned>(__half_as_ushort(__hadd2(p, p).x)) << 16;
}

int main() {
  const std::vector<float2> pairs = {{1, 2},         {0.1f, 0.2f},         {-3.5f, 1024.25f},
                                     {2049, 2051},   {1e-7f, 6e-8f},       {300.5f, -300.5f},
                                     {60000, -0.0f}, {1.0009765f, 0.9995f}};
  const int n = static_cast<int>(pairs.size());
  unsigned* out = upload(std::vector<unsigned>(kResults * n));
  arithmetic<<<1, 32>>>(upload(pairs), out, n);
  CHECK_KERNEL();
  const std::vector<unsigned> got = download(out, kResults * n);
  for (int i = 0; i < n; ++i) {
    std::printf("%g, %g:", pairs[i].x, pairs[i].y);
    for (int k = 0; k < kResults; ++k) std::printf(" %x", got[kResults * i + k]);
    std::printf("\n");
    // The CPU's side: host conversions of the header, and sums rounded from an exact float.
    const __half a = __float2half_rn(pairs[i].x), b = __float2half_rn(pairs[i].y);
    const float x = __half2float(a), y = __half2float(b);
    report("  sum", i, got[kResults * i + 2],
           static_cast<unsigned>(__half_as_ushort(__float2half_rn(x + y))));
    report("  product", i, got[kResults * i + 4],
           static_cast<unsigned>(__half_as_ushort(__float2half_rn(x * y))));
  }
  return finish();
}
