// SPDX-License-Identifier: MIT
// Finds reads of memory that nobody has written: device memory from cudaMalloc and the heap of kernels, and
// shared memory. One bit per byte, of pages that were written.
//
// A load whose value is only stored on is a copy, perhaps of padding: it stays without a word. So does one of which
// some bytes were written. Any other value is followed to where it is used (undefined.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/findings.hpp"
#include "check/undefined.hpp"
#include "check/words.hpp"
#include "machine/observer.hpp"
#include "shadow/sites.hpp"

namespace emu::check {

class Written {
 public:
  Written(Findings& findings, Undefined& undefined) : findings_(findings), undefined_(undefined) {}

  void begin();  // no launch runs
  void begin(const exec::Grid& grid);
  void start(const exec::Block& block);
  void end(const exec::Block& block);
  void drop(const exec::Grid& grid);  // an error stopped it: its blocks have not ended
  void access(const exec::Warp& warp, const exec::Instr& in, const observe::MemoryAccess& access);
  void note(const observe::CopyPlace& place,
            std::uint64_t bytes);                          // somebody else has written them
  void freed(std::uint64_t address, std::uint64_t bytes);  // a whole allocation

 private:
  // A bit per byte.
  class Bits {
   public:
    explicit Bits(std::uint64_t bytes = 0) : words_((bytes + 63) / 64) {}
    void set(std::uint64_t at, std::uint64_t bytes);
    bool any(std::uint64_t at, std::uint64_t bytes) const;
    bool all(std::uint64_t at, std::uint64_t bytes) const;

   private:
    std::vector<std::uint64_t> words_;
  };
  // Allocations lie further apart than a page is long, so that each page is of one of them, and goes with it.
  static constexpr std::uint64_t kPage = 4096;

  Bits& page(std::uint64_t address);
  void set_global(std::uint64_t address, std::uint64_t bytes);
  bool written_global(std::uint64_t address, std::uint32_t bytes);
  bool in_a_row(const exec::Warp& warp, const observe::MemoryAccess& a);
  bool is_copied_only(const exec::Warp& warp, const exec::Instr& in);
  bool is_of_interest(const exec::Warp& warp, const exec::Instr& in, bool atomic);
  void load(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes,
            const observe::MemoryAccess& access);

  Findings& findings_;
  Undefined& undefined_;
  std::unordered_map<std::uint64_t, Bits> pages_;
  struct Recent {
    std::uint64_t page = ~0ull;
    Bits* bits = nullptr;
  };
  std::array<Recent, 1024> recent_;
  std::unordered_map<const exec::Block*, Bits> shared_;
  std::unordered_map<const exec::Instr*, bool> interesting_;  // of this launch
  std::unordered_map<const exec::Instr*, std::size_t> told_;  // ... and its finding
};

}  // namespace emu::check
