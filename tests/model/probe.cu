// SPDX-License-Identifier: MIT
// Sums that are no rungs of a lesson, CUB's scan and a copy: what the timing model is judged on and was never calibrated
// with. Times them at 2^14 to 2^24 elements and writes JSON, on a GPU or on the emulator.
//
//   probe [FILE [MOST]]     up to 2^MOST elements
//
// Without MODEL_LIBRARY it is built without CUB, which takes long to compile, and without the copy.
// Each kernel ends with one atomicAdd per block, or with the last block's sum of all blocks.
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#ifdef MODEL_LIBRARY
#include <cub/device/device_scan.cuh>
#endif

#include "recorder.cuh"

namespace {

using namespace model;

constexpr unsigned kAll = 0xffffffffu;
constexpr int kBlock = 256;

enum class Tree { Modulo, Strided, Sequential };

template <Tree tree>
__global__ void tree_sum(const float* in, std::size_t n, float* total) {
  __shared__ float sums[kBlock];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (tree == Tree::Modulo) {
    for (unsigned s = 1; s < kBlock; s *= 2) {
      if (t % (2 * s) == 0) sums[t] += sums[t + s];
      __syncthreads();
    }
  } else if (tree == Tree::Strided) {
    for (unsigned s = 1; s < kBlock; s *= 2) {
      const unsigned at = 2 * s * t;
      if (at < kBlock) sums[at] += sums[at + s];
      __syncthreads();
    }
  } else {
    for (unsigned s = kBlock / 2; s > 0; s /= 2) {
      if (t < s) sums[t] += sums[t + s];
      __syncthreads();
    }
  }
  if (t == 0) atomicAdd(total, sums[0]);
}

template <int Threads>
__device__ float block_sum(float v) {
  __shared__ float of_warp[32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(kAll, v, d);
  __syncthreads();  // the last block comes here twice
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  v = threadIdx.x < Threads / 32 ? of_warp[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(kAll, v, d);
  return v;
}

__global__ void shuffle_sum(const float* in, std::size_t n, float* total) {
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
  const float sum = block_sum<kBlock>(i < n ? in[i] : 0);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

__global__ void stride_sum(const float* in, std::size_t n, float* total) {
  float v = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * kBlock)
    v += in[i];
  const float sum = block_sum<kBlock>(v);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

__device__ float add(float4 v) { return (v.x + v.y) + (v.z + v.w); }

template <int InFlight, bool Streaming>
__device__ float share_of_fours(const float* in, std::size_t n) {
  const auto* const fours = reinterpret_cast<const float4*>(in);
  const std::size_t count = n / 4, threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float v = 0;
  for (; i + (InFlight - 1) * threads < count; i += InFlight * threads) {
    float4 got[InFlight];
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      got[k] = Streaming ? __ldcs(fours + i + k * threads) : fours[i + k * threads];
#pragma unroll
    for (int k = 0; k < InFlight; ++k) v += add(got[k]);
  }
  for (; i < count; i += threads) v += add(fours[i]);
  return v;
}

template <int InFlight>
__global__ void fours_sum(const float* in, std::size_t n, float* total) {
  const float sum = block_sum<kBlock>(share_of_fours<InFlight, false>(in, n));
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

template <int Threads, int InFlight, bool Streaming>
__global__ void ticket_sum(const float* in, std::size_t n, float* partial, unsigned* ticket,
                           float* total) {
  __shared__ bool last;
  const float sum = block_sum<Threads>(share_of_fours<InFlight, Streaming>(in, n));
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  float v = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += Threads)
    v += static_cast<volatile float*>(partial)[i];
  const float all = block_sum<Threads>(v);
  if (threadIdx.x == 0) {
    *total = all;
    *ticket = 0;
  }
}

struct Sums {
  Recorder& recorder;
  const float* in;
  std::size_t n;
  double truth;
  float *total, *partial;
  unsigned* ticket;

  template <class Launch>
  void row(const char* id, Launch&& launch) const {
    COURSE_CHECK(cudaMemset(total, 0, sizeof(float)));
    launch();
    COURSE_CHECK(cudaGetLastError());
    float got = 0;
    COURSE_CHECK(cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost));
    if (got != truth) throw std::runtime_error(std::string(id) + ": a wrong sum");
    time(id, launch);
  }
  template <class Launch>
  void time(const char* id, Launch&& launch) const {
    recorder.time(id, {{"exponent", std::lround(std::log2(static_cast<double>(n)))}}, launch);
  }
  unsigned blocks(int per_thread, int threads, int per_sm) const {
    const std::size_t needed =
        (n + std::size_t(per_thread) * threads - 1) / (std::size_t(per_thread) * threads);
    const std::size_t most = static_cast<std::size_t>(per_sm) * recorder.device.multiprocessors;
    return static_cast<unsigned>(needed < most ? needed : most);
  }
  template <int Threads, int InFlight, bool Streaming>
  void ticket_row(const char* id, int per_sm) const {
    row(id, [&] {
      ticket_sum<Threads, InFlight, Streaming>
          <<<blocks(4 * InFlight, Threads, per_sm), Threads>>>(in, n, partial, ticket, total);
    });
  }

  void run() const {
    const auto all = static_cast<unsigned>((n + kBlock - 1) / kBlock);
    row("tree_modulo", [&] { tree_sum<Tree::Modulo><<<all, kBlock>>>(in, n, total); });
    row("tree_strided", [&] { tree_sum<Tree::Strided><<<all, kBlock>>>(in, n, total); });
    row("tree_sequential", [&] { tree_sum<Tree::Sequential><<<all, kBlock>>>(in, n, total); });
    row("shuffle", [&] { shuffle_sum<<<all, kBlock>>>(in, n, total); });
    row("stride_scalar", [&] { stride_sum<<<blocks(1, kBlock, 8), kBlock>>>(in, n, total); });
    row("stride_four", [&] { fours_sum<1><<<blocks(4, kBlock, 8), kBlock>>>(in, n, total); });
    row("stride_four_x4", [&] { fours_sum<4><<<blocks(16, kBlock, 16), kBlock>>>(in, n, total); });
    ticket_row<256, 1, false>("ticket_256_x1", 8);
    ticket_row<512, 4, false>("ticket_512_x4", 2);
    ticket_row<1024, 4, true>("ticket_1024_x4_streaming", 2);
    ticket_row<1024, 4, false>("ticket_1024_x4", 2);
  }
};

#ifdef MODEL_LIBRARY
void time_library(const Sums& s) {
  DeviceBuffer<int> in(s.n), out(s.n);
  COURSE_CHECK(cudaMemset(in.data(), 0, in.bytes()));
  std::size_t bytes = 0;
  const int n = static_cast<int>(s.n);
  COURSE_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in.data(), out.data(), n));
  DeviceBuffer<unsigned char> room(bytes);
  s.time("cub_scan", [&] {
    COURSE_CHECK(cub::DeviceScan::InclusiveSum(room.data(), bytes, in.data(), out.data(), n));
  });
  s.time("memcpy", [&] {
    COURSE_CHECK(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice));
  });
}
#else
void time_library(const Sums&) {}
#endif

