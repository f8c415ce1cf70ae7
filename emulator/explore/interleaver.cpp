// SPDX-License-Identifier: MIT
// Who goes next. Random: any thread, with a liking for the last one that is drawn per launch, so that
// both short and long runs occur. Pct (Burckhardt et al., ASPLOS 2010): the thread with the highest
// of random priorities, until a change point or a spin loop takes its rank away. Replay: as it is
// written, and then in the order of their numbers.
#include "explore/interleaver.hpp"

#include <algorithm>
#include <utility>

namespace emu::exec {
namespace {

// Rounds of a spin loop in which nothing changes and the same is read, by every thread that is left,
// before we believe that nothing ever will. Threads that look at the clock see it change.
constexpr std::uint32_t kManyPasses = 20'000;
// A thread that never rests but waits for others all the same must not keep its rank for ever.
constexpr std::uint64_t kLongestRun = 1000;
constexpr std::uint64_t kFirstRank = std::uint64_t{1} << 62;  // given at the start; lower: later

}  // namespace

std::uint64_t Dice::below(std::uint64_t n) {
  // The upper half of next() * n; n is far below 2^32, so that the bias does not matter.
  return ((next() >> 32) * n) >> 32;
}

Interleaver::Interleaver(const Schedule& schedule, const Grid& grid, Sink sink)
    : schedule_(schedule),
      grid_(grid),
      dice_(schedule.seed + (schedule.device << 32)),
      sink_(std::move(sink)),
      lowest_(kFirstRank) {
  constexpr std::uint32_t kStay[] = {0, 32, 56, 62};
  stay_ = kStay[dice_.below(4)];
  // How long the launch will be is not known, and may not depend on earlier ones: the scale is
  // drawn too, from 2 to 128 operations per thread.
  const std::uint64_t blocks = std::min<std::uint64_t>(grid.grid.count(), grid.resident_blocks);
  const std::uint64_t steps = (blocks * grid.block.count()) << (1 + dice_.below(7));
  for (std::uint32_t i = 1; i < schedule.depth; ++i) change_at_.push_back(1 + dice_.below(steps));
  std::sort(change_at_.rbegin(), change_at_.rend());
}

Interleaver::~Interleaver() {
  if (sink_) sink_(taken_);
}

void Interleaver::start(Warp& warp) {
  // A warp keeps its seat when its block has ended and another takes over what it had.
  if (warp.seat >= warps_.size() || warps_[warp.seat] != &warp) {
    warp.seat = static_cast<std::uint32_t>(warps_.size());
    warps_.push_back(&warp);
    threads_.resize(warps_.size() * kLanes);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    Thread& t = threads_[warp.seat * kLanes + static_cast<std::uint32_t>(lane)];
    t = Thread{};  // what is left of it in the heap is told by the old priority
    t.priority = kFirstRank + (dice_.next() >> 2);
    const std::uint32_t id = warp.seat * kLanes + static_cast<std::uint32_t>(lane);
    if (schedule_.policy == Schedule::Policy::Replay) by_number_[number_of(id)] = id;
  }
}

void Interleaver::wait(const Warp& warp, LaneMask lanes, bool mask) {
  const bool ranked = schedule_.policy == Schedule::Policy::Pct;
  for (LaneMask m = lanes; m; m &= m - 1) {
    const std::uint32_t id = warp.seat * kLanes + static_cast<std::uint32_t>(first_lane(m));
    Thread& t = threads_[id];
    ++waiting_count_;
    if (!ranked) {
      t.place = static_cast<std::uint32_t>(waiting_.size());
      waiting_.push_back(id);
      continue;
    }
    // Else the first would always read its own lane alone.
    if (mask && dice_.below(2)) give_way(id);
    t.place = 0;
    if (t.queued) continue;
    t.queued = true;
    heap_.push_back({t.priority, id});
    std::push_heap(heap_.begin(), heap_.end());
  }
}

void Interleaver::stop_waiting(std::uint32_t id) {
  Thread& t = threads_[id];
  --waiting_count_;
  if (schedule_.policy != Schedule::Policy::Pct) {
    const std::uint32_t moved = waiting_.back();
    waiting_[t.place] = moved;
    threads_[moved].place = t.place;
    waiting_.pop_back();
  }
  t.place = kNowhere;
}

// It shall not go on before others have had a chance.
void Interleaver::give_way(std::uint32_t id) {
  if (last_ == id) last_ = kNowhere;
  Thread& t = threads_[id];
  t.priority = --lowest_;
  t.queued = false;
}

std::pair<Warp*, int> Interleaver::choose() {
  if (waiting_count_ == 0) return {nullptr, 0};
  const std::uint32_t id = schedule_.policy == Schedule::Policy::Random ? choose_random()
                           : schedule_.policy == Schedule::Policy::Pct  ? choose_highest()
                                                                        : choose_by_turns();
  last_ = id;
  if (sink_) note_turn(id);
  stop_waiting(id);
  return {warps_[id / kLanes], static_cast<int>(id % kLanes)};
}

std::uint32_t Interleaver::choose_random() {
  if (last_ != kNowhere && threads_[last_].place != kNowhere && dice_.below(64) < stay_) {
    return last_;
  }
  return waiting_[dice_.below(waiting_.size())];
}

std::uint64_t Interleaver::number_of(std::uint32_t id) const {
  const Warp& warp = *warps_[id / kLanes];
  return warp.block->linear << 10 | warp.id * kLanes | id % kLanes;
}

void Interleaver::note_turn(std::uint32_t id) {
  const std::uint64_t number = number_of(id);
  const Turn turn{number >> 10, static_cast<std::uint32_t>(number & 1023), 1};
  if (!taken_.empty() && taken_.back().block == turn.block && taken_.back().thread == turn.thread)
    ++taken_.back().steps;
  else
    taken_.push_back(turn);
}

std::uint32_t Interleaver::choose_by_turns() {
  std::uint32_t id = kNowhere;
  const std::size_t turns = schedule_.turns ? schedule_.turns->size() : 0;
  for (; turn_ < turns && id == kNowhere; steps_of_turn_ = 0, ++turn_) {
    const Turn& turn = (*schedule_.turns)[turn_];
    if (steps_of_turn_ >= turn.steps) continue;
    const std::uint64_t number = turn.block << 10 | turn.thread;
    const auto found = by_number_.find(number);
    if (found == by_number_.end() || threads_[found->second].place == kNowhere) continue;
    if (number_of(found->second) != number) continue;  // its block has ended, another has its seat
    ++steps_of_turn_;
    id = found->second;
    break;  // the turn is not over yet
  }
  if (id == kNowhere) {
    const bool goes_on = last_ != kNowhere && threads_[last_].place != kNowhere;
    id = goes_on && run_ < kLongestRun ? last_ : next_in_order();
  }
  run_ = id == last_ ? run_ + 1 : 0;
  went_last_ = number_of(id);
  return id;
}

// Who waits and comes next after the one that went last; after the last of all the first.
std::uint32_t Interleaver::next_in_order() const {
  const auto distance = [&](std::uint32_t id) { return number_of(id) - went_last_ - 1; };
  return *std::min_element(waiting_.begin(), waiting_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return distance(a) < distance(b);
  });
}

