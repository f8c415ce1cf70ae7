// SPDX-License-Identifier: MIT
// Follows values that mean nothing: what shuffles read from lanes which take no part, and what loads find where nobody
// has written. To read such a value is no mistake: the upper lanes of a sum do, and who reads ahead drops what lies past
// the end. It is one where it is stored, or decides. What was only loaded and is stored as it is may be padding.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "check/findings.hpp"
#include "machine/observer.hpp"
#include "machine/warp.hpp"

namespace emu::check {

using exec::LaneMask;

class Undefined {
 public:
  // What is found when a lane uses a value that it has loaded.
  using Tell = std::function<Finding(int lane)>;
  // `shuffles`: those from lanes that take no part are looked for.
  Undefined(Findings& findings, bool shuffles) : findings_(findings), shuffles_(shuffles) {}

  void begin();
  void end(const exec::Block& block);
  void drop(const exec::Grid& grid);      // an error stopped it: its blocks have not ended
  bool concerns(const exec::Code& code);  // it shuffles, so that its instructions must be followed
  void met(const exec::Warp& warp, const exec::Instr& in, const observe::Meeting& meeting);
  // Lanes load what nobody has written.
  void loads(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes, Tell tell);
  bool any() const { return !warps_.empty(); }
  // Before it is executed.
  void instruction(const exec::Warp& warp, const exec::Instr& in, LaneMask active, LaneMask on);

 private:
  struct Origin {  // who read whom
    const exec::Instr* in = nullptr;
    const exec::Code* code = nullptr;
    int from = 0;
    LaneMask members = 0, live = 0;
    Tell tell;  // of a load
  };
  struct Value {  // lanes of a register that hold one
    const exec::Frame* frame = nullptr;
    std::uint32_t reg = 0;
    LaneMask lanes = 0;
    std::size_t origin = 0;
    bool copied = false;  // just as it was loaded
  };
  using Values = std::vector<Value>;

  const Value* find(const Values& values, const exec::Frame* frame, const ptx::Operand& op,
                    LaneMask lanes) const;
  void set(Values& values, const exec::Frame* frame, const ptx::Operand& result, LaneMask lanes,
           LaneMask undefined, std::size_t origin, bool copied);
  bool uses(const exec::Warp& warp, const exec::Instr& in, const Values& values, LaneMask active,
            LaneMask on);
  void spread(const exec::Warp& warp, const exec::Instr& in, Values& values, LaneMask on);
  void found(const exec::Warp& warp, const exec::Instr& in, const Value& value, LaneMask lanes);

  Findings& findings_;
  bool shuffles_;
  std::unordered_map<const exec::Warp*, Values> warps_;
  std::vector<Origin> origins_;
  std::unordered_map<const exec::Code*, bool> concerns_;
  std::unordered_map<const exec::Instr*, std::size_t> told_;  // by the shuffle or the load
};

}  // namespace emu::check
