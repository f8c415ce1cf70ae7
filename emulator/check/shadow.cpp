// SPDX-License-Identifier: MIT
#include "check/shadow.hpp"

namespace emu::check {

void Shadow::split(unsigned shift) {
  if (shift >= shift_) return;
  const std::size_t each = std::size_t{1} << (shift_ - shift);
  std::vector<Cell> finer;
  finer.reserve(cells_.size() * each);
  for (const Cell& cell : cells_) finer.insert(finer.end(), each, cell);
  cells_ = std::move(finer);
  shift_ = shift;
}

Shadow& Pages::find(std::uint64_t page) {
  auto& shadow = pages_[page];
  if (!shadow) {
    shadow = std::make_unique<Shadow>(kPage);
    shadow->era = era_;
  }
  return *shadow;
}

void Pages::renew(Shadow& shadow) {
  shadow = Shadow(kPage);
  shadow.era = era_;
}

}  // namespace emu::check
