// SPDX-License-Identifier: MIT
// Implied volatility: which volatility gives a call option's price by the formula of Black and
// Scholes (no interest). Newton's method until it has converged, each option for itself;
// bisection in double precision on an array of structs; a search in a table of prices; and
// Newton's method along chains of strikes, a thread per chain, where the neighbour's result is
// the first guess.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr float kImpliedClose = 1e-5f;  // of the spot price
constexpr unsigned kImpliedChain = 24;  // strikes of a chain

struct ImpliedQuote {
  float spot, strike, years, price, volatility;
};
struct ImpliedDeal {
  double spot, strike, years, price;
  int customer, flags;
};

__global__ void implied_newton(const float* spot, const float* strike, const float* years,
                               const float* price, float* volatility, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float root = sqrtf(years[i]), moneyness = logf(spot[i] / strike[i]);
  // From here Newton's method cannot overshoot.
  float guess = fmaxf(0.1f, sqrtf(2 * fabsf(moneyness) / years[i]));
  for (int step = 0; step < 30; ++step) {
    const float spread = guess * root;
    const float d1 = moneyness / spread + 0.5f * spread;
    const float value = spot[i] * normcdff(d1) - strike[i] * normcdff(d1 - spread);
    const float miss = value - price[i];
    if (fabsf(miss) < kImpliedClose * spot[i]) break;
    const float slope = spot[i] * root * 0.39894228f * expf(-0.5f * d1 * d1);
    guess = fmaxf(0.01f, guess - miss / slope);
  }
  volatility[i] = guess;
}

__device__ inline double implied_normal(double x) { return 0.5 * erfc(-0.70710678118654752 * x); }

__global__ void implied_bisect(const ImpliedDeal* deals, double* volatility, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const ImpliedDeal& deal = deals[i];
  double low = 0.01, high = 2;
  while (high - low > 1e-6) {
    const double middle = 0.5 * (low + high), spread = middle * sqrt(deal.years);
    const double d1 = log(deal.spot / deal.strike) / spread + 0.5 * spread;
    const double value = deal.spot * implied_normal(d1) - deal.strike * implied_normal(d1 - spread);
    if (value < deal.price)
      low = middle;
    else
      high = middle;
  }
  volatility[i] = 0.5 * (low + high);
}

// Rows of the table are log(strike / spot), columns the spread (volatility times the root of the
// years), and values what an option is worth beyond exercising it now, as a part of the spot
// price.
constexpr unsigned kImpliedRows = 257, kImpliedColumns = 512;
constexpr float kImpliedRowStep = 0.01f, kImpliedColumnStep = 0.002f;

__device__ inline float implied_search(const float* row, float value) {
  unsigned low = 0, high = kImpliedColumns - 1;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (row[middle] <= value)
      low = middle;
    else
      high = middle;
  }
  const float part = (value - row[low]) / fmaxf(row[high] - row[low], 1e-20f);
  return (low + 1 + fminf(fmaxf(part, 0.0f), 1.0f)) * kImpliedColumnStep;
}

__global__ void implied_table(const float4* __restrict__ quotes, const float* __restrict__ table,
                              float* __restrict__ volatility, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 quote = quotes[i];  // spot, strike, years, price
  const float value = (quote.w - fmaxf(0.0f, quote.x - quote.y)) / quote.x;
  const float place = __logf(quote.y / quote.x) / kImpliedRowStep + kImpliedRows / 2;
  const float row = fminf(fmaxf(floorf(place), 0.0f), kImpliedRows - 2.0f);
  const float* first = table + static_cast<unsigned>(row) * kImpliedColumns;
  const float below = implied_search(first, value);
  const float above = implied_search(first + kImpliedColumns, value);
  volatility[i] = (below + (above - below) * (place - row)) * rsqrtf(quote.z);
}

// A polynomial of Abramowitz and Stegun.
__device__ inline float implied_fast_normal(float x) {
  const float t = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(x));
  const float sum =
      t * (0.31938153f +
           t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  const float tail = 0.39894228f * __expf(-0.5f * x * x) * sum;
  return x > 0 ? 1 - tail : tail;
}

__global__ void implied_chain(const float* spot, const float* years, const float* strike,
                              const float* price, float* volatility, unsigned chains) {
  const unsigned chain = thread_number();
  if (chain >= chains) return;
  const float s = spot[chain], root = sqrtf(years[chain]);
  float guess = 0.3f;
  for (unsigned k = chain * kImpliedChain; k < (chain + 1) * kImpliedChain; ++k) {
    const float x = strike[k], wanted = price[k], moneyness = __logf(s / x);
    if (k == chain * kImpliedChain) guess = sqrtf(2 * fabsf(moneyness)) / root;
    float miss;
    int left = 20;
    do {
      const float spread = guess * root;
      const float d1 = __fdividef(moneyness, spread) + 0.5f * spread;
      miss = s * implied_fast_normal(d1) - x * implied_fast_normal(d1 - spread) - wanted;
      guess -= __fdividef(miss, s * root * 0.39894228f * __expf(-0.5f * d1 * d1));
    } while (fabsf(miss) > kImpliedClose * s && --left > 0);
    volatility[k] = guess;
  }
}

