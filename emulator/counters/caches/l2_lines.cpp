// SPDX-License-Identifier: MIT
#include "counters/caches/l2_lines.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace emu::observe {
namespace {

// The first sectors of lines of which one is there; and how many those are.
std::uint64_t line_bits(std::uint64_t sectors) {
  constexpr std::uint64_t kFirstOfLine = 0x1111'1111'1111'1111u;
  sectors |= sectors >> 1;
  sectors |= sectors >> 2;
  return sectors & kFirstOfLine;
}
std::uint64_t lines_of(std::uint64_t sectors) {
  return static_cast<std::uint64_t>(std::popcount(line_bits(sectors)));
}
// The line of a page that such a bit of a word is the first sector of.
std::uint32_t line_at(std::uint64_t word, std::uint64_t bits) {
  return static_cast<std::uint32_t>(word * L2Page::kWordLines +
                                    static_cast<std::uint64_t>(std::countr_zero(bits)) /
                                        kLineSectors);
}
double number(std::uint64_t count) { return static_cast<double>(count); }
// From 0 to 1, the same for a sector whenever it is asked for.
double drawn_for(std::uint64_t sector) { return number(as_if_drawn(sector) >> 33) * 0x1p-31; }

}  // namespace

void L2Lines::set_capacity(std::uint64_t bytes, const Pages& pages) {
  constexpr double kMostPart =
      0.153;  // of all lines: tests/timing_set, kernels that store single words
  const std::uint64_t lines = bytes / (kLineSectors * kSectorBytes);
  if (lines == capacity_) return;
  capacity_ = lines;
  sets_ = L2Sets(lines);
  most_part_ = static_cast<std::uint64_t>(kMostPart * number(sets_.lines()));
  struct Held {
    L2Sets::Line line;
    std::uint32_t half;
  };
  std::vector<Held> held;
  for (const auto& [number, page] : pages)
    for (std::uint32_t half = 0; half < 2; ++half)
      for (std::uint32_t line = 0; line < L2Page::kLines; ++line)
        if (page->words[line / L2Page::kWordLines].in_half[half] & L2Page::sectors_of(line))
          held.push_back({{page.get(), line, page->time[half][line]}, half});
  std::ranges::sort(held, [](const Held& a, const Held& b) {
    return std::tuple(a.line.time, a.line.page->number, a.line.line, a.half) <
           std::tuple(b.line.time, b.line.page->number, b.line.line, b.half);
  });
  for (const auto& [line, half] : held) {
    --line.page->held;
    put(*line.page, line.line, half);
    if (line.page->dirty_line(line.line, half)) sets_.soil(line, half);
  }
}

void L2Lines::begin_launch(std::uint64_t side_by_side, bool at_once, std::uint64_t warps,
                           const Pages& pages) {
  side_by_side_ = side_by_side;
  turn_limit_ = window_ = sets_.lines() / std::max<std::uint64_t>(1, warps);
  block_limit_ = sets_.lines() / std::max<std::uint64_t>(1, side_by_side);
  at_once_ = at_once;
  warps_ = static_cast<std::int64_t>(warps);
  blocks_ = 1;
  brought_ = first_written_ = written_back_ = lines_written_back_ = filled_ = filled_early_ = 0;
  constexpr std::uint32_t kLate = 3u << 30;
  if (stamp_ > kLate) turn_back(pages);
  owned_ = noted_dirty_ = 0;
  noted_ = {};
  first_turn_ = turn_ + 1;
  own_block_ = {stamp_, first_turn_, 0};
  next_turn(true);
}

void L2Lines::in_order() {
  side_by_side_ = 1;
  at_once_ = far_ = false;
  warps_ = 1;
  turn_limit_ = block_limit_ = ~std::uint64_t{0};
  window_ = 0;
}

// The clock, to where the older half of what it has shown is as long ago as can be.
void L2Lines::turn_back(const Pages& pages) {
  const std::uint32_t by = stamp_ / 2;
  for (const auto& [number, page] : pages)
    for (auto& half : page->time)
      for (std::uint32_t& time : half)
        if (time != L2Page::kLeavesFirst) time = time > by ? time - by : 1;
  sets_.forget_times();
  now_ = stamp_ -= by;
}

void L2Lines::empty() {
  sets_.empty();
  waiting_.clear();
  part_ = 0;
}

void L2Lines::keep(L2Page& page, std::uint64_t word, std::uint64_t come, std::uint32_t half) {
  use(page, word, come, half);
  std::uint64_t& there = page.words[word].in_half[half];
  const std::uint64_t more = line_bits(there | come) & ~line_bits(there);
  there |= come;
  brought_ += static_cast<std::uint64_t>(std::popcount(more));
  for (std::uint64_t left = more; left; left &= left - 1) put(page, line_at(word, left), half);
  for (std::uint64_t left = more; left; left &= left - 1) {
    std::uint32_t& first = page.first_by[line_at(word, left)];
    const bool own = first >= own_block_.turn, nobody = first < first_turn_;
    if (nobody) first = turn_;
    owned_ += nobody || (own && half != page.home_of(word));
  }
  see_how_far();
}

