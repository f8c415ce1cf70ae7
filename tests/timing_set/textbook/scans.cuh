// SPDX-License-Identifier: MIT
// Prefix sums within chunks of 1024 numbers, one block a chunk: by Hillis and Steele with two buffers, by Blelloch's tree
// in padded shared memory, by shuffles where flagged elements start a new sum, and with eight numbers a thread, which
// makes wide offsets from counts.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kScansChunk = 1024;

__global__ void scans_hillis(const int* in, int* out, unsigned n) {
  __shared__ int buffer[2][kScansChunk];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + t;
  int now = 0;
  buffer[now][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < kScansChunk; distance *= 2) {
    const int before = now;
    now = 1 - now;
    if (t >= distance)
      buffer[now][t] = buffer[before][t] + buffer[before][t - distance];
    else
      buffer[now][t] = buffer[before][t];
    __syncthreads();
  }
  if (i < n) out[i] = buffer[now][t];
}

// One element of padding for every 32, against bank conflicts.
__device__ inline unsigned scans_padded(unsigned i) { return i + i / 32; }

__global__ void scans_blelloch(const double* __restrict__ in, double* __restrict__ out,
                               double* __restrict__ totals, unsigned n) {
  __shared__ double tree[kScansChunk + kScansChunk / 32];
  const unsigned t = threadIdx.x;
  const unsigned a = t, b = t + kScansChunk / 2;
  const unsigned start = blockIdx.x * kScansChunk;
  tree[scans_padded(a)] = start + a < n ? in[start + a] : 0.0;
  tree[scans_padded(b)] = start + b < n ? in[start + b] : 0.0;
  unsigned offset = 1;
  for (unsigned d = kScansChunk / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      const unsigned left = scans_padded(offset * (2 * t + 1) - 1);
      const unsigned right = scans_padded(offset * (2 * t + 2) - 1);
      tree[right] += tree[left];
    }
    offset *= 2;
  }
  if (t == 0) {
    totals[blockIdx.x] = tree[scans_padded(kScansChunk - 1)];
    tree[scans_padded(kScansChunk - 1)] = 0;
  }
  for (unsigned d = 1; d < kScansChunk; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const unsigned left = scans_padded(offset * (2 * t + 1) - 1);
      const unsigned right = scans_padded(offset * (2 * t + 2) - 1);
      const double kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  __syncthreads();
  if (start + a < n) out[start + a] = tree[scans_padded(a)];
  if (start + b < n) out[start + b] = tree[scans_padded(b)];
}

// The sum within the warp since the last head; whether there was a head at or before this lane.
__device__ inline float scans_since_head(float x, bool head, unsigned lane, bool& after_head) {
  const unsigned heads = __ballot_sync(kAll, head) & (kAll >> (31 - lane));
  const unsigned first = heads ? 31 - __clz(heads) : 0;
  for (unsigned d = 1; d < 32; d *= 2) {
    const float left = __shfl_up_sync(kAll, x, d);
    if (lane >= first + d) x += left;
  }
  after_head = heads != 0;
  return x;
}

__global__ void __launch_bounds__(kScansChunk)
    scans_segmented(const float* __restrict__ in, const unsigned char* __restrict__ heads,
                    float* __restrict__ out, unsigned n) {
  __shared__ float sums[32];
  __shared__ bool cut[32];
  const unsigned i = thread_number();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  bool after_head;
  float x = i < n ? in[i] : 0.0f;
  x = scans_since_head(x, i < n && heads[i] != 0, lane, after_head);
  if (lane == 31) {
    sums[warp] = x;
    cut[warp] = after_head;
  }
  __syncthreads();
  if (warp == 0) {
    bool unused_here;
    sums[lane] = scans_since_head(sums[lane], cut[lane], lane, unused_here);
  }
  __syncthreads();
  if (warp > 0 && !after_head) x += sums[warp - 1];
  if (i < n) out[i] = x;
}

