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
  // So many blocks run side by side; at once: all of them.
  void begin_launch(std::uint64_t side_by_side, bool at_once, const Pages& pages);
  void next_block() { ++blocks_; }
  void in_order() {  // no blocks, until then
    side_by_side_ = 1;
    at_once_ = false;
  }
  void empty();

  // Lines with these sectors of a word are used.
  void use(L2Page& page, std::uint64_t word, std::uint64_t bits, std::uint32_t half) const {
    std::uint32_t* const time = page.time[half].data() + word * L2Page::kWordLines;
    while (bits) {
      const int line = std::countr_zero(bits) / static_cast<int>(kLineSectors);
      time[line] = stamp_;
      bits &= ~(L2Page::kWholeLine << line * static_cast<int>(kLineSectors));
    }
  }
  // From here on, what is used or comes is to leave first, or not.
  void leaves_first(bool first) { stamp_ = first ? L2Page::kLeavesFirst : now_; }
  // Sectors come to a half, or are worth nothing any more.
  void keep(L2Page& page, std::uint64_t word, std::uint64_t come, std::uint32_t half);
  void drop(L2Page& page, std::uint64_t word, std::uint64_t sectors, std::uint32_t half);
  // Sectors at home are written: they have to come first.
  void soil(L2Page& page, std::uint64_t word, std::uint64_t bits);
  // Those of a word that were written in part, and are not whole.
  void set_part(L2Page& page, std::uint64_t word, std::uint64_t part);
  // Sectors that came first because they were written, of this launch.
  void first_written(std::uint64_t sectors) { first_written_ += sectors; }

  // Sectors that left for DRAM in this launch; in how many pieces; and those of them that had to be read to be whole.
  std::uint64_t written_back() const { return written_back_; }
  std::uint64_t lines_written_back() const { return lines_written_back_; }
  std::uint64_t filled() const { return filled_; }

 private:
  struct Word {
    L2Page* page;
    std::uint32_t word;
  };
  void put(L2Page& page, std::uint32_t line, std::uint32_t half);
  void leave(const L2Sets::Line& line, std::uint32_t half);
  bool comes_last(const L2Sets::Line& line) const;
  std::size_t out_of_order();
  void write_back(L2Page& page, std::uint32_t word, std::uint64_t of);
  void write_line(const L2Sets::Line& line);
  void turn_back(const Pages& pages);

  L2Sets sets_;
  std::uint64_t capacity_ = 0;         // that was asked for
  std::uint32_t now_ = 1, stamp_ = 1;  // how often something has come
  std::uint64_t side_by_side_ = 1, blocks_ = 1, brought_ = 0, first_written_ = 0, drawn_ = 0;
  bool at_once_ = false;
  std::uint64_t part_ = 0, most_part_ = ~std::uint64_t{0};  // lines that wait for the rest
  std::deque<Word> waiting_;                                // those words, as they came
  std::uint64_t written_back_ = 0, lines_written_back_ = 0, filled_ = 0;
};

}  // namespace emu::observe