// Warps that run side by side here come one after the other. What one has used before, and since then so many other lines that
// all of them together have used more than there are, is not there any more on a GPU; so what a block has used before all of
// its warps have waited for each other. What another warp of the block uses between two such points it uses at the same time.
// Not what it asks for together, as rounds of a loop that is unrolled: those come from L1, or are on their way.
bool L2Lines::lost(const L2Page& page, std::uint32_t line, std::uint32_t half) const {
  const std::uint32_t time = page.time[half][line];
  const auto since = [&](const Since& begin) {
    const std::uint64_t used = (step_ ? stamp_ : now_) - time;
    return std::min(used + used / 2, owned_ - begin.owned);  // half of them in both halves
  };
  if (page.first_by[line] < own_block_.turn || time > together_) return false;
  // As much as may wait to be written stays.
  if (page.words[line / L2Page::kWordLines].dirty & L2Page::sectors_of(line) &&
      first_written_ < sets_.lines() * kLineSectors / 2)
    return false;
  if (time > own_turn_.time) return since(own_turn_) > turn_limit_;
  return time <= round_ && since(own_block_) > block_limit_;
}

void L2Lines::lose(L2Page& page, std::uint64_t word, std::uint64_t bits, std::uint32_t half) {
  if (unlimited()) return;
  const bool known = owned_ > sets_.lines();
  const std::uint32_t home = page.home_of(word);
  for (std::uint64_t left = line_bits(bits); left; left &= left - 1) {
    const std::uint32_t line = line_at(word, left);
    if (!known) {
      note(page, line, bits & L2Page::sectors_of(line), half);
      continue;
    }
    for (const std::uint32_t of : {half, home}) {
      if (!(page.words[word].in_half[of] & L2Page::sectors_of(line)) || !lost(page, line, of))
        continue;
      const L2Sets::Line gone{&page, line, page.time[of][line]};
      sets_.drop(gone, of);
      leave(gone, of);
    }
  }
}

void L2Lines::note(const L2Page& page, std::uint32_t line, std::uint64_t bits, std::uint32_t half) {
  const std::uint32_t word = line / L2Page::kWordLines, home = page.home_of(word);
  const std::uint64_t there = bits & page.words[word].in_half[half];
  if (!there || !lost(page, line, half)) return;
  const auto sectors = static_cast<std::uint64_t>(std::popcount(there));
  const bool everywhere = half == home || lost(page, line, home);
  noted_.missed += everywhere ? sectors : 0;
  noted_.from_dram += everywhere ? sectors : 0;
  noted_.asked_again += half == home ? 0 : sectors;
  if (everywhere)
    noted_dirty_ += static_cast<std::uint64_t>(std::popcount(there & page.words[word].dirty));
}

L2Lines::Noted L2Lines::take_noted() {
  if (owned_ <= sets_.lines()) return {};
  written_back_ += std::exchange(noted_dirty_, 0);
  return std::exchange(noted_, {});
}

void L2Lines::drop(L2Page& page, std::uint64_t word, std::uint64_t sectors, std::uint32_t half) {
  std::uint64_t& there = page.words[word].in_half[half];
  std::uint64_t gone = line_bits(there);
  there &= ~sectors;
  for (gone &= ~line_bits(there); gone; gone &= gone - 1) {
    --page.held;
    if (!unlimited()) sets_.drop({&page, line_at(word, gone), 0}, half);
  }
}

// Blocks that run side by side here come one after the other, so on a GPU another one of the lines used long ago may be the
// oldest, the more so the more of L2 those blocks bring: drawn, always alike. If there are no more of them, what comes first
// comes more often first in the next launch too.
std::size_t L2Lines::out_of_order() {
  const double of_them = at_once_ ? 0.14 : 0.4;
  const double together = number(brought_) * number(side_by_side_ - 1) / number(blocks_);
  const double mixed = of_them * std::min(1.0, together / number(sets_.lines()));
  drawn_ = drawn_ * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
  return static_cast<std::size_t>(mixed * L2Sets::kWays * number(drawn_ >> 33) * 0x1p-31);
}

// Few words that blocks write which all run at once are the last to come on a GPU, whichever block has run first here.
bool L2Lines::comes_last(const L2Sets::Line& line) const {
  constexpr double kFewWritten = 0.1;  // sectors for each line of L2
  return at_once_ && number(first_written_) < kFewWritten * number(sets_.lines()) &&
         line.page->words[line.line / L2Page::kWordLines].written & L2Page::sectors_of(line.line);
}

void L2Lines::put(L2Page& page, std::uint32_t line, std::uint32_t half) {
  ++page.held;
  if (unlimited()) return;
  L2Sets::Line leaves = sets_.put({&page, line, page.time[half][line]}, half, out_of_order());
  for (std::uint32_t tried = 0; tried < L2Sets::kWays && leaves.page && comes_last(leaves);
       ++tried) {
    leaves.page->time[half][leaves.line] = leaves.time = stamp_;
    leaves = sets_.put(leaves, half);
  }
  if (leaves.page) leave(leaves, half);
}

