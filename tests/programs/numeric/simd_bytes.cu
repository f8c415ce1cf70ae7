// Arithmetic on four bytes or two half-words of a word: the __v... intrinsics, checked element by
// element.
#include <algorithm>

#include "../check.cuh"

constexpr int kResults = 14;

__global__ void simd(const unsigned* in, int n, unsigned* out) {
  const int t = threadIdx.x;
  if (t + 1 >= n) return;
  const unsigned a = in[t], b = in[t + 1];
  const unsigned results[kResults] = {
      __vadd4(a, b),  __vsub4(a, b),   __vabsdiffu4(a, b), __vabsdiffs4(a, b), __vmaxu4(a, b),
      __vmins4(a, b), __vaddus4(a, b), __vcmpeq4(a, b),    __vcmpgtu4(a, b),   __vavgu4(a, b),
      __vadd2(a, b),  __vmaxs2(a, b),  __vsadu4(a, b),     __vsetltu4(a, b)};
  for (int k = 0; k < kResults; ++k) out[kResults * t + k] = results[k];
}

template <int Bits, class Operation>
unsigned each(unsigned a, unsigned b, Operation operation) {
  const unsigned mask = (1u << Bits) - 1;
  unsigned r = 0;
  for (int i = 0; i < 32; i += Bits)
    r |= (static_cast<unsigned>(
              operation(static_cast<int>(a >> i & mask), static_cast<int>(b >> i & mask))) &
          mask)
         << i;
  return r;
}

int main() {
  std::vector<unsigned> values = {0, ~0u, 0x80808080u, 0x7f7f7f7fu, 0x01020304u, 0x01ff03feu};
  while (values.size() < 32) values.push_back(noise(values.size()));
  std::vector<unsigned> want;
  const auto s8 = [](int x) { return static_cast<int>(static_cast<signed char>(x)); };
  const auto s16 = [](int x) { return static_cast<int>(static_cast<short>(x)); };
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const unsigned a = values[i], b = values[i + 1];
    unsigned sad = 0;
    for (int k = 0; k < 32; k += 8)
      sad += std::abs(static_cast<int>(a >> k & 255) - static_cast<int>(b >> k & 255));
    for (unsigned v : {each<8>(a, b, [](int x, int y) { return x + y; }),
                       each<8>(a, b, [](int x, int y) { return x - y; }),
                       each<8>(a, b, [](int x, int y) { return std::abs(x - y); }),
                       each<8>(a, b, [&](int x, int y) { return std::abs(s8(x) - s8(y)); }),
                       each<8>(a, b, [](int x, int y) { return std::max(x, y); }),
                       each<8>(a, b, [&](int x, int y) { return std::min(s8(x), s8(y)); }),
                       each<8>(a, b, [](int x, int y) { return std::min(x + y, 255); }),
                       each<8>(a, b, [](int x, int y) { return x == y ? 255 : 0; }),
                       each<8>(a, b, [](int x, int y) { return x > y ? 255 : 0; }),
                       each<8>(a, b, [](int x, int y) { return (x + y + 1) / 2; }),
                       each<16>(a, b, [](int x, int y) { return x + y; }),
                       each<16>(a, b, [&](int x, int y) { return std::max(s16(x), s16(y)); }), sad,
                       each<8>(a, b, [](int x, int y) { return x < y ? 1 : 0; })})
      want.push_back(v);
  }
  unsigned* out = upload(std::vector<unsigned>(want.size()));
  simd<<<1, 32>>>(upload(values), static_cast<int>(values.size()), out);
  CHECK_KERNEL();
  const std::vector<unsigned> got = download(out, want.size());
  report("simd", got, want);
  for (int k = 0; k < kResults; ++k) std::printf("%08x\n", got[kResults * 10 + k]);
  return finish();
}
