// SPDX-License-Identifier: MIT
#include "picture/picture_json.hpp"

#include <bit>
#include <span>

#include "machine/json_file.hpp"

namespace emu::observe {
namespace {

std::string_view name_of(MemorySpace space) {
  return space == MemorySpace::Global ? "global" : "shared";
}

std::string_view name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::Load:
      return "load";
    case AccessKind::Store:
      return "store";
    case AccessKind::Atomic:
      return "atomic";
    case AccessKind::Reduction:
      return "reduction";
    case AccessKind::AsyncCopy:
      return "copy";
  }
  return "load";
}

std::string numbers(std::span<const std::uint32_t> values) {
  std::string out = "[";
  for (const std::uint32_t value : values)
    out += (out.size() > 1 ? ", " : "") + std::to_string(value);
  return out + "]";
}

// `, "name": value`
std::string member(std::string_view name, std::uint64_t value) {
  return ", " + quoted(name) + ": " + std::to_string(value);
}
std::string member(std::string_view name, const std::string& value) {
  return ", " + quoted(name) + ": " + value;
}

template <class Items, class Text>
std::string list(const Items& items, Text text) {
  std::string out = "[";
  for (const auto& item : items) out += (out.size() > 1 ? ",\n      " : "\n      ") + text(item);
  return out + "]";
}

std::string instruction(const PictureInstruction& in) {
  return "[" + std::to_string(in.file) + ", " + std::to_string(in.line) + ", " +
         std::to_string(in.executed) + ", " + std::to_string(in.lanes) + ", " + quoted(in.text) +
         "]";
}

// The addresses of the lanes that took part, in their order.
std::string request(const PictureRequest& r) {
  std::string addresses = "[";
  for (LaneMask m = r.mask; m; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    addresses += (addresses.size() > 1 ? ", " : "") + std::to_string(r.addresses[lane]);
  }
  return "{\"at\": " + std::to_string(r.instruction) + member("space", quoted(name_of(r.space))) +
         member("kind", quoted(name_of(r.kind))) + member("bytes", r.bytes_per_lane) +
         member("pieces", r.pieces) + member("ideal", r.ideal) + member("block", numbers(r.block)) +
         member("warp", r.warp) + member("mask", r.mask) + member("addresses", addresses + "]") +
         "}";
}

std::string warp(const PictureWarp& w) {
  std::string steps = "[";
  for (const PictureStep& s : w.steps) {
    steps += (steps.size() > 1 ? ", [" : "[") + std::to_string(s.instruction) + ", " +
             std::to_string(s.active) + ", " + std::to_string(s.on) + "]";
  }
  return "{\"block\": " + numbers(w.block) + member("warp", w.warp) + member("total", w.total) +
         member("steps", steps + "]") + "}";
}

}  // namespace

std::string to_json(const PictureLaunch& launch) {
  return "    {\"launch\": " + std::to_string(launch.number) +
         member("kernel", quoted(launch.kernel)) + member("grid", numbers(launch.grid)) +
         member("block", numbers(launch.block)) +
         member("failed", std::string(launch.failed ? "true" : "false")) + ",\n     \"files\": " +
         list(launch.files, [](const std::string& file) { return quoted(file); }) +
         ",\n     \"instructions\": " + list(launch.instructions, instruction) +
         ",\n     \"requests\": " + list(launch.requests, request) +
         ",\n     \"warps\": " + list(launch.warps, warp) + "}";
}

}  // namespace emu::observe
