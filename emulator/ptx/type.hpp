// SPDX-License-Identifier: MIT
// The types of PTX, as they stand behind an instruction or a declaration.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace emu::ptx {

// X(enumerator, spelling, bytes). A predicate takes no memory.
// clang-format off
#define EMU_PTX_TYPES(X)                                                                 \
  X(Pred, "pred", 0)                                                                     \
  X(B8, "b8", 1) X(U8, "u8", 1) X(S8, "s8", 1)                                           \
  X(B16, "b16", 2) X(U16, "u16", 2) X(S16, "s16", 2) X(F16, "f16", 2) X(BF16, "bf16", 2) \
  X(B32, "b32", 4) X(U32, "u32", 4) X(S32, "s32", 4) X(F32, "f32", 4) X(TF32, "tf32", 4) \
  X(F16x2, "f16x2", 4) X(BF16x2, "bf16x2", 4) X(U16x2, "u16x2", 4) X(S16x2, "s16x2", 4)  \
  X(B64, "b64", 8) X(U64, "u64", 8) X(S64, "s64", 8) X(F64, "f64", 8)                    \
  X(E4M3x2, "e4m3x2", 2) X(E5M2x2, "e5m2x2", 2) X(B128, "b128", 16)
// clang-format on

enum class Type : std::uint8_t {
  None,
#define EMU_X(name, text, bytes) name,
  EMU_PTX_TYPES(EMU_X)
#undef EMU_X
};

constexpr std::uint32_t size_of(Type type) {
  switch (type) {
    case Type::None:
      return 0;
#define EMU_X(name, text, bytes) \
  case Type::name:               \
    return bytes;
      EMU_PTX_TYPES(EMU_X)
#undef EMU_X
  }
  return 0;
}

constexpr std::string_view name_of(Type type) {
  switch (type) {
    case Type::None:
      return "";
#define EMU_X(name, text, bytes) \
  case Type::name:               \
    return text;
      EMU_PTX_TYPES(EMU_X)
#undef EMU_X
  }
  return "";
}

// Type for a spelling without its dot ("u32"), nothing if it is not a type.
constexpr std::optional<Type> type_from(std::string_view text) {
#define EMU_X(name, spelled, bytes) \
  if (text == spelled) return Type::name;
  EMU_PTX_TYPES(EMU_X)
#undef EMU_X
  return std::nullopt;
}

constexpr bool is_signed(Type t) {
  return t == Type::S8 || t == Type::S16 || t == Type::S32 || t == Type::S64;
}
constexpr bool is_float(Type t) { return t == Type::F32 || t == Type::F64; }

}  // namespace emu::ptx
