// SPDX-License-Identifier: MIT
// Monte Carlo: what an Asian option pays at the end of n random paths of a price; a result per
// path, per block or in all, by a counter-based generator, or per thread by xorshift generators.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kMontecarlosSteps = 16;  // of a path
constexpr unsigned kMontecarlosPaths = 8;   // of a thread, with xorshift
constexpr unsigned kMontecarlosSumBlock = 512;
struct MontecarlosMarket {
  float start, strike, drift, volatility;
};
constexpr MontecarlosMarket kMontecarlosMarket = {100, 102, 0.002f, 0.05f};

// Between 0 and 1, never either of them.
__host__ __device__ inline float montecarlos_uniform(unsigned bits) {
  return ((bits >> 9) + 0.5f) * (1.0f / (1 << 23));
}
__device__ inline float montecarlos_payoff(MontecarlosMarket market, unsigned path) {
  float price = market.start, sum = 0;
  for (unsigned step = 0; step < kMontecarlosSteps; step += 2) {
    const float u = montecarlos_uniform(mixed(path * kMontecarlosSteps + step));
    const float v = montecarlos_uniform(mixed(path * kMontecarlosSteps + step + 1));
    const float radius = sqrtf(-2 * logf(u));
    float sine, cosine;
    sincospif(2 * v, &sine, &cosine);
    price *= expf(market.drift + market.volatility * radius * cosine);
    sum += price;
    price *= expf(market.drift + market.volatility * radius * sine);
    sum += price;
  }
  return fmaxf(sum / kMontecarlosSteps - market.strike, 0.0f);
}

__global__ void montecarlos_paths(MontecarlosMarket market, float* payoffs, unsigned n) {
  const unsigned path = thread_number();
  if (path < n) payoffs[path] = montecarlos_payoff(market, path);
}

