// SPDX-License-Identifier: MIT
// Rows of micro: what reads, writes and copies of global memory take, by their size and by how much is under way.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "micro_kernels.cuh"
#include "micro_work.cuh"

namespace model {

template <class T, int InFlight, bool Streaming = false>
void read_row(Recorder& r, Work& w, int blocks, std::size_t bytes, Cache cache = Cache::Clean,
              bool written = false) {
  const std::size_t round = std::size_t{256} * blocks * InFlight;
  const std::size_t count = std::max<std::size_t>(1, bytes / sizeof(T) / round) * round;
  if (count * sizeof(T) > w.big.bytes()) return;
  const auto writer = [&] {
    write<uint4><<<1056, 256>>>(w.in<uint4>(), count * sizeof(T) / 16, uint4{});
  };
  r.time(
      written ? "read_l2" : "read",
      {{"width", sizeof(T)},
       {"in_flight", InFlight},
       {"streaming", Streaming},
       {"blocks", blocks},
       {"bytes", static_cast<long long>(count * sizeof(T))}},
      [&] { read<T, InFlight, Streaming><<<blocks, 256>>>(w.in<T>(), count, w.out()); }, cache,
      written ? Recorder::Launch(writer) : Recorder::Launch());
}

inline void record_reads(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  // Bytes in flight against bandwidth, far more rounds than one.
  for (const int per_sm : {1, 2, 4, 8}) {
    constexpr std::size_t kBytes = 48u << 20;
    read_row<unsigned, 1>(r, w, per_sm * sms, kBytes);
    read_row<unsigned, 4>(r, w, per_sm * sms, kBytes);
    read_row<uint4, 1>(r, w, per_sm * sms, kBytes);
    read_row<uint4, 2>(r, w, per_sm * sms, kBytes);
    read_row<uint4, 4>(r, w, per_sm * sms, kBytes);
  }
  // One multiprocessor, a few, all; one round and more.
  for (const int blocks : {1, 2, 8, 33, 66, 132})
    for (const std::size_t rounds : {1, 2, 8})
      read_row<uint4, 4>(r, w, blocks, rounds * 16384 * blocks);
  // Sizes, with what the flush leaves and without.
  for (const std::size_t bytes :
       {96ul << 10, 384ul << 10, 1536ul << 10, 6ul << 20, 24ul << 20, 96ul << 20, 192ul << 20}) {
    for (const Cache cache : {Cache::Clean, Cache::Dirty}) {
      read_row<uint4, 4>(r, w, 8 * sms, bytes, cache);
      read_row<uint4, 4, true>(r, w, 8 * sms, bytes, cache);
    }
    // One element per thread: blocks come and go.
    read_row<unsigned, 1>(r, w, static_cast<int>(std::min<std::size_t>(bytes, 48u << 20) / 1024),
                          bytes);
    read_row<uint4, 1>(r, w, static_cast<int>(bytes / 4096), bytes);
  }
  // From L2: what the launch before has written.
  for (const std::size_t bytes : {96ul << 10, 1536ul << 10, 6ul << 20, 24ul << 20}) {
    read_row<uint4, 4>(r, w, 8 * sms, bytes, Cache::Clean, true);
    read_row<uint4, 1>(r, w, 2 * sms, bytes, Cache::Clean, true);
    read_row<unsigned, 1>(r, w, 8 * sms, bytes, Cache::Clean, true);
  }
  for (const int blocks : {1, 8})
    read_row<uint4, 4>(r, w, blocks, 8 * 16384 * blocks, Cache::Clean, true);
}

inline void record_writes(Recorder& r, Work& w) {
  const int blocks = 8 * r.device.multiprocessors;
  for (const long long bytes : {3ll << 19, 12ll << 20, 48ll << 20, 192ll << 20})
    for (const Cache cache : {Cache::Clean, Cache::Dirty})
      r.time(
          "write", {{"bytes", bytes}, {"blocks", blocks}},
          [&] { write<uint4><<<blocks, 256>>>(w.in<uint4>(), bytes / 16, uint4{}); }, cache);
  for (const long long bytes : {3ll << 19, 12ll << 20, 48ll << 20})
    r.time("copy", {{"bytes", bytes}, {"blocks", blocks}}, [&] {
      copy<<<blocks, 256>>>(w.in<uint4>(), reinterpret_cast<uint4*>(w.other.data()), bytes / 16);
    });
}

template <int Stages>
void async_row(Recorder& r, Work& w, int per_sm) {
  const int blocks = per_sm * r.device.multiprocessors;
  const std::size_t count = (48u << 20) / 16;
  r.time("read_async", {{"stages", Stages}, {"blocks", blocks}, {"bytes", 48ll << 20}},
         [&] { read_async<Stages><<<blocks, 256>>>(w.in<uint4>(), count, w.out()); });
}

template <int Bytes, int Stages>
void bulk_row(Recorder& r, Work& w, int blocks, std::size_t bytes) {
  COURSE_CHECK(cudaFuncSetAttribute(read_bulk<Bytes, Stages>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, Bytes * Stages));
  r.time("read_bulk",
         {{"chunk", Bytes},
          {"stages", Stages},
          {"blocks", blocks},
          {"bytes", static_cast<long long>(bytes / Bytes * Bytes)}},
         [&] {
           read_bulk<Bytes, Stages>
               <<<blocks, 256, Bytes * Stages>>>(w.big.data(), bytes / Bytes, w.out());
         });
}

inline void record_copies(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  for (const int per_sm : {1, 2, 4, 8}) {
    async_row<2>(r, w, per_sm);
    async_row<4>(r, w, per_sm);
  }
  for (const int per_sm : {1, 2}) {
    bulk_row<1024, 4>(r, w, per_sm * sms, 48u << 20);
    bulk_row<4096, 4>(r, w, per_sm * sms, 48u << 20);
    bulk_row<16384, 2>(r, w, per_sm * sms, 48u << 20);
    bulk_row<16384, 6>(r, w, per_sm * sms, 48u << 20);
  }
  bulk_row<4096, 4>(r, w, 1, 4096);
  bulk_row<16384, 2>(r, w, 1, 16384);
  bulk_row<16384, 2>(r, w, 1, 16 * 16384);
}

// `lines` steps through as many different lines, `span` bytes, in random order.
inline void chase_row(Recorder& r, Work& w, const char* id, std::size_t span, unsigned lines,
                      bool written) {
  std::vector<unsigned> order(span / 128);
  for (unsigned i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
  std::vector<unsigned> host(span / 4);
  for (std::size_t i = 0; i < order.size(); ++i)
    host[order[i] * 32] = order[(i + 1) % order.size()] * 32;
  COURSE_CHECK(cudaMemcpy(w.big.data(), host.data(), span, cudaMemcpyHostToDevice));
  DeviceBuffer<unsigned> again(written ? host : std::vector<unsigned>{});
  for (const unsigned steps : {lines / 4, lines}) {
    const auto before = [&] {
      copy<<<264, 256>>>(reinterpret_cast<const uint4*>(again.data()), w.in<uint4>(), span / 16);
    };
    r.time(
        id, {{"bytes", static_cast<long long>(span)}, {"steps", steps}},
        [&] { chase<<<1, 1>>>(w.in<unsigned>(), static_cast<int>(steps), w.out()); }, Cache::Clean,
        written ? Recorder::Launch(before) : Recorder::Launch());
  }
  COURSE_CHECK(cudaMemset(w.big.data(), 0, span));
}

inline void record_latencies(Recorder& r, Work& w) {
  chase_row(r, w, "chase", 4u << 20, 1024, false);
  chase_row(r, w, "chase", 64u << 20, 1024, false);
  chase_row(r, w, "chase_l2", 1u << 20, 1024, true);
  chase_row(r, w, "chase_l2", 16u << 20, 1024, true);
}

}  // namespace model
