// SPDX-License-Identifier: MIT
// Several GPUs that work on one thing. Each has a rank, from 0 on, its own streams, and (where the machine allows it)
// access to the memory of all others.
//
//   Ranks ranks(4);
//   ranks.fork();                      // behind what is on the default stream
//   for (int r = 0; r < ranks.count(); ++r) {
//     const OnDevice here(ranks[r].device);
//     kernel<<<1, 32, 0, ranks[r].stream>>>(...);
//   }
//   ranks.join();                      // the default stream goes on behind all of them
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/check.cuh"
#include "common/device_buffer.cuh"

namespace course {

inline constexpr int kMostRanks = 8;
inline constexpr int kMostThreads = 1024;  // of a block

// While one lives, calls of this thread go to the device. Throws where the device has failed.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

struct Rank {
  int device = 0;
  cudaStream_t stream = nullptr,
               copies = nullptr;  // neither waits for the default stream by itself
  cudaEvent_t done = nullptr;
  cudaEvent_t ready[2] = {}, taken[2] = {};  // for two buffers that are filled and emptied in turn
};

class Ranks {
 public:
  // More ranks than GPUs share them, which only a real GPU can do. Throws UsageError where it cannot be.
  explicit Ranks(int count);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int count() const { return static_cast<int>(ranks_.size()); }
  const Rank& operator[](int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  // Why kernels of one cannot use the memory of another, in words; null: all can.
  const char* no_peers() const { return no_peers_.empty() ? nullptr : no_peers_.c_str(); }
  // Blocks of so many threads, of one rank, that surely run at the same time as those of all others. Every
  // multiprocessor has room for 1,024 threads with 64 registers each, whatever its GPU: a kernel that is compiled for
  // blocks of kMostThreads uses no more.
  int blocks_at_once(int block) const;

  void fork() const;  // the ranks' streams, not those for copies
  void join() const;

 private:
  void enable_peers();
  std::vector<Rank> ranks_;
  cudaEvent_t begun_ = nullptr;
  std::string no_peers_;
  int multiprocessors_ = 0;  // for each rank
};

// Memory of a rank.
template <class T>
class RankBuffer {
 public:
  RankBuffer(int device, std::size_t size) {
    const OnDevice here(device);
    memory_ = std::make_unique<DeviceBuffer<T>>(size);
  }
  DeviceBuffer<T>& operator*() const { return *memory_; }
  DeviceBuffer<T>* operator->() const { return memory_.get(); }

 private:
  std::unique_ptr<DeviceBuffer<T>> memory_;
};

// The number of GPUs there are, at most kMostRanks. The emulator has as many as WARPLADDER_DEVICES says; a program that
// is about several calls this first, so that it has eight where nobody says anything.
int device_count();
void want_devices();

}  // namespace course
