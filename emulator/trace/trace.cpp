// SPDX-License-Identifier: MIT
// The lines of a trace. What an operation is called, and its values, are in trace_words.cpp.
#include "trace/trace.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "access/access.hpp"
#include "machine/grid.hpp"
#include "machine/source_place.hpp"
#include "trace/trace_words.hpp"

namespace emu::observe {
namespace {

constexpr std::size_t kWho = 7, kWhat = 17, kAddress = 11, kValue = 15, kWhere = 15;
constexpr std::size_t kSourceText = 60;  // of a source line, the rest is cut

// At least `width` wide, and something between it and what follows.
std::string column(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ') + "  ";
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string dims(const exec::Dim3& d) {
  if (d.y == 1 && d.z == 1) return std::to_string(d.x);
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

// "b0 t3", "b1 t32-63"; with more dimensions than one "b(1,2,0) t(0,1,0)".
std::string who(const exec::Warp& warp, LaneMask lanes) {
  const exec::Grid& grid = *warp.block->grid;
  const exec::Dim3 &g = grid.grid, &b = grid.block, &index = warp.block->index;
  const auto triple = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
  };
  const bool flat = g.y == 1 && g.z == 1 && b.y == 1 && b.z == 1;
  std::string text = "b" + (flat ? std::to_string(index.x) : triple(index.x, index.y, index.z));
  const std::uint32_t first = warp.id * exec::kLanes;
  const auto name = [&](std::uint32_t lane) {
    const std::uint32_t t = first + lane;
    return flat ? std::to_string(t) : triple(t % b.x, t / b.x % b.y, t / b.x / b.y);
  };
  std::string separator = " t";
  for (std::uint32_t lane = 0; lane < exec::kLanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    std::uint32_t last = lane;
    while (last + 1 < exec::kLanes && (lanes >> (last + 1) & 1)) ++last;
    text += separator + name(lane) + (last > lane ? "-" + name(last) : "");
    separator = ",";
    lane = last;
  }
  return text;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  const std::string text = line.substr(first, kSourceText);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

}  // namespace

void Trace::kernel_begin(const exec::Grid& grid, std::string_view schedule) {
  steps_ = 0;
  pending_ = false;
  schedule_ = schedule;
  sink_("trace of " + trace_kernel(grid) + "<<<" + dims(grid.grid) + ", " + dims(grid.block) +
        ">>>" + (schedule_.empty() ? "" : ", schedule " + schedule_) + "\n");
}

void Trace::kernel_end(const exec::Grid&, bool failed) {
  if (pending_) {  // it was begun and not ended
    line_.value = "fails";
    write(line_);
  }
  pending_ = false;
  sink_(std::string(failed ? "an error ends the kernel after " : "end after ") +
        std::to_string(steps_) + " steps" + (schedule_.empty() ? "" : ", schedule " + schedule_) +
        "\n");
}

void Trace::before(exec::Warp& warp, const exec::Instr& in, int lane) {
  const auto& spec = *static_cast<const exec::MemorySpec*>(in.extra);
  const LaneMask mask = LaneMask{1} << lane;
  pending_ = true;
  line_ = line_of(warp, in, mask);
  line_.address = trace_address(warp, spec, lane);
  std::byte* at[exec::kLanes] = {};
  try {
    exec::place_lanes(warp, in, spec.where, spec.what, mask, at);
  } catch (const exec::Fault&) {
    at[lane] = nullptr;  // the operation itself will say what is wrong
  }
  at_ = at[lane];
  if (at_) std::memcpy(old_.data(), at_, std::min<std::size_t>(spec.what.bytes, kMostBytes));
}

void Trace::after(exec::Warp& warp, const exec::Instr& in, int lane) {
  pending_ = false;
  if (at_) line_.value = trace_values(warp, in, lane, old_.data(), at_);
  write(line_);
}

void Trace::event(exec::Warp& warp, const exec::Instr& in, LaneMask lanes) {
  Line line = line_of(warp, in, lanes);
  line.value = trace_event_value(warp, in, lanes);
  write(line);
}

Trace::Line Trace::line_of(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes) {
  return {who(warp, lanes), trace_operation(in), "", "", source(warp, in)};
}

void Trace::write(const Line& line) {
  std::string text = right(std::to_string(++steps_), 5) + "  " + column(line.who, kWho) +
                     column(line.what, kWhat) + column(line.address, kAddress) +
                     column(line.value, kValue) + line.source;
  text.erase(text.find_last_not_of(' ') + 1);
  sink_(text + "\n");
}

std::string Trace::source(const exec::Warp& warp, const exec::Instr& in) {
  const exec::SourceLine place = exec::line_of(*warp.frame->code, *in.source);
  if (place.line == 0) return "";
  auto found = files_.find(place.file);
  if (found == files_.end()) {
    found = files_.emplace(std::string(place.file), std::vector<std::string>{}).first;
    std::ifstream file(found->first);
    for (std::string line; std::getline(file, line);) found->second.push_back(line);
  }
  const auto& lines = found->second;
  const auto slash = place.file.find_last_of('/');
  const std::string where =
      std::string(slash == place.file.npos ? place.file : place.file.substr(slash + 1)) + ":" +
      std::to_string(place.line);
  return place.line <= lines.size() ? column(where, kWhere) + trimmed(lines[place.line - 1])
                                    : where;
}

}  // namespace emu::observe
