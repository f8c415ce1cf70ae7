// SPDX-License-Identifier: MIT
// Runs one floating-point or conversion instruction, written as PTX writes it ("add.rn.ftz.f32"),
// on lanes of a fake warp: through the table row that accepts it and that row's binder, as in a
// kernel.
#pragma once

#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "access/fake_warp.test.hpp"

namespace emu::exec::fake {

struct FloatRow {
  std::string_view mnemonic, types, modifiers;
  Bind bind;
  ptx::Row row;
};

// The rows of the table whose binders are tested here.
inline const std::vector<FloatRow>& float_rows() {
  static const std::vector<FloatRow> rows = [] {
    constexpr std::string_view ids =
        "testp copysign add_float sub_float mul_float fma_float mad_float div_float abs_float "
        "neg_float min_float max_float "
        "rcp sqrt rsqrt sin cos lg2 ex2 tanh add_half sub_half mul_half fma_half neg_half abs_half "
        "min_half max_half "
        "tanh_half ex2_half cvt cvt_pack";
    std::vector<FloatRow> found;
    const auto add = [&](std::string_view id, FloatRow row) {
      if (ptx::lists(ids, id)) found.push_back(row);
    };
#define INSTRUCTION(id, mnemonic, types, modifiers, ...) \
  add(#id, {mnemonic, types, modifiers, &bind_##id, ptx::Row::id});
#include "ptx/instructions.def"
#undef INSTRUCTION
    return found;
  }();
  return rows;
}

class FloatOp {
 public:
  explicit FloatOp(std::string_view text, std::vector<std::uint32_t> source_bytes,
                   std::uint32_t dest_bytes)
      : text_(text), dest_bytes_(dest_bytes), source_bytes_(std::move(source_bytes)) {
    std::vector<std::string_view> mods;
    std::vector<ptx::Type> types;
    std::string_view rest = text_;
    const std::string_view mnemonic = next(rest);
    while (!rest.empty()) {
      const std::string_view word = next(rest);
      if (const auto type = ptx::type_from(word)) {
        types.push_back(*type);
      } else {
        mods.push_back(word);
      }
    }
    machine_.widths[0] = dest_bytes;
    std::vector<ptx::Operand> operands{reg(0)};
    for (std::size_t i = 0; i < source_bytes_.size(); ++i) {
      machine_.widths[i + 1] = source_bytes_[i];
      operands.push_back(reg(static_cast<std::uint32_t>(i + 1)));
    }
    for (const FloatRow& row : float_rows()) {
      if (!accepts(row, mnemonic, types, mods)) continue;
      instr_ = machine_.bind(row.row, row.bind, mods, types, operands);
      return;
    }
    throw std::runtime_error("no row accepts " + text_);
  }

  void set(int source, int lane, std::uint64_t bits) {
    store(source + 1, lane, source_bytes_[source], bits);
  }
  void run(LaneMask mask = kAllLanes) { machine_.run(instr_, mask); }
  std::uint64_t get(int lane) {
    if (dest_bytes_ == 0) return machine_.p(0) >> lane & 1;
    std::uint64_t bits = 0;
    std::memcpy(&bits, machine_.r<std::byte>(0) + lane * dest_bytes_, dest_bytes_);
    machine_.widths[0] = dest_bytes_;
    return bits;
  }
  void fill(std::uint8_t byte) { std::memset(machine_.r<std::byte>(0), byte, kSlot); }

  // The result of one lane, the others off.
  std::uint64_t operator()(std::initializer_list<std::uint64_t> sources) {
    int i = 0;
    for (const std::uint64_t s : sources) set(i++, 5, s);
    run(1u << 5);
    return get(5);
  }

 private:
  static std::string_view next(std::string_view& rest) {
    const auto dot = rest.find('.');
    const std::string_view word = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
    return word;
  }
  static bool accepts(const FloatRow& row, std::string_view mnemonic,
                      const std::vector<ptx::Type>& types,
                      const std::vector<std::string_view>& mods) {
    if (row.mnemonic != mnemonic) return false;
    for (const ptx::Type t : types) {
      if (!ptx::lists(row.types, ptx::name_of(t))) return false;
    }
    for (const auto m : mods) {
      if (!ptx::lists(row.modifiers, m) && !ptx::lists(row.modifiers, "+" + std::string(m)))
        return false;
    }
    const bool pack = row.modifiers.substr(0, 5) == "+pack";
    bool has_pack = false;
    for (const auto m : mods) has_pack = has_pack || m == "pack";
    return pack == has_pack;
  }
  void store(int r, int lane, std::uint32_t bytes, std::uint64_t bits) {
    std::memcpy(machine_.r<std::byte>(r) + lane * bytes, &bits, bytes);
    machine_.widths[r] = bytes;
  }

  std::string text_;
  std::uint32_t dest_bytes_;
  std::vector<std::uint32_t> source_bytes_;
  Machine machine_;
  Instr instr_;
};

}  // namespace emu::exec::fake
