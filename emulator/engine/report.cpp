// SPDX-License-Identifier: MIT
#include "engine/report.hpp"

#include <algorithm>
#include <bit>
#include <sstream>

#include "engine/splits.hpp"
#include "machine/source_place.hpp"

namespace emu::exec {
namespace {

std::string_view title_of(FaultKind kind, Cause cause = Cause::Unknown) {
  if (cause == Cause::OrdinaryLaunch) return "barrier of the grid in an ordinary launch";
  switch (kind) {
    case FaultKind::OutOfBounds:
      return "access out of bounds";
    case FaultKind::Misaligned:
      return "misaligned access";
    case FaultKind::FreedMemory:
      return "access to freed memory";
    case FaultKind::HostMemory:
      return "access to host memory";
    case FaultKind::InvalidSpace:
      return "access in the wrong address space";
    case FaultKind::DivergentBarrier:
      return "divergent barrier";
    case FaultKind::LaneNotInMask:
      return "lane not in its own mask";
    case FaultKind::Trap:
      return "trap";
    case FaultKind::Assert:
      return "assertion failed";
    case FaultKind::UnknownInstruction:
      return "instruction not supported";
    case FaultKind::Deadlock:
      return "deadlock";
    case FaultKind::Livelock:
      return "livelock";
    case FaultKind::InstructionLimit:
      return "run-away kernel";
    case FaultKind::StackOverflow:
      return "call stack overflow";
    case FaultKind::BadOperand:
      return "operand not allowed";
  }
  return "error";
}

std::string_view hint_out_of_bounds(Cause cause) {
  switch (cause) {
    case Cause::NullPointer:
      return "was the pointer set, and did the call that should have set it succeed?";
    case Cause::UnsetPointer:
      return "was the pointer set before it was used?";
    case Cause::WildPointer:
      return "was the pointer set, and can the index overflow?";
    case Cause::BeforeStart:
      return "is the index negative?";
    case Cause::NoDynamicShared:
      return "dynamic shared memory has the size that the launch gives: "
             "kernel<<<blocks, threads, bytes>>>";
    case Cause::SharedArray:
      return "check the index against the size of the shared array; a dynamic one has the size "
             "that the launch gives";
    case Cause::LocalArray:
      return "check the index against the size of the array";
    case Cause::OrdinaryLaunch:
    case Cause::Unknown:
      break;
  }
  return "check the index against the size: is the last, partly filled block guarded?";
}

std::string_view hint_of(const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::OutOfBounds:
      return hint_out_of_bounds(fault.cause);
    case FaultKind::Misaligned:
      return "an access of n bytes needs an address that is a multiple of n";
    case FaultKind::FreedMemory:
      return "keep the buffer until the kernel has finished";
    case FaultKind::HostMemory:
      return "a kernel can use memory from cudaMalloc, cudaMallocManaged or cudaMallocHost, not "
             "from malloc, new or the stack";
    case FaultKind::DivergentBarrier:
      return "move __syncthreads() out of the branch, so that all threads reach it";
    case FaultKind::LaneNotInMask:
      return "each lane that calls a _sync function must be named in its mask";
    case FaultKind::StackOverflow:
      return "recursion without an end?";
    case FaultKind::Trap:
      return fault.cause == Cause::OrdinaryLaunch
                 ? "launch it with cudaLaunchCooperativeKernel(), with no more blocks than the GPU "
                   "holds at once"
                 : "";
    default:
      return "";
  }
}

std::string dims(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

std::string device_of(const Grid& grid) {
  return grid.several_devices ? " on device " + std::to_string(grid.device) : "";
}

std::string thread_of(const Grid& grid, const Warp& warp, int lane) {
  const std::uint32_t t = warp.id * kLanes + static_cast<std::uint32_t>(lane);
  return dims(t % grid.block.x, t / grid.block.x % grid.block.y, t / grid.block.x / grid.block.y);
}

std::string block_of(const Block& block) {
  return dims(block.index.x, block.index.y, block.index.z);
}

void add_callers(std::ostringstream& out, const Frame& frame) {
  constexpr std::uint32_t kMostCallers = 8;
  std::uint32_t shown = 0;
  for (const Frame* f = &frame; f->caller; f = f->caller, ++shown) {
    if (shown == kMostCallers) {
      out << "          and " << f->depth << " calls more\n";
      return;
    }
    const Instr& site = f->caller->code->instrs[f->return_to - 1];
    const SourcePlace place =
        site.source ? place_of(*f->caller->code, *site.source) : SourcePlace{};
    out << "          in " << f->code->name << ", called from "
        << (place.where.empty() ? f->caller->code->name : place.where) << "\n";
  }
}

// The lanes of the warp that are ready to run and lag.
LaneMask lanes_behind(const Warp& warp, const Split& s) {
  LaneMask behind = 0;
  for (const Split& other : warp.splits) {
    if (is_ready(other) && &other != &s && lags(other, s)) behind |= other.mask;
  }
  return behind;
}

std::string wait_text(const Warp& warp, const Split& s) {
  const bool lock_step = warp.block->grid->lock_step;
  const bool one = std::has_single_bit(s.mask);
  const std::string lanes = (one ? "lane " : "lanes ") + lane_list(s.mask);
  const std::string wait = one ? " waits" : " wait", their = one ? "its" : "their";
  const auto named = [](LaneMask mask) {
    return (std::has_single_bit(mask) ? "lane " : "lanes ") + lane_list(mask);
  };
  switch (s.state) {
    case Split::State::Barrier: {
      const LaneMask missing = warp.live & ~s.mask;
      std::string text = lanes + wait + " at barrier " + std::to_string(s.wait_id);
      const NamedBarrier& bar = warp.block->barriers[s.wait_id];
      if (bar.expected) {
        text += " for " + std::to_string(bar.expected) + " threads, of which " +
                std::to_string(bar.arrived) + " have come";
      }
      if (!s.counted && missing) text += " for " + named(missing) + " of " + their + " own warp";
      return text;
    }
    case Split::State::ClusterBarrier:
      return lanes + wait + " at the cluster's barrier";
    case Split::State::WarpSync: {
      const LaneMask missing = s.wait_id & warp.live & ~s.mask;
      return lanes + wait + " for " + named(missing) + ", which " + their + " mask names";
    }
    case Split::State::Ready:
    case Split::State::Operation:
      if (const LaneMask behind = lock_step ? lanes_behind(warp, s) : 0) {
        const std::string have = std::has_single_bit(behind) ? "has" : "have";
        return lanes + wait + " until " + named(behind) + " of " + their + " own warp " + have +
               " caught up";
      }
      return lanes + (one ? " runs" : " run") + " in a loop";
  }
  return lanes;
}

// A reader wants the line of the loop, not of the header that holds the atomic.
const ptx::Instruction* stands_at(const Split& s) {
  const Instr& in = s.waits_at ? *s.waits_at : s.frame->code->instrs[s.pc];
  const ptx::Instruction* source = in.source;
  for (std::size_t pc = s.pc; !source && pc < s.frame->code->instrs.size(); ++pc) {
    source = s.frame->code->instrs[pc].source;
  }
  return source;
}

std::string where_text(const Split& s) {
  const ptx::Instruction* const source = stands_at(s);
  if (!source) return "";
  const SourcePlace place = place_of(*s.frame->code, *source);
  std::string text =
      place.where.empty() ? "PTX line " + std::to_string(source->text_line) : place.where;
  for (const auto& line : place.inlined) text += ", " + line;
  return text + "  [" + one_line(source->text) + "]";
}

Involved involved(const Code& code, const ptx::Instruction* at, std::string who, std::string does) {
  Involved i{std::move(who), std::move(does), "", "", 0};
  if (!at) return i;
  const SourcePlace place = place_of(code, *at);
  const SourceLine line = line_of(code, *at);
  i.where = place.where.empty() ? "PTX line " + std::to_string(at->text_line) : place.where;
  i.inlined = place.inlined;
  i.file = line.file;
  i.line = line.line;
  return i;
}

std::string warp_text(const Warp& warp) {
  return "warp " + std::to_string(warp.id) + " of block " + block_of(*warp.block) +
         device_of(*warp.block->grid);
}

// Those who wait for others of their warp, and those they wait for: one pair says most.
std::vector<Involved> pair_of(const Warp& warp, const Split& waits) {
  const LaneMask named = waits.state == Split::State::WarpSync ? waits.wait_id : warp.live;
  const LaneMask missing = named & warp.live & ~waits.mask;
  const auto of = [&](const Split& s) {
    const std::string text = wait_text(warp, s);
    const std::size_t verb = text.find_first_of("wr", 5);  // behind "lanes 0-3"
    return involved(*s.frame->code, stands_at(s), text.substr(0, verb) + "of " + warp_text(warp),
                    text.substr(verb));
  };
  std::vector<Involved> pair{of(waits)};
  for (const Split& s : warp.splits) {
    if (&s == &waits || !(s.mask & missing)) continue;
    pair.push_back(of(s));
    break;
  }
  return pair;
}

}  // namespace

void throw_fault(const Grid& grid, const Kernel& kernel, const Warp* warp, const Fault& fault) {
  std::ostringstream out;
  KernelError error{fault.kind, ""};
  error.title = title_of(fault.kind, fault.cause);
  error.kernel = kernel.pretty;
  error.what = fault.message;
  error.hint = hint_of(fault);
  error.cause = fault.cause;
  out << "warp-ladder emulator: " << error.title << " in " << kernel.pretty << "\n"
      << "  what    " << fault.message << "\n"
      << "  kernel  " << kernel.pretty << device_of(grid) << "\n";
  if (warp && warp->frame) {
    const int lane = fault.lane >= 0 ? fault.lane : (warp->active ? first_lane(warp->active) : 0);
    out << "  who     block " << block_of(*warp->block) << ", thread "
        << thread_of(grid, *warp, lane) << " (warp " << warp->id << ", lane " << lane << ")\n";
    if (warp->pc && warp->pc->source) out << place_lines(*warp->frame->code, *warp->pc->source);
    add_callers(out, *warp->frame);
    error.involved.push_back(involved(*warp->frame->code, warp->pc ? warp->pc->source : nullptr,
                                      "thread " + thread_of(grid, *warp, lane) + " of block " +
                                          block_of(*warp->block) + device_of(grid),
                                      "is there"));
    if (warp->pc && warp->pc->source) {
      out << "  ptx     " << one_line(warp->pc->source->text) << "\n";
    }
  }
  if (!error.hint.empty()) out << "  hint    " << error.hint << "\n";
  error.report = out.str();
  throw error;
}

void throw_stuck(const Grid& grid, const Kernel& kernel, const std::vector<const Block*>& blocks,
                 std::uint64_t waiting_blocks, bool spinning) {
  constexpr int kMostLines = 12;
  std::ostringstream out;
  const auto kind = spinning ? FaultKind::Livelock : FaultKind::Deadlock;
  KernelError error{kind, ""};
  error.title = title_of(kind);
  error.kernel = kernel.pretty;
  error.what = spinning ? "threads loop and nothing they read will ever change"
                        : "every thread that is left waits for another";
  out << "warp-ladder emulator: " << error.title << " in " << kernel.pretty << "\n"
      << "  what    " << error.what << "\n"
      << "  kernel  " << kernel.pretty << device_of(grid) << "\n";
  int lines = 0;
  std::uint64_t more = 0;
  for (const Block* block : blocks) {
    for (const auto& warp : block->warps) {
      for (const Split& s : warp->splits) {
        const bool waits = s.state != Split::State::Ready && s.state != Split::State::Operation;
        if (error.involved.empty() && (waits || spinning)) error.involved = pair_of(*warp, s);
        if (lines++ >= kMostLines) {
          ++more;
          continue;
        }
        out << "  waits   block " << block_of(*block) << " warp " << warp->id << ": "
            << wait_text(*warp, s) << "\n          thread "
            << thread_of(grid, *warp, first_lane(s.mask)) << " at " << where_text(s) << "\n";
      }
      const auto threads = std::min<std::uint32_t>(kLanes, block->threads - warp->id * kLanes);
      const LaneMask all = threads == kLanes ? kAllLanes : (LaneMask{1} << threads) - 1;
      if (warp->live != all && lines < kMostLines) {
        out << "  gone    block " << block_of(*block) << " warp " << warp->id << ": lanes "
            << lane_list(all & ~warp->live) << " have exited\n";
      }
    }
  }
  if (more) out << "          and " << more << " more\n";
  if (waiting_blocks) {
    out << "  note    " << waiting_blocks
        << " blocks of the grid have not started: the modelled GPU holds " << blocks.size()
        << " at once, and a block may not wait for one that comes after it\n";
  }
  error.report = out.str();
  throw error;
}

}  // namespace emu::exec