// Fast sines and powers; a tree in shared memory adds up a block.
__global__ void montecarlos_blocks(MontecarlosMarket market, float* sums, unsigned n) {
  __shared__ float sum[kMontecarlosSumBlock];
  const unsigned path = thread_number();
  float payoff = 0;
  if (path < n) {
    float price = market.start, total = 0;
    for (unsigned step = 0; step < kMontecarlosSteps; step += 2) {
      const float u = montecarlos_uniform(mixed(path * kMontecarlosSteps + step));
      const float v = montecarlos_uniform(mixed(path * kMontecarlosSteps + step + 1));
      const float radius = sqrtf(-2 * logf(u)), angle = 6.2831853f * (v - 0.5f);
      price *= __expf(market.drift - market.volatility * radius * __cosf(angle));
      total += price;
      price *= __expf(market.drift - market.volatility * radius * __sinf(angle));
      total += price;
    }
    payoff = fmaxf(total / kMontecarlosSteps - market.strike, 0.0f);
  }
  sum[threadIdx.x] = payoff;
  __syncthreads();
  for (unsigned half = kMontecarlosSumBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = sum[0];
}

// A loop over paths; each warp adds its sum to the one result.
__global__ void montecarlos_atomics(MontecarlosMarket market, double* total, unsigned n) {
  double sum = 0;
  for (unsigned path = thread_number(); path < n; path += gridDim.x * blockDim.x)
    sum += montecarlos_payoff(market, path);
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

__host__ __device__ inline unsigned montecarlos_xorshift_next(uint4& state) {
  const unsigned t = state.x ^ (state.x << 11);
  state.x = state.y;
  state.y = state.z;
  state.z = state.w;
  state.w ^= (state.w >> 19) ^ t ^ (t >> 8);
  return state.w;
}
// Each thread has a generator in memory, which it leaves ready for more paths.
__global__ void montecarlos_xorshift(MontecarlosMarket market, uint4* __restrict__ states,
                                     float* __restrict__ sums, unsigned threads) {
  const unsigned thread = thread_number();
  if (thread >= threads) return;
  uint4 state = states[thread];
  float sum = 0;
  for (unsigned path = 0; path < kMontecarlosPaths; ++path) {
    float price = market.start, total = 0;
    for (unsigned step = 0; step < kMontecarlosSteps; step += 2) {
      const float u = montecarlos_uniform(montecarlos_xorshift_next(state));
      const float v = montecarlos_uniform(montecarlos_xorshift_next(state));
      const float radius = market.volatility * sqrtf(-2 * logf(u));
      price *= expf(market.drift + radius * cospif(2 * v));
      total += price;
      price *= expf(market.drift + radius * sinpif(2 * v));
      total += price;
    }
    sum += fmaxf(total / kMontecarlosSteps - market.strike, 0.0f);
  }
  sums[thread] = sum;
  states[thread] = state;
}

// What a path pays whose random bits come from `next`.
template <class Next>
double montecarlos_wanted(Next next) {
  const MontecarlosMarket market = kMontecarlosMarket;
  double price = market.start, sum = 0;
  for (unsigned step = 0; step < kMontecarlosSteps; step += 2) {
    const double u = montecarlos_uniform(next()), v = montecarlos_uniform(next());
    const double radius = market.volatility * std::sqrt(-2 * std::log(u));
    price *= std::exp(market.drift + radius * std::cos(2 * M_PI * v));
    sum += price;
    price *= std::exp(market.drift + radius * std::sin(2 * M_PI * v));
    sum += price;
  }
  return std::max(sum / kMontecarlosSteps - market.strike, 0.0);
}
inline double montecarlos_wanted_of(unsigned path) {
  unsigned counter = path * kMontecarlosSteps;
  return montecarlos_wanted([&] { return mixed(counter++); });
}
// What each of the first n paths pays.
inline std::shared_ptr<std::vector<double>> montecarlos_all(unsigned n) {
  return std::make_shared<std::vector<double>>(array<double>(n, montecarlos_wanted_of)->host);
}

inline Problem montecarlos_paths_problem(unsigned n) {
  constexpr MontecarlosMarket market = kMontecarlosMarket;
  auto payoffs = room<float>(n);
  return Problem{[=] { montecarlos_paths<<<blocks_of(n), kBlock>>>(market, payoffs->data(), n); },
                 [=] { return agrees(payoffs, montecarlos_wanted_of, 1e-3); }};
}
inline Problem montecarlos_blocks_problem(unsigned n) {
  constexpr MontecarlosMarket market = kMontecarlosMarket;
  const unsigned blocks = blocks_of(n, kMontecarlosSumBlock);
  auto sums = room<float>(blocks);
  auto all = montecarlos_all(n);
  return Problem{
      [=] { montecarlos_blocks<<<blocks, kMontecarlosSumBlock>>>(market, sums->data(), n); },
      [=] {
        return agrees(sums, [=](unsigned block) {
          double sum = 0;
          for (unsigned i = block * kMontecarlosSumBlock;
               i < std::min(n, (block + 1) * kMontecarlosSumBlock); ++i)
            sum += (*all)[i];
          return sum;
        });
      }};
}
inline Problem montecarlos_atomics_problem(unsigned n) {
  constexpr MontecarlosMarket market = kMontecarlosMarket;
  auto total = room<double>(1);
  auto all = montecarlos_all(n);
  return Problem{[=] {
                   montecarlos_atomics<<<std::min(blocks_of(n, 128), 1056u), 128>>>(
                       market, total->data(), n);
                 },
                 [=] {
                   return agrees(
                       total,
                       [=](unsigned) {
                         double sum = 0;
                         for (const double payoff : *all) sum += payoff;
                         return sum;
                       },
                       1e-5);
                 },
                 [=] { clear(total); }};
}
inline Problem montecarlos_xorshift_problem(unsigned n) {
  constexpr MontecarlosMarket market = kMontecarlosMarket;
  const unsigned threads = n / kMontecarlosPaths;
  auto states = array<uint4>(threads, [](unsigned i) {
    return uint4{mixed(4 * i), mixed(4 * i + 1), mixed(4 * i + 2), mixed(4 * i + 3) | 1};
  });
  auto sums = room<float>(threads);
  return Problem{[=] {
                   montecarlos_xorshift<<<blocks_of(threads, 64), 64>>>(market, states->data(),
                                                                        sums->data(), threads);
                 },
                 [=] {
                   return agrees(
                       sums,
                       [=](unsigned i) {
                         uint4 state = states->host[i];
                         double sum = 0;
                         for (unsigned path = 0; path < kMontecarlosPaths; ++path)
                           sum +=
                               montecarlos_wanted([&] { return montecarlos_xorshift_next(state); });
                         return sum;
                       },
                       1e-3);
                 },
                 [=] { states->restore(); }};
}

inline void add_montecarlos(Set& set) {
  const std::vector<unsigned> sizes = {50000, 1000000};
  set.add("montecarlos_paths", sizes, montecarlos_paths_problem);
  set.add("montecarlos_blocks", sizes, montecarlos_blocks_problem);
  set.add("montecarlos_atomics", sizes, montecarlos_atomics_problem);
  set.add("montecarlos_xorshift", sizes, montecarlos_xorshift_problem);
}

}  // namespace timing_set
