// SPDX-License-Identifier: MIT
#include "timing/what_if.hpp"

#include <algorithm>
#include <functional>

#include "counters/access_rules.hpp"

namespace emu::observe {
namespace {

using Score = std::function<std::uint64_t(const Counts&)>;

double ns_of(const Parts& parts) {
  Modelled m;
  put_together(m, parts);
  return m.ns;
}

// 12.3, whatever the locale.
std::string tenths(double value) {
  const auto n = static_cast<std::uint64_t>(10 * value + 0.5);
  return std::to_string(n / 10) + "." + std::to_string(n % 10);
}
std::string over(std::uint64_t part, std::uint64_t whole) {
  return tenths(whole ? number(part) / number(whole) : 0);
}
std::string whole_percent(std::uint64_t hundredths) {
  return std::to_string((hundredths + kHundredths / 2) / kHundredths);
}
std::string megabytes(std::uint64_t bytes) { return tenths(number(bytes) / 1e6) + " MB"; }

std::uint64_t excess(const Counts& c, Counter real, Counter ideal) {
  return c[real] - std::min(c[real], c[ideal]);
}

}  // namespace

// Long because the costs are alike, a few lines each, and are best read below each other.
std::vector<WhatIf> what_if(const LaunchCounts& launch, const Parts& parts, const Tail& tail,
                            double path_without_conflicts) {
  using enum Counter;
  const Counts& c = launch.counts;
  const double now = ns_of(parts);
  std::vector<WhatIf> all;
  const auto without = [&](std::string_view what, const Parts& changed, const Score& score) {
    const double ns = ns_of(changed);
    if (ns > 0.98 * now) return;  // nothing to be had
    WhatIf& w = all.emplace_back(WhatIf{what, ns, {}, 0});
    std::uint64_t most = 0;
    for (const LineCounts& line : launch.lines) {
      if (line.line == 0 || score(line.counts) <= most) continue;
      most = score(line.counts);
      w.file = line.file;
      w.line = line.line;
    }
  };
  const auto requests = [](const Counts& n) {
    return n[GlobalLdRequests] + n[SharedLdRequests] + n[GlobalAtomRequests];
  };

  Parts p = parts;
  if (c[SharedConflicts]) {
    p[Limit::Shared] *= number(c[SharedIdeal]) / number(c[SharedWavefronts]);
    p[Limit::Path] = path_without_conflicts;
    without("bank conflicts", p, [](const Counts& n) { return n[SharedConflicts]; });
  }
  if (c[GlobalSectors] > c[GlobalIdeal]) {
    const double wanted = number(c[GlobalIdeal]) / number(c[GlobalSectors]);
    const double moved = number(launch.figures[LaunchCounter::Footprint]) * kSectorBytes;
    const double used = number(c[GlobalLdBytes] + c[GlobalStBytes]);
    p = parts;
    p[Limit::L1] *= wanted;
    p[Limit::L2] *= wanted;
    if (moved > used) p[Limit::Dram] *= used / moved;
    without("uncoalesced accesses", p,
            [](const Counts& n) { return excess(n, GlobalSectors, GlobalIdeal); });
  }
  if (c[BranchDivergent]) {
    const double lanes = number(c[ThreadInst]) / (kWarpLanes * number(c[Inst]));
    p = parts;
    for (const Limit limit : {Limit::Issue, Limit::Units, Limit::Path}) p[limit] *= lanes;
    p.serial_path = std::min(p.serial_path, p[Limit::Path]);
    without("divergence", p, [](const Counts& n) { return n[BranchDivergent]; });
  }
  p = parts;
  p[Limit::Path] = p.serial_path;
  without("waiting for one's own loads", p, requests);
  p = parts;
  p[Limit::Atomics] = p[Limit::Handovers] = p[Limit::SharedAtomics] = 0;
  without("atomics in one place", p,
          [](const Counts& n) { return n[GlobalAtomics] + n[SharedAtomics]; });
  p = parts;
  p[Limit::Path] /= tail.path;
  p.serial_path = std::min(p.serial_path, p[Limit::Path]);
  for (const Limit limit : {Limit::Issue, Limit::Units, Limit::Shared, Limit::Barriers, Limit::L1})
    p[limit] /= tail.work;
  without("blocks that have more to do", p, [](const Counts&) { return 0; });
  p = parts;
  p[Limit::Dram] = 0;
  without("DRAM traffic", p, [](const Counts& n) { return n[GlobalSectors]; });
  std::stable_sort(all.begin(), all.end(),
                   [](const WhatIf& a, const WhatIf& b) { return a.ns < b.ns; });
  return all;
}

std::string because(const LaunchCounts& launch, Limit limit) {
  using enum Counter;
  using L = LaunchCounter;
  const Counts& c = launch.counts;
  const LaunchFigures& f = launch.figures;
  const std::string l1 = whole_percent(f[L::L1HitRate]) + " % of the sectors are found in L1, ";
  const std::string l2 = whole_percent(f[L::L2HitRate]) + " % of the rest in L2";
  const std::uint64_t warps = (f[L::BlockThreads] + kWarpLanes - 1) / kWarpLanes;
  switch (limit) {
    case Limit::Path:
      return "each warp waits for its own loads and results, and " +
             std::to_string(std::min(f[L::Blocks], f[L::ResidentBlocks]) * warps) +
             " warps on the whole GPU are too few to hide that; " + l1 + l2;
    case Limit::Blocks:
      return std::to_string(f[L::Blocks]) +
             " blocks begin one after the other, and each does little";
    case Limit::Issue:
      return "the multiprocessors are busy with instructions; " + over(c[ThreadInstOn], c[Inst]) +
             " of 32 lanes take part in each";
    case Limit::Units:
      return "divisions, roots, doubles or integer operations go to units that take a warp in "
             "several cycles";
    case Limit::Shared:
      return "an access to shared memory takes " + over(c[SharedWavefronts], c[SharedIdeal]) +
             " times the passes through its banks that it would at best";
    case Limit::Barriers:
      return std::to_string(c[Barriers]) + " times a warp comes to a barrier";
    case Limit::L1:
      return "the lanes of a warp reach for words far apart: " +
             over(c[GlobalTags], c[GlobalLdRequests] + c[GlobalStRequests] + c[GlobalAtomRequests] +
                                     c[GlobalRedRequests]) +
             " lines per request; " + l1 + l2;
    case Limit::L2:
      return std::to_string(f[L::L2Sectors]) + " sectors of 32 bytes go between L1 and L2; " + l1 +
             "and " + over(c[GlobalSectors], c[GlobalIdeal]) +
             " times as many are touched as needed";
    case Limit::Dram:
      return megabytes(f[L::DramRead]) + " come from DRAM and " +
             megabytes(f[L::WriteFootprint] * kSectorBytes) + " are written; " + l1 + l2;
    case Limit::Atomics:
      return std::to_string(f[L::AtomicSectorMost]) +
             " atomics queue for one sector of 32 bytes, " + std::to_string(f[L::AtomicSliceMost]) +
             " for one slice of L2";
    case Limit::Handovers:
      return "one word is handed on " + std::to_string(f[L::ExchangesMost] + f[L::ReleasesMost]) +
             " times, a way to L2 and back each";
    case Limit::SharedAtomics:
      return "float atomics on shared memory are loops of compare-and-swap: " +
             over(c[SharedAtomicSerial], c[SharedAtomRequests]) + " rounds per request";
    case Limit::Count:
      break;
  }
  return "";
}

}  // namespace emu::observe
