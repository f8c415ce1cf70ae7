// The generators of curand_kernel.h, which are device code only: Philox against the CPU's own
// Philox bit by bit, XORWOW and MRG32k3a by jumping ahead, and pi by throwing darts.
// needs: curand_kernel.h
#include <curand_kernel.h>

#include <cmath>

#include "../check.cuh"

constexpr int kThreads = 64, kDraws = 12;

__global__ void philox(unsigned long long seed, unsigned* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 0, &state);
  for (int i = 0; i < kDraws; ++i) out[threadIdx.x * kDraws + i] = curand(&state);
}

// Philox4x32-10: the counter is {block of four, 0, sequence}, the key is the seed.
unsigned cpu_philox(unsigned long long seed, unsigned sequence, unsigned draw) {
  unsigned c[4] = {draw / 4, 0, sequence, 0};
  unsigned key[2] = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    const unsigned next[4] = {
        static_cast<unsigned>(b >> 32) ^ c[1] ^ key[0], static_cast<unsigned>(b),
        static_cast<unsigned>(a >> 32) ^ c[3] ^ key[1], static_cast<unsigned>(a)};
    for (int i = 0; i < 4; ++i) c[i] = next[i];
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return c[draw % 4];
}

// Thread t starts t draws later than thread 0: it must give thread 0's draw number t.
template <class State>
__global__ void ahead(unsigned* jumped, unsigned* walked) {
  State state;
  curand_init(42, 7, threadIdx.x, &state);
  jumped[threadIdx.x] = curand(&state);
  if (threadIdx.x != 0) return;
  curand_init(42, 7, 0, &state);
  for (int i = 0; i < kThreads; ++i) walked[i] = curand(&state);
}

// Darts inside the circle, and the sums of normal values and of their squares.
__global__ void darts(int throws, int* inside, double* sums) {
  curandState state;
  curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  int count = 0;
  double sum = 0, squares = 0;
  for (int i = 0; i < throws; ++i) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    count += x * x + y * y <= 1;
    const double z = curand_normal_double(&state);
    sum += z;
    squares += z * z;
  }
  atomicAdd(inside, count);
  atomicAdd(&sums[0], sum);
  atomicAdd(&sums[1], squares);
}

template <class State>
void test_ahead(const char* what, unsigned* jumped, unsigned* walked) {
  ahead<State><<<1, kThreads>>>(jumped, walked);
  CHECK_KERNEL();
  report(what, download(jumped, kThreads), download(walked, kThreads));
}

int main() {
  const unsigned long long seed = 0x0123456789abcdefull;
  std::vector<unsigned> want(kThreads * kDraws);
  for (int i = 0; i < kThreads * kDraws; ++i) want[i] = cpu_philox(seed, i / kDraws, i % kDraws);
  unsigned* const out = upload(want);
  philox<<<1, kThreads>>>(seed, out);
  CHECK_KERNEL();
  report("philox", download(out, want.size()), want);

  unsigned* const walked = upload(want);
  test_ahead<curandStateXORWOW>("xorwow ahead", out, walked);
  test_ahead<curandStateMRG32k3a>("mrg32k3a ahead", out, walked);
  test_ahead<curandStatePhilox4_32_10_t>("philox ahead", out, walked);

  const int throws = 200, all = 4 * 64 * throws;
  int* const inside = upload(std::vector<int>(1));
  double* const sums = upload(std::vector<double>(2));
  darts<<<4, 64>>>(throws, inside, sums);
  CHECK_KERNEL();
  const double pi = 4.0 * download(inside, 1)[0] / all;
  const std::vector<double> sum = download(sums, 2);
  report("pi, roughly", all, std::fabs(pi - 3.14159) < 0.03, true);
  report("mean of normal values", all, std::fabs(sum[0] / all) < 0.02, true);
  report("their variance", all, std::fabs(sum[1] / all - 1) < 0.03, true);
  return finish();
}
