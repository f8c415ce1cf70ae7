// SPDX-License-Identifier: MIT
#include "engine/frames.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace emu::exec {
namespace {

constexpr std::uint32_t kMostFrames = 10000;  // depth of calls
constexpr std::uint32_t kMostLocal =
    512 * 1024;  // bytes of local memory per thread, as on NVIDIA GPUs

void reserve_local(Warp& warp, std::uint32_t bytes) {
  if (bytes <= warp.local_stride) return;
  const std::uint32_t stride = std::max(bytes, warp.local_stride * 2);
  std::vector<std::byte> grown(std::size_t{stride} * kLanes);
  for (int lane = 0; lane < kLanes && warp.local_stride; ++lane) {
    std::memcpy(grown.data() + std::size_t{stride} * lane,
                warp.local.data() + std::size_t{warp.local_stride} * lane, warp.local_stride);
  }
  warp.local = std::move(grown);
  warp.local_stride = stride;
}

}  // namespace

void Frames::reset(Frame& frame, const Code& code) {
  constexpr std::size_t kAlign = 64;
  frame.code = &code;
  if (frame.registers.size() < code.frame_bytes + kAlign)
    frame.registers.resize(code.frame_bytes + kAlign);
  const auto start = reinterpret_cast<std::uintptr_t>(frame.registers.data());
  frame.base = frame.registers.data() + (kAlign - start % kAlign) % kAlign;
  std::memset(frame.base, 0, code.frame_bytes);
  frame.params.assign(std::size_t{code.param_bytes} * kLanes, std::byte{0});
  for (const auto& slot : code.local_slots) {
    const std::uint64_t address = frame.local_base + slot.offset;
    for (int lane = 0; lane < kLanes; ++lane) {
      std::memcpy(frame.base + slot.slot + lane * slot.bytes, &address, slot.bytes);
    }
  }
}

Frame* Frames::make(Warp& warp, const Code& code, Frame* caller, LaneMask lanes) {
  Frame* frame = nullptr;
  if (!free_.empty()) {
    frame = free_.back();
    free_.pop_back();
  } else {
    all_.push_back(std::make_unique<Frame>());
    frame = all_.back().get();
  }
  frame->caller = caller;
  frame->lanes = lanes;
  frame->depth = caller ? caller->depth + 1 : 0;
  frame->local_base = caller ? caller->local_base + caller->code->local_bytes : 0;
  if (frame->depth > kMostFrames || frame->local_base + code.local_bytes > kMostLocal) {
    fault(FaultKind::StackOverflow, lanes ? first_lane(lanes) : -1,
          "the call stack overflows: " + std::to_string(frame->depth) + " calls deep, " +
              std::to_string(frame->local_base) + " bytes of local memory per thread");
  }
  reserve_local(warp, frame->local_base + code.local_bytes);
  reset(*frame, code);
  return frame;
}

void Frames::drop(Frame* frame) { free_.push_back(frame); }

}  // namespace emu::exec
