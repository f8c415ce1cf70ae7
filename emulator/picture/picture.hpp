// SPDX-License-Identifier: MIT
// Keeps what a report draws of a launch: of each instruction that reaches memory the request that is
// furthest from the best one, and of a few warps every step with the lanes that took it. Of launches
// that are alike (same kernel, same shape) the first is kept.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/observer.hpp"
#include "machine/warp.hpp"

namespace emu::observe {

// An instruction of what was executed, numbered through all functions of the kernel.
struct PictureInstruction {
  std::uint32_t file = 0;  // index into PictureLaunch::files
  std::uint32_t line = 0;  // 0: the compiler named none
  std::uint64_t executed = 0, lanes = 0;
  std::string text;  // of the PTX
};

struct PictureRequest {
  std::uint32_t instruction = 0;
  MemorySpace space{};
  AccessKind kind{};
  std::uint32_t bytes_per_lane = 0;
  std::uint32_t pieces = 0, ideal = 0;  // sectors of global, passes of shared memory
  std::array<std::uint32_t, 3> block{};
  std::uint32_t warp = 0;
  LaneMask mask = 0;
  std::array<std::uint64_t, 32> addresses{};
};

struct PictureStep {
  std::uint32_t instruction = 0;
  LaneMask active = 0, on = 0;  // the lanes that were there, and those whose guard held
};

struct PictureWarp {
  std::array<std::uint32_t, 3> block{};
  std::uint32_t warp = 0;
  std::uint64_t total = 0;  // steps it took; those kept are the first
  std::vector<PictureStep> steps;
};

struct PictureLaunch {
  std::uint64_t number = 0;  // of all launches of the program, from 0
  std::string kernel;
  std::array<std::uint32_t, 3> grid{}, block{};
  bool failed = false;
  std::vector<std::string> files;
  std::vector<PictureInstruction> instructions;
  std::vector<PictureRequest> requests;  // by instruction
  std::vector<PictureWarp> warps;
};

class Picture final : public Observer {
 public:
  static constexpr std::size_t kMostLaunches = 64, kMostSteps = 4096;

  using Sink = std::function<void(const PictureLaunch&)>;
  // `next` is told everything too.
  Picture(Observer& next, Sink sink) : next_(next), sink_(std::move(sink)) {}

  void kernel_begin(const exec::Grid& grid) override;
  void kernel_end(const exec::Grid& grid) override;
  void kernel_failed(const exec::Grid& grid) override;
  Passes* passes(const exec::Code& code) override;
  void instruction(const exec::Warp& warp, const exec::Instr& in, LaneMask active,
                   LaneMask on) override;
  void branch(const exec::Warp& warp, const exec::Instr& in, LaneMask taken,
              LaneMask fell_through) override;
  void memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) override;
  void exchanged(const exec::Warp& warp, const exec::Instr& in, LaneMask changed) override;
  void barrier(const exec::Warp& warp, const exec::Instr& in, std::uint32_t id) override;
  void block_end(const exec::Block& block) override { next_.block_end(block); }

 private:
  struct OfCode {
    const exec::Instr* begin = nullptr;
    std::uint32_t first = 0;   // number of its first instruction
    Passes* passes = nullptr;  // of who is told too
  };
  OfCode& of(const exec::Code& code);
  void choose_warps(const exec::Grid& grid);
  void finish();

  Observer& next_;
  Sink sink_;
  std::uint64_t launches_ = 0;
  std::set<std::string> seen_;  // kernels with their shapes
  bool keeping_ = false;
  PictureLaunch now_;
  std::unordered_map<const exec::Code*, OfCode> codes_;
  std::map<std::string, std::uint32_t, std::less<>> file_numbers_;
  std::vector<std::int32_t> worst_;  // per instruction, index into now_.requests; -1: none
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::size_t> chosen_;  // block and warp
};

}  // namespace emu::observe
