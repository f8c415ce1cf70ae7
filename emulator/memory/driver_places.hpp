// SPDX-License-Identifier: MIT
// Where CUDA's driver puts what cudaMalloc asks for, as an H200 shows it. Up to 1 MiB go into the first hole of the pages that
// is large enough, in steps of 512 bytes. More has pages of its own; what is left of a single one is a hole too.
// Only the place within a page matters: which slice of the L2 cache is asked for an address depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace emu::memory {

class DriverPlaces {
 public:
  static constexpr std::uint64_t kPage = std::uint64_t{1} << 21, kStep = 512;
  std::uint64_t take(std::size_t size);  // where from the beginning of the first page
  void give_back(std::uint64_t place);   // what take() has given out

 private:
  using Taken = std::map<std::uint64_t, std::uint64_t>;  // from where to where in a page
  std::map<std::uint64_t, Taken> pages_;                 // that have holes, or could have
  std::uint64_t next_page_ = 0;
};

}  // namespace emu::memory
