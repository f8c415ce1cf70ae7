// SPDX-License-Identifier: MIT
// The grid: blocks start in index order, as many at a time as the modelled GPU holds, and take
// turns.
#include <algorithm>

#include "access/async_copy.hpp"
#include "engine/engine.hpp"
#include "engine/report.hpp"
#include "engine/splits.hpp"
#include "explore/interleaver.hpp"
#include "machine/specials.hpp"

namespace emu::exec {

namespace {

// Order of clusters in the grid: x fastest, then y, then z, as the hardware numbers blocks.
Dim3 delinearise(std::uint64_t i, std::uint32_t x, std::uint32_t y) {
  return {static_cast<std::uint32_t>(i % x), static_cast<std::uint32_t>(i / x % y),
          static_cast<std::uint32_t>(i / x / y)};
}

// Threads that look at a clock while they wait are never twice in the same state. They are taken
// for stuck when nothing has changed for so many warp instructions: some seconds of emulation, or
// half a second of a GPU's clock. Where fewer are allowed, after half of them: that somebody waits,
// and where, says more than that the kernel takes too long.
constexpr std::uint64_t kLongestWait = 100'000'000;

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}

// The sizes that occur (frames, what 32 lanes have) are multiples of 8.
std::uint64_t mix_words(std::uint64_t h, const std::byte* bytes, std::size_t size) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(bytes);
  for (std::size_t i = 0; i < size / 8; ++i) h = mix(h, words[i]);
  return h;
}

bool seeded(const LaunchRequest& request) {
  return request.schedule && !request.schedule->lock_step();
}

}  // namespace

Engine::Engine(Grid& grid, const KernelImage& image, const LaunchRequest& request)
    : grid_(grid), image_(image), request_(request) {
  limit_ = request.instruction_limit ? request.instruction_limit
           : seeded(request)         ? kDefaultSeededLimit
                                     : kDefaultInstructionLimit;
  clusters_ = grid.grid.count() / grid.cluster.count();
  if (request.tracer) mode_ = Mode::Traced;
  grid.lock_step = request.schedule && request.schedule->lock_step();
  if (seeded(request)) {
    mode_ = Mode::Interleaved;
    interleaver_ = std::make_unique<Interleaver>(*request.schedule, grid, request.turns);
  }
}

Engine::~Engine() = default;

void Engine::start_block(Block& block, std::uint64_t linear, const Dim3& index) {
  const Code& code = image_.code(*image_.function, *image_.module);
  const auto threads = static_cast<std::uint32_t>(grid_.block.count());
  const std::uint32_t warps = (threads + kLanes - 1) / kLanes;
  const bool fresh = block.warps.empty();
  block.grid = &grid_;
  block.index = index;
  block.linear = linear;
  block.threads = threads;
  block.finished = false;
  block.live_warps = warps;
  block.barriers = {};
  block.async.reset();
  // Shared memory starts out as garbage on a GPU: make it recognisable.
  block.shared.assign(grid_.reserved_shared + grid_.static_shared + grid_.dynamic_shared,
                      std::byte{0xcd});
  std::fill_n(block.shared.begin(), grid_.reserved_shared, std::byte{0});
  block.specials.resize(kBlockSpecialBytes);
  fill_block_specials(block);
  for (std::uint32_t i = 0; i < warps; ++i) {
    if (fresh) {
      block.warps.push_back(std::make_unique<Warp>());
      Warp& w = *block.warps.back();
      w.id = i;
      w.block = &block;
      w.specials.resize(kWarpSpecialBytes);
      w.areas[static_cast<std::size_t>(Area::Warp)] = w.specials.data();
      fill_warp_specials(w);
      w.frame = frames_.make(w, code, nullptr, 0);
      w.outermost = w.frame;
      w.splits.reserve(kLanes);
    } else {
      Warp& w = *block.warps[i];
      w.frame = w.outermost;
      Frames::reset(*w.frame, code);
    }
    Warp& w = *block.warps[i];
    w.areas[static_cast<std::size_t>(Area::Block)] = block.specials.data();
    w.observer = grid_.observer;
    const std::uint32_t lanes = std::min<std::uint32_t>(kLanes, threads - i * kLanes);
    w.live = lanes == kLanes ? kAllLanes : (LaneMask{1} << lanes) - 1;
    w.carry = 0;
    w.at_barrier = {};
    w.executed = 0;
    w.cluster_arrived = 0;
    w.cluster_phase = {};
    w.frame->lanes = w.live;
    w.splits.clear();
    std::fill(w.local.begin(), w.local.end(), std::byte{0xcd});
    park(w, code.instrs.data(), w.live);
    if (interleaver_) interleaver_->start(w);
  }
  if (grid_.observer) grid_.observer->block_begin(block);
}

