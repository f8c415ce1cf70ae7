// SPDX-License-Identifier: MIT
// Damages inputs in a repeatable way: bits, bytes, lengths, lines, numbers, words of a dictionary,
// pieces of other inputs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emu::fuzz {

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<std::string>& corpus,
          const std::vector<std::string>& dictionary, std::size_t largest);
  // A corpus entry with one to eight damages.
  std::string next();

 private:
  std::uint64_t random();
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); }
  void damage(std::string& s);
  void damage_bytes(std::string& s);
  void damage_ranges(std::string& s);
  void damage_text(std::string& s);
  void edit_length(std::string& s);
  std::string_view word_at(const std::string& s, std::size_t at) const;
  void exchange_word(std::string& s);
  void change_number(std::string& s);
  void move_line(std::string& s);

  std::uint64_t state_;
  const std::vector<std::string>& corpus_;
  const std::vector<std::string>& dictionary_;
  std::size_t largest_;
};

}  // namespace emu::fuzz
