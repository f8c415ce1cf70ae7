// SPDX-License-Identifier: MIT
#include "counters/handovers.hpp"

namespace emu::observe {

void Handovers::add(std::uint64_t address, std::uint64_t thread, How how) {
  const auto [at, fresh] = words_.try_emplace(address);
  Word& word = at->second;
  if (fresh) word.first_thread = thread;
  word.shared |= word.first_thread != thread;
  ++(how == How::Exchange ? word.counts.exchanges : word.counts.releases);
}

Handovers::Counts Handovers::most() const {
  Counts most;
  for (const auto& [address, word] : words_)
    if (word.shared && word.counts.all() > most.all()) most = word.counts;
  return most;
}

}  // namespace emu::observe