void Engine::start_cluster() {
  std::unique_ptr<Cluster> cluster;
  if (!spare_.empty()) {
    cluster = std::move(spare_.back());
    spare_.pop_back();
  } else {
    cluster = std::make_unique<Cluster>();
    for (std::uint64_t i = 0; i < grid_.cluster.count(); ++i) {
      cluster->blocks.push_back(std::make_unique<Block>());
    }
  }
  const Dim3 &c = grid_.cluster, &g = grid_.grid;
  const Dim3 base = delinearise(next_cluster_++, g.x / c.x, g.y / c.y);
  auto shared_barrier = std::make_shared<Block::ClusterBarrier>();
  std::vector<Block*> members;
  for (auto& block : cluster->blocks) members.push_back(block.get());
  for (std::uint32_t rank = 0; rank < members.size(); ++rank) {
    Block& block = *members[rank];
    const Dim3 in = delinearise(rank, c.x, c.y);
    const Dim3 index{base.x * c.x + in.x, base.y * c.y + in.y, base.z * c.z + in.z};
    block.rank = rank;
    block.cluster = members;
    block.cluster_barrier = shared_barrier;
    start_block(block, index.x + std::uint64_t{g.x} * (index.y + std::uint64_t{g.y} * index.z),
                index);
  }
  active_.push_back(std::move(cluster));
}

// A block goes on until all its warps wait or give way. One whose warps meet at barriers again and
// again while nothing in memory changes may be waiting for another block: it gives way too.
Engine::BlockOutcome Engine::run_block(Block& block) {
  constexpr int kMostQuietRounds = 64;
  std::uint64_t seen_changes = grid_.memory_changes;
  int quiet = 0;
  for (;;) {
    bool advanced = false, yielded = false;
    for (auto& warp : block.warps) {
      if (!has_ready(*warp)) continue;
      const Outcome outcome = run_warp(*warp);
      advanced |= outcome != Outcome::Yielded;
      yielded |= outcome == Outcome::Yielded;
    }
    if (block.live_warps == 0) {
      finish_async(block);
      block.finished = true;
      if (grid_.observer) grid_.observer->block_end(block);
      return BlockOutcome::Finished;
    }
    const bool ready = std::any_of(block.warps.begin(), block.warps.end(),
                                   [](const auto& w) { return has_ready(*w); });
    if (!ready) return BlockOutcome::Blocked;
    if (!advanced && yielded) return BlockOutcome::Yielded;
    if (grid_.clock > limit_) over_limit();
    if (grid_.clock >= next_report_) report_progress();
    quiet = grid_.memory_changes == seen_changes ? quiet + 1 : 0;
    seen_changes = grid_.memory_changes;
    if (quiet == kMostQuietRounds) return BlockOutcome::Yielded;
  }
}

// Everything the next pass depends on besides memory, which the caller knows not to have changed.
std::uint64_t Engine::state_hash() const {
  std::uint64_t h = active_.size();
  for (const auto& cluster : active_) {
    for (const auto& block : cluster->blocks) {
      for (const NamedBarrier& b : block->barriers) {
        h = mix(h, b.arrived | std::uint64_t{b.expected} << 32);
        h = mix(h, b.red_popc | std::uint64_t{b.red_total} << 32);
      }
      for (const auto& warp : block->warps) {
        // Nobody else sees local memory, so that writing it does not count as a change.
        h = mix_words(h, warp->local.data(), warp->local.size());
        for (const Split& s : warp->splits) {
          h = mix(h, s.pc | std::uint64_t{s.mask} << 32);
          h = mix(h, static_cast<std::uint64_t>(s.state));
          for (const Frame* f = s.frame; f; f = f->caller) {
            h = mix_words(h, f->base, f->code->frame_bytes);
            h = mix_words(h, f->params.data(), f->params.size());
          }
        }
      }
    }
  }
  return h;
}

