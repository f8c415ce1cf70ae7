// SPDX-License-Identifier: MIT
#include "timing/memory_side.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "counters/access_rules.hpp"
#include "counters/address_tally.hpp"
#include "counters/caches/footprint.hpp"
#include "counters/ptxas/instruction_kinds.hpp"

namespace emu::observe {
namespace {

using devices::Timing;

// Of a multiprocessor, for constants; a larger one lies behind it.
constexpr std::uint64_t kConstantCache = 2048;

bool is_streaming(const ptx::Instruction& ins) {
  return ins.has("cs") || ins.has("L1::no_allocate") || ins.has("L2::evict_first");
}

bool is_float_atomic(const ptx::Instruction& ins) {
  return ins.type() == ptx::Type::F32 || ins.type() == ptx::Type::F64;
}

// Counting lanes by one: the machine counts those of a bank that name one word together.
bool is_increment(const exec::Instr& in, bool result_read) {
  const ptx::Instruction& ins = *in.source;
  if (result_read || !ins.has("add") || is_float_atomic(ins) || ptx::size_of(ins.type()) != 4)
    return false;
  const ptx::Operand& value = ins.operands.back();
  return value.kind == ptx::Operand::Kind::Immediate && value.bits == 1;
}

// What a lane loads or stores: `value` is the operand for it.
double bytes_of_lane(const ptx::Instruction& ins, const ptx::Operand& value) {
  return static_cast<double>(std::max<std::size_t>(1, value.parts.size())) *
         ptx::size_of(ins.type());
}

// ns that the L2 cache needs for stores: for each sector, more for one that is hardly filled, or that
// comes alone of its line.
double store_time(const Counts& c, double merged, const Timing& t) {
  const double sectors = number(c[Counter::GlobalStSectors]) / merged;
  if (sectors == 0) return 0;
  const double filled = number(c[Counter::GlobalStBytes]) / (sectors * kSectorBytes);
  const double each = filled < 0.4 ? t.l2_word_ns : t.l2_store_ns;
  return std::max(sectors * each, number(c[Counter::GlobalTags]) / merged * t.l2_store_line_ns);
}

// The same for local memory, whose words of a warp lie side by side if all lanes mean the same one.
double local_store_time(const Counts& c, const exec::Instr& at, const Tally& tally,
                        const Timing& t) {
  const double sectors = number(c[Counter::LocalStSectors]);
  if (sectors == 0) return 0;
  const double filled = number(tally.on) * bytes_of_lane(*at.source, at.source->operands.back()) /
                        (sectors * kSectorBytes);
  return sectors * (filled < 0.4 ? t.l2_word_ns : t.l2_store_ns);
}

// ... and for loads of what L1 does not have.
double load_time(const Counts& c, double in_l1, const Timing& t) {
  const double sectors = number(c[Counter::GlobalLdSectors]);
  if (sectors == 0) return 0;
  const double lines = number(c[Counter::GlobalTags]);
  return (1 - in_l1) * std::max(sectors * kSectorBytes / t.l2_gbps, lines * t.l2_load_line_ns);
}

// Which loads of constant memory bring the second word of eight bytes whose first one is loaded right before from the same
// address: the compiler makes one of both (LDC.64).
std::vector<std::uint8_t> joined_constants(const exec::Code& code) {
  constexpr std::size_t kNear = 8;
  std::vector<std::uint8_t> joined(code.instrs.size());
  const auto is_word = [&](std::size_t i) {
    const exec::Instr& at = code.instrs[i];
    return at.row == ptx::Row::ld && at.source && in_space(*at.source, "const") &&
           at.source->operands[0].parts.empty() && ptx::size_of(at.source->type()) == 4;
  };
  for (std::size_t i = 0; i < joined.size(); ++i) {
    if (!is_word(i)) continue;
    const ptx::Operand& own = code.instrs[i].source->operands[1];
    for (std::size_t k = i < kNear ? 0 : i - kNear; k < i && !joined[i]; ++k) {
      if (!is_word(k) || joined[k]) continue;
      const ptx::Operand& other = code.instrs[k].source->operands[1];
      joined[i] = own.reg != ptx::kNoIndex && own.reg == other.reg && own.symbol == other.symbol &&
                  own.offset / 8 == other.offset / 8 && own.offset != other.offset;
    }
  }
  return joined;
}

// Cycles of the first-level cache: passes through its banks, and lines that are looked up.
double l1_cycles(const Counts& c, const exec::Instr& at, double handed, double near,
                 const Timing& t) {
  const double atomics = number(c[Counter::GlobalRedSectors]) * t.atomic_cycles +
                         number(c[Counter::GlobalAtomSectors]) * t.atomic_result_cycles;
  if (atomics > 0) return atomics;
  // Lanes that ask constant memory for different words are served one after the other.
  constexpr double kNearWord = 2.15, kFarWord = 19.4;
  const double words = number(c[Counter::ConstAddresses]) - number(c[Counter::ConstRequests]);
  if (words > 0) {
    // No instruction of the machine brings more than eight bytes (LDC.64).
    const double loads = std::max(1.0, bytes_of_lane(*at.source, at.source->operands[0]) / 8);
    return loads * words * (kFarWord + (kNearWord - kFarWord) * near);
  }
  const double local = number(c[Counter::LocalLdSectors]) + number(c[Counter::LocalStSectors]);
  // Of lanes at different places each takes longer than a line in which all of them are.
  constexpr double kLocalPlace = 1.7;
  const double places = number(c[Counter::LocalLdBytes] + c[Counter::LocalStBytes]) / 4;
  const bool apart =
      places > 1.5 * number(c[Counter::LocalLdRequests] + c[Counter::LocalStRequests]);
  const double of_local = apart ? kLocalPlace * places : local / kLineSectors;
  return of_local + std::max({number(c[Counter::L1Wavefronts]), handed,
                              number(c[Counter::GlobalTags]) / t.l1_lines_per_cycle});
}

// Cycles to hand what was loaded to the lanes, a line at a time: to each of them, even if all have asked for the same.
double handed_out(const exec::Instr& at, const Tally& tally) {
  if (at.row != ptx::Row::ld) return 0;
  const double bytes = bytes_of_lane(*at.source, at.source->operands[0]);
  return number(tally.on) * bytes / (kLineSectors * kSectorBytes);
}

// ns that atomics on global memory wait for each other.
double atomics_time(const LaunchCounts& launch, bool floats, bool awaits_blocks,
                    const devices::Profile& gpu) {
  using L = LaunchCounter;
  const Timing& t = devices::timing(gpu);
  const LaunchFigures& f = launch.figures;
  // Many lanes of a warp that name one word come to its slice in a burst, and hold up what would go to other slices behind them:
  // all over an H200 8 to 64 lanes on each word take 1.0 to 2.7 ns a pass and slice, others 0.6 to 0.9.
  constexpr double kBurst = 1.1;
  const double bursts = number(f[L::AtomicsAgain]) * kBurst / AddressTally::kSlices;
  const double one = floats ? t.float_atomic_ns : t.integer_atomic_ns;
  // A load of what atomics change waits for the one before it, and holds up the next; a compare-and-swap does with others, less.
  // (Where 1.4, 5, 25 and 100 % of 3 million threads go to one word, a warp's load of it costs 1.7, 2.7, 3.2 and 1.9 ns beside the
  // atomics of its lanes, and a compare-and-swap that an addition follows 0.3, 0.65, 0.55 and 0.6 ns.)
  // Not where blocks wait for others: how often they look is the emulator's doing, and model() knows what it costs.
  constexpr double kLook = 2.1, kSwap = 0.6;
  const double looks = awaits_blocks ? 0 : number(launch.looks);
  const double passes = number(f[L::AtomicSectorMost]), swaps = number(launch.swaps);
  const double turns =
      std::min(looks, passes) * kLook + std::min(swaps, std::max(0.0, passes - swaps)) * kSwap;
  const double queue =
      turns + std::max(number(f[L::AtomicSliceMost]) * t.slice_atomic_ns + bursts, passes * one);
  // What all multiprocessors need to send them off: few do not fill the way.
  const double passes_each = number(launch.atomic_passes) / number(gpu.multiprocessors);
  const double way = passes_each * t.atomic_cycles * 1e6 / gpu.sm_clock_khz;
  // Those that queue stand in the way of others that go elsewhere: what one slice has more than its share of comes on top of the
  // way there. (3 million atomics all over memory take an H200 36 us, and 31, 111 or 553 more if 1.4, 5 or 25 % of them go to one
  // word, which is what those take alone.)
  const double share = number(launch.atomic_passes) / AddressTally::kSlices * t.slice_atomic_ns;
  const double alone = std::max(0.0, queue - share);
  // While others bring their sectors from DRAM, a queue goes on more slowly. (If 262,144 sectors have to come first, the same 31, 111
  // and 553 us become 68, 195 and 733: about the square root of what queues and of 0.22 ns a sector. Few sectors are nothing, and
  // where none is wanted more than others, chance makes the longest queue a little longer than its share.)
  constexpr double kMissed = 0.22, kFew = 1000, kChance = 0.2;
  const double hot = std::max(0.0, alone - kChance * share);
  const double missed = kMissed * number(launch.atomics_missed);
  const double more = alone + std::sqrt(hot * missed) * missed / (missed + kFew);
  // The way itself is among what L1 has to do (kSharpness puts both together).
  return std::max(queue, std::cbrt(std::pow(way + more, 3) - std::pow(way, 3)));
}

}  // namespace

double constants_near(const LaunchCounts& launch) {
  const double cache = number(kConstantCache);
  return cache / std::max(cache, number(launch.constant_bytes));
}

MemorySide memory_side(const LaunchCounts& launch, std::span<const Executed> codes,
                       const devices::Profile& gpu, double busy, bool awaits_blocks) {
  using enum Counter;
  using L = LaunchCounter;
  const Timing& t = devices::timing(gpu);
  const Counts& c = launch.counts;
  const LaunchFigures& f = launch.figures;
  MemorySide side;
  double loads = 0, streaming = 0;
  bool float_atomics = false;
  const double near = constants_near(launch);
  for (const Executed& code : codes) {
    const auto unwanted = unwanted_results(*code.code), joined = joined_constants(*code.code);
    for (std::size_t i = 0; i < code.counts.size(); ++i) {
      const Counts& here = code.counts[i];
      const exec::Instr& at = code.code->instrs[i];
      if (!at.source || code.tally[i].executed == 0) continue;
      side.l2 +=
          store_time(here, code.sources[i].merged, t) + load_time(here, code.sectors_in_l1[i], t);
      const double handed = here[GlobalLdRequests] ? handed_out(at, code.tally[i]) : 0;
      side.l1 += joined[i] ? 0 : l1_cycles(here, at, handed, near, t);
      side.l2 +=
          (1 - code.sectors_in_l1[i]) * number(here[LocalLdSectors]) * kSectorBytes / t.l2_gbps;
      side.l2 += local_store_time(here, at, code.tally[i], t);
      if (const double n = number(here[GlobalLdRequests]); n > 0 && !here[CopySectors]) {
        loads += n;
        if (is_streaming(*at.source)) streaming += n;
      }
      if (at.row != ptx::Row::atom && at.row != ptx::Row::red) continue;
      float_atomics |= here[GlobalAtomics] && is_float_atomic(*at.source);
      const bool read = at.row == ptx::Row::atom && !unwanted[i];
      if (here[SharedAtomRequests] && is_increment(at, read))
        side.shared_passes_less +=
            number(here[SharedAtomWavefronts]) - number(here[SharedAtomRequests]);
    }
  }
  side.l2 += number(c[BulkGlobalBytes]) / t.l2_gbps;
  side.l1 /= busy;

  const double written = number(f[L::WriteFootprint]) * kSectorBytes;
  const double left = number(launch.written_back) * kSectorBytes;
  const double dirty = t.dirty_share + (t.dirty_share_streaming - t.dirty_share) *
                                           (loads > 0 ? streaming / loads : 0);
  // A line leaves in as much time as if it were written whole. A sector that is alone of its line is read as a pair to be filled up.
  const double lines_left = number(launch.lines_written_back) * kLineSectors * kSectorBytes;
  const double gaps = std::max(0.0, lines_left - left);
  const double alone = left > 0 ? std::clamp(lines_left / left - 1, 1.0, 2.0) : 1;
  const double filled = number(launch.filled) * kSectorBytes, filled_up = alone * filled;
  side.read = number(f[L::DramRead]) - filled;
  side.dram = (side.read + written + filled_up + gaps + std::max(0.0, left - written) * dirty) /
              t.dram_gbps;
  // A row that is read whole is opened while the one before is read, and all banks open their first one at once.
  const double aside = side.read / Footprint::kRowBytes + number(Footprint::kBanks);
  side.dram += std::max(0.0, number(launch.rows_opened) - aside) * t.row_ns;

  side.atomics = atomics_time(launch, float_atomics, awaits_blocks, gpu);
  return side;
}

}  // namespace emu::observe
