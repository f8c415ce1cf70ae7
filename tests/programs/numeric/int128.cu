// 128-bit products, quotients and remainders. nvcc divides with chains of subc and addc that read
// each other's carry.
#include "../check.cuh"

using Wide = unsigned __int128;
using Half = unsigned long long;

__global__ void divide(const Half* in, Half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Wide a = Wide{in[4 * i]} << 64 | in[4 * i + 1],
             b = Wide{in[4 * i + 2]} << 64 | in[4 * i + 3];
  const Wide results[] = {a / b, a % b, a * b,
                          static_cast<Wide>(-static_cast<__int128>(a >> 1) / 7)};
  for (int k = 0; k < 4; ++k) {
    out[8 * i + 2 * k] = static_cast<Half>(results[k] >> 64);
    out[8 * i + 2 * k + 1] = static_cast<Half>(results[k]);
  }
}

int main() {
  const Half edges[] = {0, 1, 3, 1000007, 0xffffffff, 0x123456789abcdef, Half{1} << 63, ~Half{0}};
  std::vector<Half> in, want;
  for (const Half a1 : edges) {
    for (const Half a0 : edges) {
      for (const Half b1 : edges) {
        for (const Half b0 : edges) {
          if (!b1 && !b0) continue;
          in.insert(in.end(), {a1, a0, b1, b0});
          const Wide a = Wide{a1} << 64 | a0, b = Wide{b1} << 64 | b0;
          for (const Wide w :
               {a / b, a % b, a * b, static_cast<Wide>(-static_cast<__int128>(a >> 1) / 7)}) {
            want.push_back(static_cast<Half>(w >> 64));
            want.push_back(static_cast<Half>(w));
          }
        }
      }
    }
  }
  const int n = static_cast<int>(in.size() / 4);
  Half *d_in = upload(in), *d_out = upload(std::vector<Half>(want.size()));
  divide<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
  CHECK_KERNEL();
  const auto got = download(d_out, want.size());
  int wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) wrong += got[i] != want[i];
  report("wrong words", n, wrong, 0);
  return finish();
}
