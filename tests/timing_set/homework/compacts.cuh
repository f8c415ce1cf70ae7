// SPDX-License-Identifier: MIT
// Compaction: of n particles (x, y, z and an energy w) those of high energy are kept, one in eight,
// and written side by side, in any order.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kCompactsLimit = 0.875f;

// One counter for all.
__global__ void compacts_counter(const float4* in, float4* out, unsigned* count, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 p = in[i];
  if (p.w >= kCompactsLimit) out[atomicAdd(count, 1u)] = p;
}

// A warp asks once for all its lanes.
__global__ void compacts_warps(const float4* __restrict__ in, float4* __restrict__ out,
                               unsigned* count, unsigned n) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  const bool keep = i < n && in[i].w >= kCompactsLimit;
  const unsigned kept = __ballot_sync(kAll, keep);
  unsigned first = 0;
  if (lane == 0 && kept != 0) first = atomicAdd(count, __popc(kept));
  first = __shfl_sync(kAll, first, 0);
  if (keep) out[first + __popc(kept & ((1u << lane) - 1))] = in[i];
}

// A block adds up its flags in shared memory and asks once.
constexpr unsigned kCompactsBlock = 512;
__global__ void compacts_blocks(const float4* __restrict__ in, float4* __restrict__ out,
                                unsigned* count, unsigned n) {
  __shared__ unsigned sums[kCompactsBlock];
  __shared__ unsigned first;
  const unsigned i = thread_number(), t = threadIdx.x;
  const float4 p = i < n ? in[i] : make_float4(0, 0, 0, 0);
  const bool keep = p.w >= kCompactsLimit;
  sums[t] = keep ? 1 : 0;
  __syncthreads();
  for (unsigned d = 1; d < kCompactsBlock; d *= 2) {
    const unsigned before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  if (t == kCompactsBlock - 1) first = atomicAdd(count, sums[t]);
  __syncthreads();
  if (keep) out[first + sums[t] - 1] = p;
}

// Others have found which to keep, and where to.
__global__ void compacts_offsets(const float4* in, const unsigned char* flags,
                                 const unsigned* offsets, float4* out, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x)
    if (flags[i]) out[offsets[i]] = in[i];
}

// x is the number of the particle.
inline float4 compacts_particle(unsigned i) {
  return {static_cast<float>(i), (mixed(i ^ 0x1000000u) >> 16) / 65536.f,
          (mixed(i ^ 0x2000000u) >> 16) / 65536.f, (mixed(i ^ 0x3000000u) >> 16) / 65536.f};
}
inline Shared<float4> compacts_input(unsigned n) { return array<float4>(n, compacts_particle); }
// All that are to be kept are among the first, and only they.
inline bool compacts_right(const Shared<float4>& in, const Shared<float4>& out, unsigned count) {
  std::vector<float4> wanted;
  for (const float4& p : in->host)
    if (p.w >= kCompactsLimit) wanted.push_back(p);
  if (wanted.size() != count) return false;
  std::vector<float4> got = out->device.download();
  got.resize(count);
  std::sort(got.begin(), got.end(), [](const float4& a, const float4& b) { return a.x < b.x; });
  return std::equal(got.begin(), got.end(), wanted.begin(), [](const float4& a, const float4& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
  });
}
// A problem of which launch(in, out, count) is the kernel's.
template <class Launch>
Problem compacts_problem(unsigned n, Launch launch) {
  auto in = compacts_input(n), out = room<float4>(n);
  auto count = room<unsigned>(1);
  return Problem{[=] { launch(in->data(), out->data(), count->data()); },
                 [=] { return compacts_right(in, out, count->device.download()[0]); },
                 [=] { clear(count); }};
}

inline void add_compacts(Set& set) {
  const std::vector<unsigned> sizes = {50000, 3000000};
  set.add("compacts_counter", sizes, [](unsigned n) {
    return compacts_problem(n, [n](const float4* in, float4* out, unsigned* count) {
      compacts_counter<<<blocks_of(n), kBlock>>>(in, out, count, n);
    });
  });
  set.add("compacts_warps", sizes, [](unsigned n) {
    return compacts_problem(n, [n](const float4* in, float4* out, unsigned* count) {
      compacts_warps<<<blocks_of(n, 128), 128>>>(in, out, count, n);
    });
  });
  set.add("compacts_blocks", sizes, [](unsigned n) {
    return compacts_problem(n, [n](const float4* in, float4* out, unsigned* count) {
      compacts_blocks<<<blocks_of(n, kCompactsBlock), kCompactsBlock>>>(in, out, count, n);
    });
  });
  set.add("compacts_offsets", sizes, [](unsigned n) {
    auto in = compacts_input(n), out = room<float4>(n);
    std::vector<unsigned char> keep(n);
    std::vector<unsigned> where(n);
    unsigned count = 0;
    for (unsigned i = 0; i < n; ++i) {
      keep[i] = in->host[i].w >= kCompactsLimit;
      where[i] = count;
      count += keep[i];
    }
    auto flags = array(std::move(keep));
    auto offsets = array(std::move(where));
    return Problem{[=] {
                     compacts_offsets<<<std::min(264u, blocks_of(n, 1024)), 1024>>>(
                         in->data(), flags->data(), offsets->data(), out->data(), n);
                   },
                   [=] { return compacts_right(in, out, count); }};
  });
}

}  // namespace timing_set