void L2Lines::leave(const L2Sets::Line& line, std::uint32_t half) {
  if (line.page->dirty_line(line.line, half)) write_line(line);
  line.page->words[line.line / L2Page::kWordLines].in_half[half] &= ~L2Page::sectors_of(line.line);
  --line.page->held;
}

void L2Lines::soil(L2Page& page, std::uint64_t word, std::uint64_t bits) {
  constexpr int kAtATime = 2;
  const std::uint32_t home = page.home_of(word);
  std::uint64_t more =
      line_bits(page.words[word].dirty | bits) & ~line_bits(page.words[word].dirty);
  page.words[word].dirty |= bits;
  if (unlimited()) return;
  for (; more; more &= more - 1) {
    const L2Sets::Line line{&page, line_at(word, more), 0};
    if (!sets_.soil(line, home)) continue;
    for (int i = 0; i < kAtATime; ++i)
      if (const L2Sets::Line oldest = sets_.oldest_dirty(line, home); oldest.page)
        write_line(oldest);
  }
}

void L2Lines::set_part(L2Page& page, std::uint64_t word, std::uint64_t part,
                       std::uint32_t instruction) {
  const std::uint64_t bit = std::uint64_t{1} << word;
  const std::uint64_t more = lines_of(part) - lines_of(page.words[word].part);
  part_ += more;
  open_ += static_cast<std::int64_t>(more);
  if (static_cast<std::int64_t>(more) > 0) {
    opened_with_ = instruction;
    loaded_since_ = false;
  }
  most_open_ = std::max(most_open_, open_);
  page.words[word].part = part;
  if (part && !(page.waiting & bit)) {
    page.waiting |= bit;
    waiting_.push_back({&page, static_cast<std::uint32_t>(word)});
  }
  while (part_ > most_part_ && !waiting_.empty()) {
    const Word first = waiting_.front();
    waiting_.pop_front();
    first.page->waiting &= ~(std::uint64_t{1} << first.word);
    write_back(*first.page, first.word, ~std::uint64_t{0});
  }
}

// Where each lane fills a run of its own, all warps that run side by side on a GPU have their lines open at the same time. If those
// are too many, nearly each sector that is begun is filled up and leaves before it is whole; if they are fewer, those of them that
// chance has put in the same places. Not where stores right behind each other fill it, since few warps do that at a time:
// tests/timing_set, runs_of_thread_100, rowwise_thread and implied_chain, beside fields_16_summed.
void L2Lines::leave_in_part(L2Page& page, std::uint64_t word, std::uint64_t bits,
                            std::uint32_t instruction) {
  constexpr double kTooMany = 0.8, kByChance = 0.3;
  if (unlimited() || (instruction > opened_with_ && !loaded_since_)) return;
  const double full = static_cast<double>(most_open_ * warps_) / number(most_part_);
  const double leave = full > 1 ? kTooMany : kByChance * full;
  for (std::uint64_t left = page.words[word].part & bits; left; left &= left - 1) {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t sector = (page.number << 6 | word) << 6 | bit;
    const std::uint32_t line = line_at(word, std::uint64_t{1} << bit);
    const bool begun = page.words[word].dirty & ~page.words[word].part & L2Page::sectors_of(line);
    if (page.first_by[line] != turn_ || !(begun || full > 1) || drawn_for(sector) >= leave)
      continue;
    const std::uint64_t before = part_;
    write_back(page, static_cast<std::uint32_t>(word), std::uint64_t{1} << bit);
    open_ -= static_cast<std::int64_t>(before - part_);
    ++filled_early_;
  }
}

void L2Lines::write_line(const L2Sets::Line& line) {
  write_back(*line.page, line.line / L2Page::kWordLines, L2Page::sectors_of(line.line));
}

// Writes to DRAM what is dirty of it, and keeps it.
void L2Lines::write_back(L2Page& page, std::uint32_t word, std::uint64_t of) {
  std::uint64_t& dirty = page.words[word].dirty;
  const std::uint64_t leaves = dirty & of, before = line_bits(dirty);
  if (!leaves) return;
  written_back_ += static_cast<std::uint64_t>(std::popcount(leaves));
  lines_written_back_ += lines_of(leaves);
  dirty &= ~of;
  if (!unlimited())
    for (std::uint64_t clean = before & ~line_bits(dirty); clean; clean &= clean - 1)
      sets_.clean({&page, line_at(word, clean), 0}, page.home_of(word));
  const std::uint64_t part = page.words[word].part;
  filled_ += static_cast<std::uint64_t>(std::popcount(part & leaves));
  page.words[word].part = part & ~leaves;
  part_ -= lines_of(part) - lines_of(page.words[word].part);
}

}  // namespace emu::observe
