// Rounding-mode intrinsics of float and double, and conversions in every rounding mode, compared
// with fesetround on the CPU.
#include <cfenv>
#include <cmath>

#include "../check.cuh"

__global__ void floats(const float* a, const float* b, int n, float* out) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const float x = a[t], y = b[t],
              results[] = {
                  __fadd_rn(x, y),    __fadd_rz(x, y),    __fadd_ru(x, y),    __fadd_rd(x, y),
                  __fsub_rn(x, y),    __fsub_rz(x, y),    __fsub_ru(x, y),    __fsub_rd(x, y),
                  __fmul_rn(x, y),    __fmul_rz(x, y),    __fmul_ru(x, y),    __fmul_rd(x, y),
                  __fdiv_rn(x, y),    __fdiv_rz(x, y),    __fdiv_ru(x, y),    __fdiv_rd(x, y),
                  __fsqrt_rn(y),      __fsqrt_rz(y),      __fsqrt_ru(y),      __fsqrt_rd(y),
                  __fmaf_rn(x, y, x), __fmaf_rz(x, y, x), __fmaf_ru(x, y, x), __fmaf_rd(x, y, x)};
  for (int k = 0; k < 24; ++k) out[24 * t + k] = results[k];
}

__global__ void doubles(const double* a, const double* b, int n, double* out) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const double x = a[t], y = b[t],
               results[] = {
                   __dadd_rn(x, y),   __dadd_rz(x, y),   __dadd_ru(x, y),   __dadd_rd(x, y),
                   __dsub_rn(x, y),   __dsub_rz(x, y),   __dsub_ru(x, y),   __dsub_rd(x, y),
                   __dmul_rn(x, y),   __dmul_rz(x, y),   __dmul_ru(x, y),   __dmul_rd(x, y),
                   __ddiv_rn(x, y),   __ddiv_rz(x, y),   __ddiv_ru(x, y),   __ddiv_rd(x, y),
                   __dsqrt_rn(y),     __dsqrt_rz(y),     __dsqrt_ru(y),     __dsqrt_rd(y),
                   __fma_rn(x, y, x), __fma_rz(x, y, x), __fma_ru(x, y, x), __fma_rd(x, y, x)};
  for (int k = 0; k < 24; ++k) out[24 * t + k] = results[k];
}

__global__ void conversions(const float* in, int n, int* out) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const float x = in[t];
  const double d = x;
  const int results[] = {__float2int_rn(x),
                         __float2int_rz(x),
                         __float2int_ru(x),
                         __float2int_rd(x),
                         (int)__float2uint_rz(x),
                         (int)__float2ll_rn(x),
                         __double2int_rn(d),
                         __double2int_ru(d),
                         __float_as_int(__double2float_rz(d * 1.1)),
                         __float_as_int(__double2float_ru(d * 1.1)),
                         __float_as_int(__int2float_rz(__float_as_int(x))),
                         __float_as_int(__ll2float_ru(123456789012345ll + t))};
  for (int k = 0; k < 12; ++k) out[12 * t + k] = results[k];
}

// Order of the four modes as above; volatile keeps the compiler from moving the arithmetic.
template <class T>
std::vector<T> expected(const std::vector<T>& a, const std::vector<T>& b) {
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  std::vector<T> out(24 * a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int m = 0; m < 4; ++m) {
      volatile T x = a[i], y = b[i];
      T* o = &out[24 * i + m];
      std::fesetround(modes[m]);
      const volatile T results[6] = {x + y, x - y,           x * y,
                                     x / y, std::sqrt(T(y)), std::fma(T(x), T(y), T(x))};
      for (int k = 0; k < 6; ++k) o[4 * k] = results[k];
      std::fesetround(FE_TONEAREST);
    }
  return out;
}

int main() {
  const std::vector<float> a = {1, 0.1f, 1e8f, -7, 3.3333f, 16777216, -2.5f, 1e-20f},
                           b = {3, 0.7f, 3, 11, 1.1111f, 1.5f, 2.5f, 7};
  const std::vector<double> c(a.begin(), a.end()), d = {3, 0.7, 3e-9, 11, 1.1, 1.5, 2.5, 7};
  const int n = static_cast<int>(a.size());
  float* fout = upload(std::vector<float>(24 * n));
  double* dout = upload(std::vector<double>(24 * n));
  int* iout = upload(std::vector<int>(12 * n));
  floats<<<1, 32>>>(upload(a), upload(b), n, fout);
  CHECK_KERNEL();
  doubles<<<1, 32>>>(upload(c), upload(d), n, dout);
  CHECK_KERNEL();
  conversions<<<1, 32>>>(upload(a), n, iout);
  CHECK_KERNEL();
  const auto f = download(fout, 24 * n);
  report("floats", f, expected(a, b));
  const auto g = download(dout, 24 * n);
  report("doubles", g, expected(c, d));
  for (int i = 0; i < n; ++i)
    std::printf("%a %a %a %a\n", f[24 * i + 12], f[24 * i + 13], f[24 * i + 14], f[24 * i + 15]);
  for (int i = 0; i < n; ++i)
    std::printf("%a %a %a %a\n", g[24 * i + 16], g[24 * i + 17], g[24 * i + 18], g[24 * i + 19]);
  const auto converted = download(iout, 12 * n);
  for (int i = 0; i < 12 * n; ++i) std::printf("%x%c", converted[i], i % 12 == 11 ? '\n' : ' ');
  return finish();
}