inline double implied_price(double spot, double strike, double years, double volatility) {
  const double spread = volatility * std::sqrt(years);
  const double d1 = std::log(spot / strike) / spread + spread / 2;
  return spot * std::erfc(-d1 / std::sqrt(2.0)) / 2 -
         strike * std::erfc((spread - d1) / std::sqrt(2.0)) / 2;
}
// A strike so many standard deviations from the spot price: farther out prices say little.
inline ImpliedQuote implied_quote(double spot, double years, double volatility, double deviations) {
  ImpliedQuote quote;
  quote.spot = static_cast<float>(spot);
  quote.years = static_cast<float>(years);
  quote.volatility = static_cast<float>(volatility);
  quote.strike = static_cast<float>(spot * std::exp(volatility * std::sqrt(years) * deviations));
  quote.price =
      static_cast<float>(implied_price(quote.spot, quote.strike, quote.years, quote.volatility));
  return quote;
}
inline double implied_part(unsigned i, unsigned k) { return (mixed(4 * i + k) >> 8) / 16777216.0; }
inline ImpliedQuote implied_any(unsigned i) {
  return implied_quote(50 + 100 * implied_part(i, 0), 0.2 + 1.8 * implied_part(i, 1),
                       0.1 + 0.5 * implied_part(i, 2), 3 * implied_part(i, 3) - 1.5);
}
inline Shared<float> implied_column(const Shared<ImpliedQuote>& quotes, float ImpliedQuote::*part,
                                    unsigned every = 1) {
  return array<float>(quotes->size() / every,
                      [&](unsigned i) { return quotes->host[i * every].*part; });
}

inline Problem implied_newton_problem(unsigned n) {
  auto quotes = array<ImpliedQuote>(n, implied_any);
  auto spot = implied_column(quotes, &ImpliedQuote::spot);
  auto strike = implied_column(quotes, &ImpliedQuote::strike);
  auto years = implied_column(quotes, &ImpliedQuote::years);
  auto price = implied_column(quotes, &ImpliedQuote::price);
  auto out = room<float>(n);
  return Problem{[=] {
                   implied_newton<<<blocks_of(n), kBlock>>>(
                       spot->data(), strike->data(), years->data(), price->data(), out->data(), n);
                 },
                 [=] {
                   return agrees(
                       out, [&](unsigned i) { return implied_any(i).volatility; }, 1e-3);
                 }};
}

inline Problem implied_bisect_problem(unsigned n) {
  auto deals = array<ImpliedDeal>(n, [](unsigned i) {
    const ImpliedQuote quote = implied_any(i);
    return ImpliedDeal{
        quote.spot,          quote.strike,
        quote.years,         implied_price(quote.spot, quote.strike, quote.years, quote.volatility),
        static_cast<int>(i), 0};
  });
  auto out = room<double>(n);
  return Problem{[=] { implied_bisect<<<blocks_of(n, 128), 128>>>(deals->data(), out->data(), n); },
                 [=] {
                   return agrees(
                       out, [](unsigned i) { return implied_any(i).volatility; }, 1e-5);
                 }};
}

inline Problem implied_table_problem(unsigned n) {
  auto quotes = array<float4>(n, [](unsigned i) {
    const ImpliedQuote quote = implied_any(i);
    return make_float4(quote.spot, quote.strike, quote.years, quote.price);
  });
  auto table = array<float>(kImpliedRows * kImpliedColumns, [](unsigned i) {
    const double row = static_cast<double>(i / kImpliedColumns) - kImpliedRows / 2;
    const double strike = std::exp(row * kImpliedRowStep);
    const double spread = (i % kImpliedColumns + 1) * kImpliedColumnStep;
    return implied_price(1, strike, 1, spread) - std::max(0.0, 1 - strike);
  });
  auto out = room<float>(n);
  return Problem{[=] {
                   implied_table<<<blocks_of(n, 1024), 1024>>>(quotes->data(), table->data(),
                                                               out->data(), n);
                 },
                 [=] {
                   return agrees(
                       out, [](unsigned i) { return implied_any(i).volatility; }, 1e-2);
                 }};
}

inline Problem implied_chain_problem(unsigned n) {
  const unsigned chains = n / kImpliedChain;
  auto quotes = array<ImpliedQuote>(chains * kImpliedChain, [](unsigned i) {
    const unsigned chain = i / kImpliedChain, k = i % kImpliedChain;
    const double smile = 0.0004 * (k - 10.0) * (k - 10.0);
    return implied_quote(50 + 100 * implied_part(chain, 0), 0.2 + 1.8 * implied_part(chain, 1),
                         0.15 + 0.4 * implied_part(chain, 2) + smile, 0.12 * k - 1.4);
  });
  auto spot = implied_column(quotes, &ImpliedQuote::spot, kImpliedChain);
  auto years = implied_column(quotes, &ImpliedQuote::years, kImpliedChain);
  auto strike = implied_column(quotes, &ImpliedQuote::strike);
  auto price = implied_column(quotes, &ImpliedQuote::price);
  auto out = room<float>(chains * kImpliedChain);
  return Problem{[=] {
                   implied_chain<<<blocks_of(chains, 64), 64>>>(spot->data(), years->data(),
                                                                strike->data(), price->data(),
                                                                out->data(), chains);
                 },
                 [=] {
                   return agrees(
                       out, [&](unsigned i) { return quotes->host[i].volatility; }, 1e-3);
                 }};
}

inline void add_implied(Set& set) {
  const std::vector<unsigned> sizes = {4800, 120000, 1800000};  // whole chains
  set.add("implied_newton", sizes, implied_newton_problem);
  set.add("implied_bisect", {500, 12000, 300000}, implied_bisect_problem);
  set.add("implied_table", sizes, implied_table_problem);
  set.add("implied_chain", sizes, implied_chain_problem);
}

}  // namespace timing_set
