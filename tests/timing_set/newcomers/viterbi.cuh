// SPDX-License-Identifier: MIT
// The likeliest path through hidden states, for many short frames. Three decoders of a
// convolutional code with 64 states: a thread per frame with all metrics in arrays of its own, a
// thread per state with shared memory, a warp per frame with two states per lane and shuffles. And
// a hidden Markov model with dense transitions in double precision.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kViterbiStates = 64, kViterbiSteps = 96, kViterbiTail = 6;
constexpr int kViterbiFar = 1000;  // the metric of a state in which no frame begins
constexpr unsigned kViterbiHidden = 32, kViterbiSeen = 16;

// The two bits that the encoder sends with these seven in its register.
__host__ __device__ inline unsigned viterbi_symbol(unsigned bits) {
  unsigned both = (bits & 0171) << 8 | (bits & 0133);
  both ^= both >> 4;
  both ^= both >> 2;
  both ^= both >> 1;
  return (both >> 8 & 1) * 2 + (both & 1);
}
__host__ __device__ inline int viterbi_cost(unsigned sent, unsigned heard) {
  return int(((sent ^ heard) & 1) + ((sent ^ heard) >> 1));
}

__global__ void viterbi_thread(const unsigned char* heard, const unsigned char* symbols,
                               unsigned long long* decisions, unsigned char* out, unsigned frames) {
  const unsigned f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= frames) return;
  int metric[2][kViterbiStates];
  for (unsigned s = 0; s < kViterbiStates; ++s) metric[0][s] = s == 0 ? 0 : kViterbiFar;
  for (unsigned t = 0; t < kViterbiSteps; ++t) {
    const int* old = metric[t % 2];
    int* now = metric[1 - t % 2];
    const unsigned h = heard[f * kViterbiSteps + t];
    unsigned long long chosen = 0;
    for (unsigned s = 0; s < kViterbiStates; ++s) {
      const int low = old[s / 2] + viterbi_cost(symbols[s], h);
      const int high = old[s / 2 + 32] + viterbi_cost(symbols[s + 64], h);
      now[s] = high < low ? high : low;
      if (high < low) chosen |= 1ull << s;
    }
    decisions[t * frames + f] = chosen;
  }
  unsigned s = 0;  // the tail's zeros lead there
  for (int t = kViterbiSteps - 1; t >= 0; --t) {
    out[f * kViterbiSteps + t] = s & 1;
    s = s / 2 + (decisions[t * frames + f] >> s & 1) * 32;
  }
}

__global__ void viterbi_block(const unsigned char* __restrict__ heard, unsigned* decisions,
                              unsigned char* __restrict__ out) {
  __shared__ int metric[2][kViterbiStates];
  const unsigned s = threadIdx.x, f = blockIdx.x;
  const unsigned first = viterbi_symbol(s), second = viterbi_symbol(s + 64);
  unsigned* mine = decisions + f * kViterbiSteps * 2;
  metric[0][s] = s == 0 ? 0 : kViterbiFar;
  __syncthreads();
  for (unsigned t = 0; t < kViterbiSteps; ++t) {
    const unsigned h = heard[f * kViterbiSteps + t];
    const int low = metric[t % 2][s / 2] + viterbi_cost(first, h);
    const int high = metric[t % 2][s / 2 + 32] + viterbi_cost(second, h);
    metric[1 - t % 2][s] = min(low, high);
    const unsigned chosen = __ballot_sync(kAll, high < low);
    if (s % 32 == 0) mine[t * 2 + s / 32] = chosen;
    __syncthreads();
  }
  if (s == 0) {
    unsigned at = 0;
    for (int t = kViterbiSteps - 1; t >= 0; --t) {
      out[f * kViterbiSteps + t] = at & 1;
      at = at / 2 + (mine[t * 2 + at / 32] >> (at % 32) & 1) * 32;
    }
  }
}