void record(Recorder& r, int most) {
  r.add_registers("tree_modulo", tree_sum<Tree::Modulo>);
  r.add_registers("tree_strided", tree_sum<Tree::Strided>);
  r.add_registers("tree_sequential", tree_sum<Tree::Sequential>);
  r.add_registers("shuffle", shuffle_sum);
  r.add_registers("stride_scalar", stride_sum);
  r.add_registers("stride_four", fours_sum<1>);
  r.add_registers("stride_four_x4", fours_sum<4>);
  r.add_registers("ticket_1024_x4", ticket_sum<1024, 4, false>);
  DeviceBuffer<float> total(1), partial(1 << 16);
  DeviceBuffer<unsigned> ticket(1);
  COURSE_CHECK(cudaMemset(ticket.data(), 0, ticket.bytes()));
  for (int exponent = 14; exponent <= most; exponent += 2) {
    std::vector<float> host(std::size_t{1} << exponent);
    double truth = 0;
    // Zeros and ones: no sum of them is rounded, in whatever order they are added.
    for (std::size_t i = 0; i < host.size(); ++i)
      truth += host[i] = static_cast<float>(i * 2654435761u >> 15 & 1);
    const DeviceBuffer<float> in(host);
    const Sums sums{r, in.data(), host.size(), truth, total.data(), partial.data(), ticket.data()};
    sums.run();
    time_library(sums);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 2 ? std::atoi(argv[2]) : 24;
  return model::run(argc, argv, "probe", [most](Recorder& r) { record(r, most); });
}