std::uint32_t Interleaver::pop_highest() {
  for (;;) {
    const Entry top = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    Thread& t = threads_[top.thread];
    if (t.priority != top.priority) continue;  // it was given another one since
    t.queued = false;
    if (t.place != kNowhere) return top.thread;
  }
}

std::uint32_t Interleaver::choose_highest() {
  ++steps_;
  std::uint32_t id = pop_highest();
  run_ = id == last_ ? run_ + 1 : 0;
  const bool changes = !change_at_.empty() && steps_ >= change_at_.back();
  if (!changes && run_ < kLongestRun) return id;
  if (changes) change_at_.pop_back();
  run_ = 0;
  Thread& t = threads_[id];
  t.priority = --lowest_;
  t.queued = true;
  heap_.push_back({t.priority, id});
  std::push_heap(heap_.begin(), heap_.end());
  return pop_highest();
}

LaneMask Interleaver::companions(const Warp& warp, LaneMask there, int lane) {
  const LaneMask self = LaneMask{1} << lane;
  LaneMask lanes = self;
  switch (dice_.below(4)) {
    case 0:
      break;
    case 1:
      lanes |= there & static_cast<LaneMask>(dice_.next() >> 32);
      break;
    default:
      lanes = there;
  }
  for (LaneMask m = lanes & ~self; m; m &= m - 1) {
    stop_waiting(warp.seat * kLanes + static_cast<std::uint32_t>(first_lane(m)));
  }
  return lanes;
}

void Interleaver::act(const Warp& warp, int lane, std::uint64_t pc, std::uint64_t address) {
  Thread& t = threads_[warp.seat * kLanes + static_cast<std::uint32_t>(lane)];
  t.trail = (t.trail ^ pc ^ (address << 20)) * 0x9e3779b97f4a7c15ull;
  t.trail ^= t.trail >> 29;
}

void Interleaver::spin(const Warp& warp, LaneMask lanes) {
  const std::uint64_t now = changes();
  for (LaneMask m = lanes; m; m &= m - 1) {
    const std::uint32_t id = warp.seat * kLanes + static_cast<std::uint32_t>(first_lane(m));
    Thread& t = threads_[id];
    if (t.seen != now) {
      t.seen = now;
      t.passes = 0;
      t.trail = 0;
      continue;
    }
    give_way(id);
    const bool same = std::exchange(t.last_trail, t.trail) == t.trail;
    t.trail = 0;
    if (!same) {  // it searches, and will come to an end
      t.passes = 0;
      continue;
    }
    if (quiet_since_ != now) {
      quiet_since_ = now;
      saturated_ = 0;
    }
    saturated_ += ++t.passes == kManyPasses;
  }
}

void Interleaver::sleep(const Warp& warp, LaneMask lanes) {
  for (LaneMask m = lanes; m; m &= m - 1) {
    give_way(warp.seat * kLanes + static_cast<std::uint32_t>(first_lane(m)));
  }
}

bool Interleaver::livelocked() const {
  if (saturated_ == 0 || saturated_ < waiting_count_ || quiet_since_ != changes()) return false;
  // Those that were counted may have ended, or wait at a barrier: look at who is left.
  return std::all_of(threads_.begin(), threads_.end(), [&](const Thread& t) {
    return t.place == kNowhere || (t.seen == quiet_since_ && t.passes >= kManyPasses);
  });
}

}  // namespace emu::exec
