// SPDX-License-Identifier: MIT
// The damages. Each is cheap and keeps most of the input, so that what lies behind the first check is
// reached too.
#include "fuzz/mutate.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "semantics/splitmix.hpp"

namespace emu::fuzz {
namespace {

// clang-format off
constexpr std::uint64_t kNumbers[] = {
    0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1023, 1024, 32767, 32768, 65535, 65536, 0x7ffffffe,
    0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
// clang-format on

bool wordy(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

Mutator::Mutator(std::uint64_t seed, const std::vector<std::string>& corpus,
                 const std::vector<std::string>& dictionary, std::size_t largest)
    : state_(seed), corpus_(corpus), dictionary_(dictionary), largest_(largest) {}

std::uint64_t Mutator::random() { return splitmix64(state_); }

std::string Mutator::next() {
  std::string s = corpus_[below(corpus_.size())];
  const std::size_t times = below(2) ? 1 : 1 + below(6);
  for (std::size_t i = 0; i < times; ++i) damage(s);
  if (s.size() > largest_) s.resize(largest_);
  return s;
}

void Mutator::damage(std::string& s) {
  if (s.empty()) s = corpus_[below(corpus_.size())];
  if (s.empty()) return;
  const std::size_t kind = below(dictionary_.empty() ? 2 : 4);
  if (kind == 0) return damage_bytes(s);
  if (kind == 1) return damage_ranges(s);
  damage_text(s);
}

void Mutator::damage_bytes(std::string& s) {
  const std::size_t at = below(s.size());
  switch (below(4)) {
    case 0:
      s[at] = static_cast<char>(s[at] ^ (1 << below(8)));
      break;
    case 1:
      s[at] = static_cast<char>(random());
      break;
    default:
      edit_length(s);
  }
}

// A number of 1, 2, 4 or 8 bytes, mostly where fields lie: at a multiple of its size.
void Mutator::edit_length(std::string& s) {
  const std::size_t bytes = std::size_t{1} << below(4);
  if (s.size() < bytes) return;
  std::size_t at = below(s.size() - bytes + 1);
  if (below(8)) at -= at % bytes;
  std::uint64_t value = 0;
  std::memcpy(&value, s.data() + at, bytes);
  switch (below(4)) {
    case 0:
      value = kNumbers[below(std::size(kNumbers))];
      break;
    case 1:
      value += below(17);
      break;
    case 2:
      value -= below(17);
      break;
    default:
      value = s.size() - 8 + below(17);
  }
  std::memcpy(s.data() + at, &value, bytes);
}

void Mutator::damage_ranges(std::string& s) {
  const std::size_t at = below(s.size()), n = 1 + below(std::min<std::size_t>(s.size() - at, 256));
  switch (below(5)) {
    case 0:
      s.resize(at);
      break;
    case 1:
      s.erase(at, n);
      break;
    case 2:
      s.insert(below(s.size()), s.substr(at, n));
      break;
    case 3: {  // the start of one input, the end of another
      const std::string& other = corpus_[below(corpus_.size())];
      s = s.substr(0, at) + other.substr(std::min(other.size(), below(other.size() + 1)));
      break;
    }
    default: {
      const std::string& other = corpus_[below(corpus_.size())];
      const std::size_t from = below(other.size());
      s.insert(at, other.substr(from, 1 + below(256)));
    }
  }
}

void Mutator::damage_text(std::string& s) {
  switch (below(8)) {
    case 0:
      return change_number(s);
    case 1:
      return move_line(s);
    case 2: {
      const std::string_view old = word_at(s, below(s.size()));
      s.replace(static_cast<std::size_t>(old.data() - s.data()), old.size(),
                dictionary_[below(dictionary_.size())]);
      return;
    }
    case 3:
      s.insert(below(s.size()), dictionary_[below(dictionary_.size())]);
      return;
    default:
      exchange_word(s);
  }
}

// The first word from there on, maybe empty at the end.
std::string_view Mutator::word_at(const std::string& s, std::size_t at) const {
  std::size_t from = at;
  while (from < s.size() && !wordy(s[from])) ++from;
  std::size_t to = from;
  while (to < s.size() && wordy(s[to])) ++to;
  return std::string_view(s).substr(from, to - from);
}

// A word in the place of one of its kind (a modifier, a register, a name): most such texts are still
// read, and go wrong later.
void Mutator::exchange_word(std::string& s) {
  const auto kind = [&](std::string_view word) {
    const auto at = static_cast<std::size_t>(word.data() - s.data());
    return at == 0 ? ' ' : s[at - 1];
  };
  const std::string_view old = word_at(s, below(s.size()));
  for (int tries = 0; tries < 20; ++tries) {
    const std::string_view other = word_at(s, below(s.size()));
    if (other.empty() || other == old || kind(other) != kind(old)) continue;
    s.replace(static_cast<std::size_t>(old.data() - s.data()), old.size(), std::string(other));
    return;
  }
}

void Mutator::change_number(std::string& s) {
  std::size_t from = below(s.size());
  while (from < s.size() && !std::isdigit(static_cast<unsigned char>(s[from]))) ++from;
  std::size_t to = from;
  while (to < s.size() && std::isdigit(static_cast<unsigned char>(s[to]))) ++to;
  s.replace(from, to - from, std::to_string(kNumbers[below(std::size(kNumbers))]));
}

void Mutator::move_line(std::string& s) {
  const std::size_t at = below(s.size()), from = s.rfind('\n', at) + 1;
  const std::size_t end = std::min(s.find('\n', at), s.size());
  const std::string line = s.substr(std::min(from, end), end - std::min(from, end)) + "\n";
  if (below(2)) s.erase(std::min(from, end), line.size());
  if (s.empty()) return;
  const std::size_t to = s.rfind('\n', below(s.size())) + 1;
  s.insert(to, line);
}

}  // namespace emu::fuzz