void Engine::stuck(bool spinning) {
  std::vector<const Block*> blocks;
  for (const auto& cluster : active_) {
    for (const auto& block : cluster->blocks) {
      if (!block->finished) blocks.push_back(block.get());
    }
  }
  throw_stuck(grid_, image_, blocks, (clusters_ - next_cluster_) * grid_.cluster.count(), spinning);
}

void Engine::report_progress() {
  next_report_ = grid_.clock + kProgressInterval;
  if (!request_.progress) return;
  const std::uint64_t per_cluster = grid_.cluster.count();
  request_.progress(image_, {grid_.clock, (next_cluster_ - active_.size()) * per_cluster,
                             clusters_ * per_cluster});
}

void Engine::retire(std::size_t i) {
  spare_.push_back(std::move(active_[i]));
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
}

std::uint64_t Engine::most_clusters() const {
  return std::max<std::uint64_t>(1, request_.resident_blocks / grid_.cluster.count());
}

Engine::Turn Engine::turn() {
  try {
    return interleaver_ ? turn_interleaved() : pass();
  } catch (const Fault& f) {
    throw_fault(grid_, image_, current_, f);
  }
}

// Every resident block has its turn. Returns whether one gave way; `progress`: whether one came on.
bool Engine::run_active(bool& progress) {
  const std::uint64_t most = most_clusters();
  bool yielded = false;
  for (std::size_t i = 0;
       i < active_.size() || (next_cluster_ < clusters_ && active_.size() < most);) {
    if (i == active_.size()) {
      start_cluster();
      progress = true;
    }
    Cluster& cluster = *active_[i];
    bool finished = true;
    for (auto& block : cluster.blocks) {
      if (block->finished) continue;
      const std::uint64_t before = grid_.clock;
      const BlockOutcome outcome = run_block(*block);
      if (grid_.clock > limit_) over_limit();
      finished &= outcome == BlockOutcome::Finished;
      progress |= outcome == BlockOutcome::Finished ||
                  (outcome == BlockOutcome::Blocked && grid_.clock != before);
      yielded |= outcome == BlockOutcome::Yielded;
    }
    if (grid_.clock >= next_report_) report_progress();
    if (finished) {
      retire(i);
    } else {
      ++i;
    }
  }
  return yielded;
}

Engine::Turn Engine::pass() {
  if (next_cluster_ == clusters_ && active_.empty()) return Turn::Over;
  // What other devices have changed since the last pass counts too.
  bool progress = grid_.memory_changes != seen_changes_;
  const std::uint64_t changes = grid_.memory_changes, clock_reads = grid_.clock_reads;
  const bool yielded = run_active(progress);
  const bool changed = progress || grid_.memory_changes != changes;
  seen_changes_ = grid_.memory_changes;
  if (changed) last_change_ = grid_.clock;
  idle_passes_ = changed ? 0 : idle_passes_ + 1;
  if (active_.empty()) return next_cluster_ == clusters_ ? Turn::Over : Turn::Going;
  if (changed || grid_.clock_reads != clock_reads) {
    quiet_ = 0;
    refresh_at_ = 1;
    const std::uint64_t longest_wait = std::min(kLongestWait, limit_ / 2);
    return grid_.clock - last_change_ > longest_wait ? Turn::Stuck : Turn::Going;
  }
  if (!yielded) stuck(false);
  const std::uint64_t hash = state_hash();
  if (quiet_ > 0 && hash == seen_hash_) return Turn::Stuck;
  if (++quiet_ == refresh_at_) {
    seen_hash_ = hash;
    refresh_at_ *= 2;
  }
  return Turn::Going;
}

}  // namespace emu::exec
