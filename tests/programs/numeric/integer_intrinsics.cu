// Integer intrinsics against plain loops: bit counts, reversal, permutation, funnel shifts, high
// products, dot products, differences.
#include "../check.cuh"

constexpr int kResults = 26;

__global__ void intrinsics(const unsigned* in, int n, long long* out) {
  const int t = threadIdx.x;
  if (t + 2 >= n) return;
  const unsigned a = in[t], b = in[t + 1], c = in[t + 2];
  const unsigned long long w = static_cast<unsigned long long>(a) << 32 | b;
  const int s = a, u = b;
  const long long results[kResults] = {__popc(a),
                                       __popcll(w),
                                       __clz(a),
                                       __clzll(w),
                                       __ffs(a),
                                       __ffsll(w),
                                       __brev(a),
                                       static_cast<long long>(__brevll(w)),
                                       __byte_perm(a, b, c & 0x7777),
                                       __funnelshift_l(a, b, c),
                                       __funnelshift_r(a, b, c),
                                       __funnelshift_lc(a, b, c % 40),
                                       __funnelshift_rc(a, b, c % 40),
                                       __mulhi(s, u),
                                       __umulhi(a, b),
                                       static_cast<long long>(__umul64hi(w, w)),
                                       __mul64hi(w, ~w),
                                       __mul24(s, u),
                                       __umul24(a, b),
                                       __sad(s, u, c),
                                       __usad(a, b, c),
                                       __dp4a(s, u, 7),
                                       __dp4a(a, b, c),
                                       __dp2a_lo(s, u, 5),
                                       __hadd(s, u),
                                       __rhadd(s, u)};
  for (int k = 0; k < kResults; ++k) out[kResults * t + k] = results[k];
}

unsigned reverse(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
  return r;
}

int byte_of(unsigned x, int i) { return static_cast<signed char>(x >> 8 * i); }
int sext24(unsigned x) { return static_cast<int>(x << 8) >> 8; }

std::vector<long long> expected(unsigned a, unsigned b, unsigned c) {
  const unsigned long long w = static_cast<unsigned long long>(a) << 32 | b,
                           pair = static_cast<unsigned long long>(b) << 32 | a;
  const int s = a, u = b;
  int ones = 0, wide_ones = 0, zeros = 0, wide_zeros = 0, first = 0, wide_first = 0;
  for (int i = 0; i < 64; ++i) wide_ones += w >> i & 1;
  for (int i = 0; i < 32; ++i) ones += a >> i & 1;
  while (zeros < 32 && (a >> (31 - zeros) & 1) == 0) ++zeros;
  while (wide_zeros < 64 && (w >> (63 - wide_zeros) & 1) == 0) ++wide_zeros;
  if (a != 0)
    for (first = 1; (a >> (first - 1) & 1) == 0;) ++first;
  if (w != 0)
    for (wide_first = 1; (w >> (wide_first - 1) & 1) == 0;) ++wide_first;
  unsigned permuted = 0;
  for (int i = 0; i < 4; ++i)
    permuted |= static_cast<unsigned>(pair >> 8 * (c >> 4 * i & 7) & 0xff) << 8 * i;
  const unsigned k = c & 31, clamped = c % 40 > 32 ? 32 : c % 40;
  const auto left = [&](unsigned n) {
    return n == 32 ? a : static_cast<unsigned>(pair << n >> 32);
  };
  const auto right = [&](unsigned n) { return static_cast<unsigned>(pair >> n); };
  int dot = 7, dot2 = 5;
  unsigned udot = c;
  for (int i = 0; i < 4; ++i)
    dot += byte_of(a, i) * byte_of(b, i), udot += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
  for (int i = 0; i < 2; ++i) dot2 += static_cast<short>(a >> 16 * i) * byte_of(b, i);
  const auto distance = [](long long x, long long y) {
    return static_cast<unsigned>(x > y ? x - y : y - x);
  };
  return {ones,
          wide_ones,
          zeros,
          wide_zeros,
          first,
          wide_first,
          reverse(a),
          static_cast<long long>(static_cast<unsigned long long>(reverse(b)) << 32 | reverse(a)),
          permuted,
          left(k),
          right(k),
          left(clamped),
          right(clamped),
          static_cast<int>(1LL * s * u >> 32),
          static_cast<unsigned>(1ull * a * b >> 32),
          static_cast<long long>(static_cast<unsigned __int128>(w) * w >> 64),
          static_cast<long long>(
              static_cast<__int128>(static_cast<long long>(w)) * static_cast<long long>(~w) >> 64),
          static_cast<int>(static_cast<unsigned>(1LL * sext24(a) * sext24(b))),
          static_cast<unsigned>(1ull * (a & 0xffffff) * (b & 0xffffff)),
          distance(s, u) + c,
          distance(a, b) + c,
          dot,
          udot,
          dot2,
          static_cast<int>((1LL * s + u) >> 1),
          static_cast<int>((1LL * s + u + 1) >> 1)};
}

int main() {
  std::vector<unsigned> values = {0, 1, 0x80000000u, ~0u, 0x7fffffffu, 33, 31, 32};
  while (values.size() < 32) values.push_back(noise(values.size()));
  std::vector<long long> want;
  for (std::size_t i = 0; i + 2 < values.size(); ++i)
    for (long long v : expected(values[i], values[i + 1], values[i + 2])) want.push_back(v);
  long long* out = upload(std::vector<long long>(want.size()));
  intrinsics<<<1, 32>>>(upload(values), static_cast<int>(values.size()), out);
  CHECK_KERNEL();
  const std::vector<long long> got = download(out, want.size());
  report("intrinsics", got, want);
  for (int k = 0; k < kResults; ++k) std::printf("%lld\n", got[kResults * 20 + k]);
  return finish();
}
