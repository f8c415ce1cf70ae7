// SPDX-License-Identifier: MIT
#include "shadow/shadow.hpp"

#include <algorithm>

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

void Records::compact(std::vector<std::uint32_t>& kept) {
  std::uint32_t next = 1;
  for (std::uint32_t i = 1; i < size_; ++i) {
    if (kept[i] == 0) continue;
    (*this)[next] = (*this)[i];
    kept[i] = next++;
  }
  size_ = next;
  chunks_.resize(size_ / kChunk + 1);
  enough_ = std::max(kFew, 2 * size_);
}

}  // namespace emu::check
