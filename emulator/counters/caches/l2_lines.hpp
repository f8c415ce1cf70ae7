// SPDX-License-Identifier: MIT
// What the L2 cache holds, in lines, and what of it is dirty.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "counters/caches/l2_page.hpp"
#include "counters/caches/l2_sets.hpp"

namespace emu::observe {

// Pages say of each sector whether it is there, and L2Sets who makes room for whom. At most half of a set's lines wait to be
// written to DRAM: beyond that, those used longest ago are written, and stay.
class L2Lines {
 public:
  using Pages = std::unordered_map<std::uint64_t, std::unique_ptr<L2Page>>;
  void set_capacity(std::uint64_t bytes, const Pages& pages);
  bool unlimited() const { return sets_.unlimited(); }
  std::uint64_t capacity() const { return sets_.lines(); }
  // So many blocks run side by side; at once: all of them. Warps: all that run at a time.
  void begin_launch(std::uint64_t side_by_side, bool at_once, std::uint64_t warps,
                    const Pages& pages);
  void next_block() {
    ++blocks_;
    own_block_ = {stamp_, turn_ + 1, owned_};
    next_turn(true);
  }
  // Another warp of the block goes on here, until it ends or waits for the others; all of them have waited: another round.
  void next_turn(bool another_round) {
    ++turn_;
    open_ = most_open_ = 0;
    own_turn_ = {stamp_, turn_, owned_};
    asks_together();
    if (another_round) round_ = stamp_;
    see_how_far();
  }
  // What comes from here on is asked for together, until it goes back or stores something.
  void asks_together() { together_ = stamp_; }
  void in_order();  // no blocks, until then
  void empty();

  // Lines with these sectors of a word are used.
  [[gnu::always_inline]] void use(L2Page& page, std::uint64_t word, std::uint64_t bits,
                                  std::uint32_t half) {
    std::uint32_t* const time = page.time[half].data() + word * L2Page::kWordLines;
    auto stamp = stamp_;  // compilers cannot know that no time is one
    while (bits) {
      const int line = std::countr_zero(bits) / static_cast<int>(kLineSectors);
      if (stamp - time[line] > window_) stamp += step_;  // else it is one of those used last
      time[line] = stamp;
      bits &= ~(L2Page::kWholeLine << line * static_cast<int>(kLineSectors));
    }
    stamp_ = stamp;
  }
  // From here on, what is used or comes is to leave first, or not.
  void leaves_first(bool first) {
    if (first) now_ = stamp_;
    stamp_ = first ? L2Page::kLeavesFirst : now_;
    step_ = !first;
  }
  // Whether the warp or block that goes on has brought so much that, with as much of those beside it, it may have lost some of it;
  // then lose() takes away what these would find and is lost. As long as the launch has not used more than there is, others may
  // use the same: then what would have been lost is only noted, and counts when it is known.
  bool reaches_far() const { return far_; }
  void lose(L2Page& page, std::uint64_t word, std::uint64_t bits, std::uint32_t half);
  struct Noted {
    std::uint64_t missed = 0, asked_again = 0, from_dram = 0;  // sectors
  };
  Noted take_noted();
  // Sectors come to a half, or are worth nothing any more.
  void keep(L2Page& page, std::uint64_t word, std::uint64_t come, std::uint32_t half);
  void drop(L2Page& page, std::uint64_t word, std::uint64_t sectors, std::uint32_t half);
  // Sectors at home are written: they have to come first.
  void soil(L2Page& page, std::uint64_t word, std::uint64_t bits);
  // Those of a word that were written in part, and are not whole.
  void set_part(L2Page& page, std::uint64_t word, std::uint64_t part, std::uint32_t instruction);
  // The warp that goes on reads.
  void load() { loaded_since_ = true; }
  // These are stored to again: some have left, if all warps that run at a time fill as many lines as this one, and take their time.
  void leave_in_part(L2Page& page, std::uint64_t word, std::uint64_t bits,
                     std::uint32_t instruction);
  // Sectors that came first because they were written, of this launch.
  void first_written(std::uint64_t sectors) { first_written_ += sectors; }

  // Sectors that left for DRAM in this launch; in how many pieces; and those of them that had to be read to be whole.
  std::uint64_t written_back() const { return written_back_; }
  std::uint64_t lines_written_back() const { return lines_written_back_; }
  std::uint64_t filled() const { return filled_; }
  // ... before the warp that began them could go on.
  std::uint64_t filled_early() const { return filled_early_; }

 private:
  struct Word {
    L2Page* page;
    std::uint32_t word;
  };
  // When a warp or a block began, and how many lines had come for the first time in this launch by then.
  struct Since {
    std::uint32_t time = 1, turn = 0;
    std::uint64_t owned = 0;
  };
  void see_how_far() {
    far_ = owned_ - own_turn_.owned > turn_limit_ || owned_ - own_block_.owned > block_limit_;
  }
  bool lost(const L2Page& page, std::uint32_t line, std::uint32_t half) const;
  void note(const L2Page& page, std::uint32_t line, std::uint64_t bits, std::uint32_t half);
  void put(L2Page& page, std::uint32_t line, std::uint32_t half);
  void leave(const L2Sets::Line& line, std::uint32_t half);
  bool comes_last(const L2Sets::Line& line) const;
  std::size_t out_of_order();
  void write_back(L2Page& page, std::uint32_t word, std::uint64_t of);
  void write_line(const L2Sets::Line& line);
  void turn_back(const Pages& pages);

  L2Sets sets_;
  std::uint64_t capacity_ = 0;  // that was asked for
  // How many lines were used; what never was is used as long ago as can be.
  std::uint32_t stamp_ = 1u << 26, step_ = 1, now_ = stamp_;
  Since own_turn_, own_block_;
  std::uint32_t turn_ = 1, first_turn_ = 1;  // the one that goes on, and the launch's first
  std::uint32_t round_ = 1;                  // when it began
  std::uint32_t together_ = 1;               // when the warp began to ask for what it waits for
  std::uint64_t owned_ = 0;
  Noted noted_;
  std::uint64_t noted_dirty_ = 0;
  // Lines that there are for each warp and each block of those side by side.
  std::uint64_t turn_limit_ = ~std::uint64_t{0}, block_limit_ = ~std::uint64_t{0}, window_ = 0;
  bool far_ = false;
  std::uint64_t side_by_side_ = 1, blocks_ = 1, brought_ = 0, first_written_ = 0, drawn_ = 0;
  bool at_once_ = false;
  std::uint64_t part_ = 0, most_part_ = ~std::uint64_t{0};  // lines that wait for the rest
  std::int64_t open_ = 0, most_open_ = 0;                   // those of the warp that goes on ...
  std::uint32_t opened_with_ = 0;  // ... and which instruction began one last ...
  bool loaded_since_ = false;      // ... and whether it has read something since
  std::int64_t warps_ = 1;         // that run at a time
  std::deque<Word> waiting_;       // those words, as they came
  std::uint64_t written_back_ = 0, lines_written_back_ = 0, filled_ = 0, filled_early_ = 0;
};

}  // namespace emu::observe
