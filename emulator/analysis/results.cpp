// SPDX-License-Identifier: MIT
#include "analysis/results.hpp"

#include <algorithm>
#include <cstdint>

namespace emu::exec {
namespace {

using ptx::Operand;
using ptx::Row;
using ptx::Type;

struct Width {
  std::uint32_t bytes = 0;  // per lane; 0: a predicate
  bool or_wider = false;
};

constexpr Width kPredicate{};
constexpr Width kWord{4};

std::uint32_t lane_bytes(std::uint32_t bytes) { return std::max(bytes, 2u); }

Width width_of(const ptx::Instruction& ins) {
  const std::uint32_t bytes = ptx::size_of(ins.type());
  using enum ptx::Result;
  switch (ptx::info(ins.row).result) {
    case None:
    case Typed:
      break;
    case OrWider:
      return {lane_bytes(bytes), true};
    case Predicate:
      return kPredicate;
    case Word:
      return kWord;
    case Product:
      return {ins.has("wide") ? 2 * bytes : bytes};
    case Ballot:
      return ins.has("ballot") ? kWord : kPredicate;
    case Popc:
      return ins.has("popc") ? kWord : kPredicate;
  }
  return ins.type() == Type::Pred ? kPredicate : Width{lane_bytes(bytes)};
}

std::string bits(std::uint32_t bytes) {
  return bytes == 0 ? std::string("is a predicate") : "has " + std::to_string(8 * bytes) + " bits";
}

std::string problem(const ptx::Function& function, const Operand& op, Width need) {
  if (op.kind != Operand::Kind::Register) return {};
  const ptx::Register& reg = function.registers.at(op.reg);
  const std::uint32_t has = reg.type == Type::Pred ? 0 : lane_bytes(ptx::size_of(reg.type));
  if (has == need.bytes || (need.or_wider && has > need.bytes)) return {};
  return "register " + reg.name + " " + bits(has) + " where the result " +
         (need.bytes == 0 ? bits(0) : bits(need.bytes));
}

}  // namespace

std::string result_problem(const ptx::Function& function, const ptx::Instruction& ins) {
  if (results_of(ins) == 0 || ins.operands.empty()) return {};
  const Operand& op = ins.operands[0];
  const Width need = width_of(ins);
  switch (op.kind) {
    case Operand::Kind::Register:
      return problem(function, op, need);
    case Operand::Kind::Pair: {
      const std::string first = problem(function, op.parts.at(0), need);
      return first.empty() ? problem(function, op.parts.at(1), kPredicate) : first;
    }
    case Operand::Kind::Vector: {
      Width part = need;
      // mov takes a register apart; loads and atomics give one element of the type to each.
      if (ins.row == Row::mov) {
        part.bytes = lane_bytes(need.bytes / static_cast<std::uint32_t>(op.parts.size()));
      }
      for (const Operand& element : op.parts) {
        if (auto why = problem(function, element, part); !why.empty()) return why;
      }
      return {};
    }
    default:
      return {};
  }
}

}  // namespace emu::exec