__global__ void scans_items(const int4* counts, longlong2* offsets, unsigned eighths) {
  __shared__ long long of_warp[4];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int item[8] = {};
  if (i < eighths) {
    const int4 low = counts[2 * i], high = counts[2 * i + 1];
    item[0] = low.x, item[1] = low.y, item[2] = low.z, item[3] = low.w;
    item[4] = high.x, item[5] = high.y, item[6] = high.z, item[7] = high.w;
  }
  long long mine = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) mine += item[k];
  long long upto = mine;
  for (unsigned d = 1; d < 32; d *= 2) {
    const long long left = __shfl_up_sync(kAll, upto, d);
    if (lane >= d) upto += left;
  }
  if (lane == 31) of_warp[warp] = upto;
  __syncthreads();
  long long offset = upto - mine;
  for (unsigned w = 0; w < warp; ++w) offset += of_warp[w];
  if (i >= eighths) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    offsets[4 * i + k] = make_longlong2(offset, offset + item[2 * k]);
    offset += item[2 * k] + item[2 * k + 1];
  }
}

// The sum of the values from the start of i's chunk up to and without `end`.
template <class T>
double scans_wanted(const Shared<T>& values, unsigned i, unsigned end) {
  double sum = 0;
  for (unsigned k = i / kScansChunk * kScansChunk; k < end; ++k) sum += values->host[k];
  return sum;
}

inline Problem scans_hillis_problem(unsigned n) {
  auto in = array<int>(n, [](unsigned i) { return static_cast<int>(mixed(i) % 2000) - 700; });
  auto out = room<int>(n);
  return Problem{
      [=] { scans_hillis<<<blocks_of(n, kScansChunk), kScansChunk>>>(in->data(), out->data(), n); },
      [=] {
        return agrees(
            out, [&](unsigned i) { return scans_wanted(in, i, i + 1); }, 0);
      }};
}

inline Problem scans_blelloch_problem(unsigned n) {
  const unsigned blocks = blocks_of(n, kScansChunk);
  auto in = uniform<double>(n, 22);
  auto out = room<double>(n), totals = room<double>(blocks);
  return Problem{[=] {
                   scans_blelloch<<<blocks, kScansChunk / 2>>>(in->data(), out->data(),
                                                               totals->data(), n);
                 },
                 [=] {
                   const auto total = [&](unsigned b) {
                     const unsigned start = b * kScansChunk;
                     return scans_wanted(in, start, std::min(start + kScansChunk, n));
                   };
                   return agrees(
                              out, [&](unsigned i) { return scans_wanted(in, i, i); }, 1e-9) &&
                          agrees(totals, total, 1e-9);
                 }};
}

inline Problem scans_segmented_problem(unsigned n) {
  auto in = uniform(n, 23);
  // Segments of a few elements in some places, of some hundred in others.
  auto heads = array<unsigned char>(
      n, [](unsigned i) { return mixed(i + 77) % (mixed(i / 3000) % 3 == 0 ? 200 : 9) == 0; });
  auto out = room<float>(n);
  return Problem{[=] {
                   scans_segmented<<<blocks_of(n, kScansChunk), kScansChunk>>>(
                       in->data(), heads->data(), out->data(), n);
                 },
                 [=] {
                   return agrees(out, [&](unsigned i) {
                     unsigned start = i;
                     while (start % kScansChunk != 0 && !heads->host[start]) --start;
                     return scans_wanted(in, i, i + 1) - scans_wanted(in, i, start);
                   });
                 }};
}

inline Problem scans_items_problem(unsigned n) {
  auto counts = array<int>(n, [](unsigned i) { return mixed(i + 5) % (1u << mixed(i) % 22); });
  auto offsets = room<long long>(n);
  return Problem{[=] {
                   scans_items<<<blocks_of(n, kScansChunk), kScansChunk / 8>>>(
                       reinterpret_cast<const int4*>(counts->data()),
                       reinterpret_cast<longlong2*>(offsets->data()), n / 8);
                 },
                 [=] {
                   return agrees(
                       offsets, [&](unsigned i) { return scans_wanted(counts, i, i); }, 0);
                 }};
}

inline void add_scans(Set& set) {
  const std::vector<unsigned> sizes = {9000, 1100000, 4400000};  // multiples of eight
  set.add("scans_hillis", sizes, scans_hillis_problem);
  set.add("scans_blelloch", sizes, scans_blelloch_problem);
  set.add("scans_segmented", sizes, scans_segmented_problem);
  set.add("scans_items", sizes, scans_items_problem);
}

}  // namespace timing_set
