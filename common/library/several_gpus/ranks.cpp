// SPDX-License-Identifier: MIT
#include "common/several_gpus/ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "common/program/options.hpp"

namespace course {

namespace {

cudaEvent_t make_rank_event() {
  cudaEvent_t event = nullptr;
  COURSE_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

Rank make_rank(int device) {
  const OnDevice here(device);
  Rank rank;
  rank.device = device;
  for (cudaStream_t* stream : {&rank.stream, &rank.copies})
    COURSE_CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  rank.done = make_rank_event();
  for (int i = 0; i < 2; ++i) rank.ready[i] = make_rank_event(), rank.taken[i] = make_rank_event();
  return rank;
}

bool on_emulator() {
  cudaDeviceProp properties{};
  COURSE_CHECK(cudaGetDeviceProperties(&properties, 0));
  return std::string(properties.name).find("Warp Ladder emulator") != std::string::npos;
}

int multiprocessors_of(int device) {
  int count = 0;
  COURSE_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

}  // namespace

OnDevice::OnDevice(int device) {
  COURSE_CHECK(cudaGetDevice(&before_));
  const std::string call = "cudaSetDevice(" + std::to_string(device) + ")";  // says which
  check(cudaSetDevice(device), call.c_str(), __FILE__, __LINE__);
}

void want_devices() {
  setenv("WARPLADDER_DEVICES", "8", 0);
  // Streams that share a queue to the GPU wait for each other: ranks of one GPU that wait for each other need their own.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

int device_count() {
  int count = 0;
  COURSE_CHECK(cudaGetDeviceCount(&count));
  return std::min(count, kMostRanks);
}

Ranks::Ranks(int count) {
  const int devices = device_count();
  if (count > devices && on_emulator())
    throw UsageError{"--ranks " + std::to_string(count) + ": the emulator has " +
                     std::to_string(devices) +
                     " devices (WARPLADDER_DEVICES), and runs one kernel of each at a time"};
  // Kernels that wait for each other must all be there at once: ranks of one GPU share its multiprocessors.
  const int sharing = (count + devices - 1) / devices;
  multiprocessors_ = multiprocessors_of(0) / sharing;
  for (int r = 0; r < count; ++r) {
    const int device = r % devices;
    ranks_.push_back(make_rank(device));
    multiprocessors_ = std::min(multiprocessors_, multiprocessors_of(device) / sharing);
  }
  begun_ = make_rank_event();
  enable_peers();
}

Ranks::~Ranks() {
  for (const Rank& rank : ranks_) {
    cudaStreamDestroy(rank.stream), cudaStreamDestroy(rank.copies);
    cudaEventDestroy(rank.done);
    for (int i = 0; i < 2; ++i) cudaEventDestroy(rank.ready[i]), cudaEventDestroy(rank.taken[i]);
  }
  cudaEventDestroy(begun_);
}

void Ranks::enable_peers() {
  for (const Rank& a : ranks_) {
    const OnDevice here(a.device);
    for (const Rank& b : ranks_) {
      if (a.device == b.device) continue;
      int can = 0;
      COURSE_CHECK(cudaDeviceCanAccessPeer(&can, a.device, b.device));
      const cudaError_t error =
          can ? cudaDeviceEnablePeerAccess(b.device, 0) : cudaErrorPeerAccessUnsupported;
      if (error == cudaErrorPeerAccessAlreadyEnabled || error == cudaErrorPeerAccessUnsupported)
        cudaGetLastError();
      else
        COURSE_CHECK(error);
      if (error == cudaErrorPeerAccessUnsupported && no_peers_.empty())
        no_peers_ = "device " + std::to_string(a.device) +
                    " has no access to the memory of device " + std::to_string(b.device);
    }
  }
}

int Ranks::blocks_at_once(int block) const {
  constexpr int kMostOnOne = 8;  // every GPU has room for 16
  return multiprocessors_ * std::clamp(kMostThreads / block, 1, kMostOnOne);
}

void Ranks::fork() const {
  COURSE_CHECK(cudaEventRecord(begun_, nullptr));
  for (const Rank& rank : ranks_) COURSE_CHECK(cudaStreamWaitEvent(rank.stream, begun_, 0));
}

void Ranks::join() const {
  for (const Rank& rank : ranks_) {
    {
      const OnDevice here(rank.device);
      COURSE_CHECK(cudaEventRecord(rank.done, rank.stream));
    }
    COURSE_CHECK(cudaStreamWaitEvent(nullptr, rank.done, 0));
  }
}

}  // namespace course
