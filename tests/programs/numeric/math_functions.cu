// Mathematical functions: those that must be exact are compared bit by bit, the others within a few
// units in the last place.
#include <cmath>

#include "../check.cuh"

constexpr int kExact = 10, kClose = 12;

template <class T>
__global__ void functions(const T* in, int n, T* exact, T* close) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const T x = in[t], p = abs(x) + T(0.5);
  const T e[kExact] = {sqrt(p), fma(x, x, p),  floor(x),    ceil(x),        trunc(x),
                       rint(x), fmin(x, T(1)), fmax(x, -p), copysign(p, x), x / p};
  const T c[kClose] = {sin(x),      cos(x),  exp(x),  log(p),  pow(p, x / 4), tanh(x),
                       atan2(x, p), cbrt(x), exp2(x), log2(p), erf(x),        hypot(x, p)};
  for (int k = 0; k < kExact; ++k) exact[kExact * t + k] = e[k];
  for (int k = 0; k < kClose; ++k) close[kClose * t + k] = c[k];
}

template <class T>
void run(const char* name, double tolerance) {
  std::vector<T> in;
  for (int i = -40; i <= 40; ++i) in.push_back(T(i) / T(5) + T(0.03125));
  const int n = static_cast<int>(in.size());
  T* exact = upload(std::vector<T>(kExact * n));
  T* close = upload(std::vector<T>(kClose * n));
  functions<<<2, 64>>>(upload(in), n, exact, close);
  CHECK_KERNEL();
  std::vector<T> want;
  int bad[kClose] = {};
  const std::vector<T> got = download(close, kClose * n);
  for (int i = 0; i < n; ++i) {
    const T x = in[i], p = std::abs(x) + T(0.5);
    for (T v : {std::sqrt(p), std::fma(x, x, p), std::floor(x), std::ceil(x), std::trunc(x),
                std::rint(x), std::fmin(x, T(1)), std::fmax(x, -p), std::copysign(p, x), x / p})
      want.push_back(v);
    const double d = x, q = p;
    const double c[kClose] = {std::sin(d),
                              std::cos(d),
                              std::exp(d),
                              std::log(q),
                              std::pow(q, static_cast<double>(x / 4)),
                              std::tanh(d),
                              std::atan2(d, q),
                              std::cbrt(d),
                              std::exp2(d),
                              std::log2(q),
                              std::erf(d),
                              std::hypot(d, q)};
    for (int k = 0; k < kClose; ++k)
      if (!(std::abs(got[kClose * i + k] - c[k]) <= tolerance * (std::abs(c[k]) + 0.01))) ++bad[k];
  }
  report(name, download(exact, kExact * n), want);
  const char* const names[kClose] = {"sin",   "cos",  "exp",  "log",  "pow", "tanh",
                                     "atan2", "cbrt", "exp2", "log2", "erf", "hypot"};
  for (int k = 0; k < kClose; ++k) report(names[k], n, bad[k], 0);
}

int main() {
  run<float>("float", 1e-6);
  run<double>("double", 1e-14);
  return finish();
}
