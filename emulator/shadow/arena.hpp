// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace emu::check {

// Room for pieces and words: blocks of 4-byte units, of which those of the same size are used again.
class Arena {
 public:
  std::uint32_t take(std::uint32_t units);
  void give(std::uint32_t at, std::uint32_t units);
  std::uint32_t* operator[](std::uint32_t at) { return chunks_[at / kChunk].get() + at % kChunk; }
  void clear();
  std::uint64_t bytes() const { return chunks_.size() * kChunk * 4; }

 private:
  static constexpr std::uint32_t kChunk = 1 << 14;
  std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
  std::uint32_t next_ = 0;
  std::array<std::uint32_t, 256> free_{};  // by size; a position plus 1
};

}  // namespace emu::check