__global__ void __launch_bounds__(128)
    viterbi_warp(const unsigned char* __restrict__ heard, unsigned* __restrict__ packed,
                 unsigned frames) {
  __shared__ uint2 chosen[4][kViterbiSteps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned f = blockIdx.x * 4 + warp;
  if (f >= frames) return;
  const unsigned sent[4] = {viterbi_symbol(lane), viterbi_symbol(lane + 64),
                            viterbi_symbol(lane + 32), viterbi_symbol(lane + 96)};
  int a = lane == 0 ? 0 : kViterbiFar, b = kViterbiFar;  // of states lane and lane + 32
  for (unsigned part = 0; part < kViterbiSteps / 32; ++part) {
    const unsigned symbols = heard[f * kViterbiSteps + part * 32 + lane];
    for (unsigned t = 0; t < 32; ++t) {
      const unsigned h = __shfl_sync(kAll, symbols, t);
      const int low_a = __shfl_sync(kAll, a, lane / 2) + viterbi_cost(sent[0], h);
      const int high_a = __shfl_sync(kAll, b, lane / 2) + viterbi_cost(sent[1], h);
      const int low_b = __shfl_sync(kAll, a, lane / 2 + 16) + viterbi_cost(sent[2], h);
      const int high_b = __shfl_sync(kAll, b, lane / 2 + 16) + viterbi_cost(sent[3], h);
      const unsigned in_a = __ballot_sync(kAll, high_a < low_a);
      const unsigned in_b = __ballot_sync(kAll, high_b < low_b);
      a = min(low_a, high_a);
      b = min(low_b, high_b);
      if (lane == 0) chosen[warp][part * 32 + t] = make_uint2(in_a, in_b);
    }
  }
  __syncwarp();
  if (lane != 0) return;
  unsigned at = 0;
  for (int part = kViterbiSteps / 32 - 1; part >= 0; --part) {
    unsigned word = 0;
    for (int t = 31; t >= 0; --t) {
      word |= (at & 1) << t;
      const uint2 both = chosen[warp][part * 32 + t];
      at = at / 2 + ((at < 32 ? both.x : both.y) >> (at % 32) & 1) * 32;
    }
    packed[f * (kViterbiSteps / 32) + part] = word;
  }
}

// Only forward: the host reads the path it wants backwards, where each state came from.
__global__ void viterbi_dense(const unsigned char* seen, const double* steps, const double* shows,
                              unsigned char* from, double* score, unsigned frames) {
  __shared__ double step[kViterbiHidden * kViterbiHidden];
  for (unsigned i = threadIdx.x; i < kViterbiHidden * kViterbiHidden; i += blockDim.x)
    step[i] = steps[i];
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, f = thread_number() / 32;
  if (f >= frames) return;
  double mine = shows[seen[f * kViterbiSteps] * kViterbiHidden + lane];
  for (unsigned t = 1; t < kViterbiSteps; ++t) {
    double best = __shfl_sync(kAll, mine, 0) + step[lane];
    unsigned which = 0;
    for (unsigned p = 1; p < kViterbiHidden; ++p) {
      const double other = __shfl_sync(kAll, mine, p) + step[p * kViterbiHidden + lane];
      if (other > best) best = other, which = p;
    }
    mine = best + shows[seen[f * kViterbiSteps + t] * kViterbiHidden + lane];
    from[(f * kViterbiSteps + t) * kViterbiHidden + lane] = which;
  }
  score[f * kViterbiHidden + lane] = mine;
}

inline unsigned viterbi_bit(unsigned f, int t) {
  return t < 0 || t >= int(kViterbiSteps - kViterbiTail) ? 0 : mixed(f * 1009 + t) & 1;
}
// Few enough errors, and far enough apart, that a right decoder finds the message.
inline Shared<unsigned char> viterbi_heard(unsigned frames) {
  return array<unsigned char>(frames * kViterbiSteps, [](unsigned i) {
    const unsigned f = i / kViterbiSteps, t = i % kViterbiSteps;
    unsigned bits = 0;
    for (int back = 6; back >= 0; --back) bits = bits * 2 + viterbi_bit(f, int(t) - back);
    return viterbi_symbol(bits) ^ (t % 16 == mixed(f * 7 + t / 16) % 8 ? 1 + f % 2 : 0);
  });
}
inline unsigned viterbi_sent(unsigned i) {
  return viterbi_bit(i / kViterbiSteps, i % kViterbiSteps);
}

inline Problem viterbi_thread_problem(unsigned frames) {
  auto heard = viterbi_heard(frames);
  auto symbols = array<unsigned char>(128, viterbi_symbol);
  auto decisions = room<unsigned long long>(frames * kViterbiSteps);
  auto out = room<unsigned char>(frames * kViterbiSteps);
  const auto launch = [=] {
    viterbi_thread<<<blocks_of(frames, 64), 64>>>(heard->data(), symbols->data(), decisions->data(),
                                                  out->data(), frames);
  };
  return Problem{launch, [=] { return agrees(out, viterbi_sent); }};
}
inline Problem viterbi_block_problem(unsigned frames) {
  auto heard = viterbi_heard(frames);
  auto decisions = room<unsigned>(frames * kViterbiSteps * 2);
  auto out = room<unsigned char>(frames * kViterbiSteps);
  const auto launch = [=] {
    viterbi_block<<<frames, 64>>>(heard->data(), decisions->data(), out->data());
  };
  return Problem{launch, [=] { return agrees(out, viterbi_sent); }};
}
inline Problem viterbi_warp_problem(unsigned frames) {
  auto heard = viterbi_heard(frames);
  auto packed = room<unsigned>(frames * (kViterbiSteps / 32));
  const auto wanted = [](unsigned word) {
    unsigned bits = 0;
    for (unsigned t = 0; t < 32; ++t) bits |= viterbi_sent(word * 32 + t) << t;
    return bits;
  };
  const auto launch = [=] {
    viterbi_warp<<<blocks_of(frames, 4), 128>>>(heard->data(), packed->data(), frames);
  };
  return Problem{launch, [=] { return agrees(packed, wanted, 1e-11); }};
}

inline double viterbi_log(unsigned i) { return -double(mixed(i) % 4096) / 256; }  // exact sums

inline bool viterbi_same(const unsigned char* seen, const unsigned char* from,
                         const double* score) {
  std::vector<double> best(kViterbiHidden, 0), next(kViterbiHidden);
  for (unsigned t = 0; t < kViterbiSteps; ++t) {
    for (unsigned s = 0; s < kViterbiHidden; ++s) {
      const auto via = [&](unsigned p) {
        return t == 0 ? 0 : best[p] + viterbi_log(p * kViterbiHidden + s);
      };
      unsigned which = 0;
      for (unsigned p = 1; p < kViterbiHidden; ++p)
        if (via(p) > via(which)) which = p;
      next[s] = via(which) + viterbi_log(5000 + seen[t] * kViterbiHidden + s);
      if (t > 0 && from[t * kViterbiHidden + s] != which) return false;
    }
    best.swap(next);
  }
  return std::equal(best.begin(), best.end(), score);
}

inline Problem viterbi_dense_problem(unsigned frames) {
  auto seen = array<unsigned char>(frames * kViterbiSteps,
                                   [](unsigned i) { return mixed(i + 99) % kViterbiSeen; });
  auto steps = array<double>(kViterbiHidden * kViterbiHidden, viterbi_log);
  auto shows = array<double>(kViterbiSeen * kViterbiHidden,
                             [](unsigned i) { return viterbi_log(5000 + i); });
  auto from = room<unsigned char>(frames * kViterbiSteps * kViterbiHidden);
  auto score = room<double>(frames * kViterbiHidden);
  const auto launch = [=] {
    viterbi_dense<<<blocks_of(frames, 2), 64>>>(seen->data(), steps->data(), shows->data(),
                                                from->data(), score->data(), frames);
  };
  return Problem{launch, [=] {
                   const std::vector<unsigned char> origins = from->device.download();
                   const std::vector<double> scores = score->device.download();
                   for (unsigned f = 0; f < frames; f += (frames - 1 - f) / 20 + 1)
                     if (!viterbi_same(&seen->host[f * kViterbiSteps],
                                       &origins[f * kViterbiSteps * kViterbiHidden],
                                       &scores[f * kViterbiHidden]))
                       return false;
                   return true;
                 }};
}

inline void add_viterbi(Set& set) {
  const std::vector<unsigned> sizes = {20, 500, 6000};  // frames
  set.add("viterbi_thread", sizes, viterbi_thread_problem);
  set.add("viterbi_block", sizes, viterbi_block_problem);
  set.add("viterbi_warp", sizes, viterbi_warp_problem);
  set.add("viterbi_dense", {10, 121, 2000}, viterbi_dense_problem);
}

}  // namespace timing_set
