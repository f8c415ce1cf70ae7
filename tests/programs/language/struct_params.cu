// Parameters by value: every scalar type, small and large structs (4000 bytes), arrays inside, and
// a struct as a result.
#include "../check.cuh"

struct Large {
  int header;
  short table[1900];
  double scale;
  char tail[180];
};
struct Tiny {
  char c;
};
struct Mixed {
  char a;
  long long b;
  float c[3];
  Tiny d;
};
struct Both {
  int low, high;
};

__device__ __noinline__ Both split(long long v) {
  return {static_cast<int>(v), static_cast<int>(v >> 32)};
}

__global__ void scalars(bool a, signed char b, unsigned short c, int d, long long e, float f,
                        double g, int* out) {
  out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = static_cast<int>(e >> 32),
  out[5] = static_cast<int>(f * 2), out[6] = static_cast<int>(g * 4);
}

__global__ void structs(Tiny tiny, Mixed mixed, const __grid_constant__ Large large, int* out) {
  const int t = threadIdx.x;
  const Both both = split(mixed.b);
  out[t] = large.table[t * 17 % 1900] + large.header + static_cast<int>(large.scale) +
           large.tail[t % 180] + tiny.c + mixed.a + both.low + both.high +
           static_cast<int>(mixed.c[t % 3]) + mixed.d.c;
}

int main() {
  int* out = upload(std::vector<int>(128));
  scalars<<<1, 1>>>(true, -3, 60000, -70000, 5ll << 33, 1.5f, -2.25, out);
  CHECK_KERNEL();
  report("scalars", download(out, 7), {1, -3, 60000, -70000, 10, 3, -9});

  Large large{};
  large.header = 1000000, large.scale = 250.0;
  for (int i = 0; i < 1900; ++i) large.table[i] = static_cast<short>(noise(i));
  for (int i = 0; i < 180; ++i) large.tail[i] = static_cast<char>(i % 100);
  const Tiny tiny{'x'};
  const Mixed mixed{'m', 0x0000000700000011ll, {10, 20, 30}, {'d'}};
  std::vector<int> want(128);
  for (int t = 0; t < 128; ++t)
    want[t] = large.table[t * 17 % 1900] + 1000000 + 250 + large.tail[t % 180] + 'x' + 'm' + 0x11 +
              7 + 10 * (t % 3 + 1) + 'd';
  structs<<<1, 128>>>(tiny, mixed, large, out);
  CHECK_KERNEL();
  report("structs", download(out, 128), want);
  std::printf("%zu bytes\n", sizeof(Large));
  return finish();
}
