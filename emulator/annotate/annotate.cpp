// SPDX-License-Identifier: MIT
// Lays the counts of each line out beside its text.
#include "annotate/annotate.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace emu::observe {
namespace {

constexpr std::size_t kColumns = 14;      // of each figure, at most
constexpr std::size_t kSourceWidth = 78;  // of a source line, the rest is cut
constexpr std::uint32_t kContext = 2;     // lines without counts that are shown between two with

// 12.3 without the locale's idea of a decimal point.
std::string ratio(std::uint64_t over, std::uint64_t under) {
  if (under == 0) return "";
  const std::uint64_t tenths = (over * 20 + under) / (2 * under);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}
std::string plain(std::uint64_t value) { return value ? std::to_string(value) : ""; }

using Cells = std::vector<std::string>;

const Cells kHead = {"executed",   "lanes",     "divergent", "sectors/req", "ideal",
                     "wavefr/req", "conflicts", "atomics",   "local"};

Cells figures(const Counts& c) {
  using enum Counter;
  const auto requests = c[GlobalLdRequests] + c[GlobalStRequests] + c[GlobalAtomRequests] +
                        c[GlobalRedRequests] + c[CopyRequests];
  const auto shared = c[SharedLdRequests] + c[SharedStRequests] + c[SharedAtomRequests];
  return {plain(c[Inst]),
          ratio(c[ThreadInstOn], c[Inst]),
          plain(c[BranchDivergent]),
          ratio(c[GlobalSectors], requests),
          ratio(c[GlobalIdeal], requests),
          ratio(c[SharedWavefronts], shared),
          plain(c[SharedConflicts]),
          plain(c[GlobalAtomics] + c[SharedAtomics]),
          plain(c[LocalLdSectors] + c[LocalStSectors])};
}

std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// A line of the table: right-aligned figures, then the number and text of the source line.
struct Line {
  Cells cells;
  std::string number, text;
};

std::string lay_out(const std::vector<Line>& lines) {
  std::vector<std::size_t> width(kHead.size(), 0);
  std::size_t number_width = 0;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
      width[i] = std::max(width[i], std::min(line.cells[i].size(), kColumns));
    }
    number_width = std::max(number_width, line.number.size());
  }
  // A column that says nothing is left out; the heading alone does not fill one.
  std::vector<bool> used(kHead.size(), false);
  for (std::size_t l = 1; l < lines.size(); ++l) {
    for (std::size_t i = 0; i < lines[l].cells.size(); ++i)
      used[i] = used[i] || !lines[l].cells[i].empty();
  }
  std::string out;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < kHead.size(); ++i) {
      if (!used[i]) continue;
      const std::string cell = i < line.cells.size() ? line.cells[i] : "";
      row += std::string(width[i] - std::min(width[i], cell.size()), ' ') + cell + "  ";
    }
    row += std::string(number_width - line.number.size(), ' ') + line.number + " | " + line.text;
    while (row.ends_with(' ')) row.pop_back();
    out += "  " + row + "\n";
  }
  return out;
}

std::string source_table(const std::string& path, const std::map<std::uint32_t, Counts>& counts) {
  const auto source = read_lines(path);
  const auto text = [&](std::uint32_t line) {
    if (line == 0) return std::string("(no line of the source)");
    if (source.empty()) return std::string("(the source file cannot be read)");
    return line <= source.size() ? source[line - 1].substr(0, kSourceWidth) : std::string();
  };
  std::vector<Line> lines{{kHead, "line", path.substr(path.find_last_of('/') + 1)}};
  std::uint32_t last = 0;
  for (const auto& [line, c] : counts) {
    if (last && line > last + 1) {
      if (line - last - 1 <= kContext && !source.empty()) {
        for (std::uint32_t between = last + 1; between < line; ++between) {
          lines.push_back({{}, std::to_string(between), text(between)});
        }
      } else {
        lines.push_back({{}, "", "..."});
      }
    }
    lines.push_back({figures(c), line ? std::to_string(line) : "", text(line)});
    last = line;
  }
  return lay_out(lines);
}

// What the longest launch takes, and what holds it up: all that is at least a tenth of that.
std::string time_line(const Modelled& m, std::uint64_t launches) {
  if (m.ns <= 0) return "";
  const auto tenths = [](double value) { return static_cast<std::uint64_t>(10 * value + 0.5); };
  std::string out = "  modelled: " + ratio(tenths(m.ns / 1000), 10) + " us" +
                    (launches > 1 ? " (the longest launch)" : "") + ", limited by " +
                    std::string(text_of(m.limit)) + " (" +
                    std::to_string(static_cast<int>(100 * m.share + 0.5)) + " %). Alone:";
  for (std::size_t i = 0; i < kLimits; ++i) {
    if (m.alone[i] < m.ns / 10) continue;
    out += " " + std::string(id_of(static_cast<Limit>(i))) + " " +
           ratio(tenths(m.alone[i] / 1000), 10) + " us,";
  }
  out.back() = '\n';
  if (!m.because.empty()) out += "  because " + m.because + "\n";
  for (std::size_t i = 0; i < m.what_if.size() && i < 4; ++i) {
    const WhatIf& w = m.what_if[i];
    out += "  without " + std::string(w.without) + ": " + ratio(tenths(w.ns / 1000), 10) + " us";
    if (w.line)
      out += ", most of it at " + w.file.substr(w.file.find_last_of('/') + 1) + ":" +
             std::to_string(w.line);
    out += "\n";
  }
  return out;
}

}  // namespace

void Annotation::add(const LaunchCounts& launch, const Modelled* modelled) {
  auto at = std::find_if(kernels_.begin(), kernels_.end(),
                         [&](const OfKernel& k) { return k.name == launch.kernel; });
  if (at == kernels_.end()) {
    kernels_.emplace_back().name = launch.kernel;
    at = kernels_.end() - 1;
  }
  ++at->launches;
  if (modelled && modelled->ns > at->longest.ns) at->longest = *modelled;
  at->counts += launch.counts;
  for (const LineCounts& line : launch.lines) at->lines[line.file][line.line] += line.counts;
}

std::string Annotation::text() const {
  using enum Counter;
  std::string out;
  for (const OfKernel& kernel : kernels_) {
    const Counts& c = kernel.counts;
    out += kernel.name + ": " + std::to_string(kernel.launches) +
           (kernel.launches == 1 ? " launch, " : " launches, ") + std::to_string(c[Inst]) +
           " warp instructions (of the PTX), " + ratio(c[ThreadInstOn], c[Inst]) +
           " lanes active in each\n" + time_line(kernel.longest, kernel.launches);
    for (const auto& [file, lines] : kernel.lines) out += source_table(file, lines);
    out += "\n";
  }
  if (!out.empty()) {
    out +=
        "executed: warp instructions. lanes: of 32, on average. divergent: branches where lanes "
        "parted. sectors/req and ideal: 32-byte pieces of\nglobal memory per access, as it is and "
        "at best. wavefr/req: passes per access of shared memory; conflicts: those that bank "
        "conflicts add.\natomics: per lane. local: sectors of local memory.\n";
  }
  return out;
}

}  // namespace emu::observe
