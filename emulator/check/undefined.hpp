// SPDX-License-Identifier: MIT
// Follows the values that shuffles read from lanes which take no part. Such a value is undefined, and to read it is
// no mistake: the upper lanes of a sum do, and nobody looks at what they get. It is one where it is stored, or decides.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/findings.hpp"
#include "machine/observer.hpp"
#include "machine/warp.hpp"

namespace emu::check {

using exec::LaneMask;

class Undefined {
 public:
  explicit Undefined(Findings& findings) : findings_(findings) {}

  void begin();
  void end(const exec::Block& block);
  bool concerns(const exec::Code& code);  // it shuffles, so that its instructions must be followed
  void met(const exec::Warp& warp, const exec::Instr& in, const observe::Meeting& meeting);
  // Before it is executed.
  void instruction(const exec::Warp& warp, const exec::Instr& in, LaneMask active, LaneMask on);

 private:
  struct Origin {  // who read whom
    const exec::Instr* in = nullptr;
    const exec::Code* code = nullptr;
    int from = 0;
    LaneMask members = 0, live = 0;
  };
  struct Value {  // lanes of a register that hold one
    const exec::Frame* frame = nullptr;
    std::uint32_t reg = 0;
    LaneMask lanes = 0;
    std::size_t origin = 0;
  };
  using Values = std::vector<Value>;

  const Value* find(const Values& values, const exec::Frame* frame, const ptx::Operand& op,
                    LaneMask lanes) const;
  void set(Values& values, const exec::Frame* frame, const ptx::Operand& result, LaneMask lanes,
           LaneMask undefined, std::size_t origin);
  bool uses(const exec::Warp& warp, const exec::Instr& in, const Values& values, LaneMask active,
            LaneMask on);
  void spread(const exec::Warp& warp, const exec::Instr& in, Values& values, LaneMask on);
  void found(const exec::Warp& warp, const exec::Instr& in, const Value& value, LaneMask lanes);

  Findings& findings_;
  std::unordered_map<const exec::Warp*, Values> warps_;
  std::vector<Origin> origins_;
  std::unordered_map<const exec::Code*, bool> concerns_;
  std::unordered_map<const exec::Instr*, std::size_t> told_;  // by the shuffle
};

}  // namespace emu::check
