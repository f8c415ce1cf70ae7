// SPDX-License-Identifier: MIT
// The rules of an mbarrier: counting arrivals and bytes, turning the phase.
#include "access/mbarrier.hpp"

#include <cstring>
#include <string>

namespace emu::exec {
namespace {

constexpr std::uint64_t kMark = std::uint64_t{1} << 62;
constexpr std::uint64_t kTxMask = (std::uint64_t{1} << 22) - 1;

constexpr std::uint64_t kNeverWritten = std::uint64_t{0x0101'0101'0101'0101} * memory::kUnwritten;

void store(std::byte* at, std::uint64_t word) { std::memcpy(at, &word, sizeof word); }

}  // namespace

Mbarrier::Mbarrier(std::byte* at, int lane) : at_(at), lane_(lane) {
  std::memcpy(&word_, at, sizeof word_);
  if (!(word_ & kMark) || word_ == kNeverWritten) {
    fault(FaultKind::BadOperand, lane,
          "there is no mbarrier at this address: mbarrier.init has not been run on it");
  }
}

void Mbarrier::init(std::byte* at, std::uint32_t count, int lane) {
  if (count == 0 || count > kMbarrierMaxCount) {
    fault(FaultKind::BadOperand, lane,
          "mbarrier.init with a count of " + std::to_string(count) + ": it must be 1 to 1048575");
  }
  store(at, kMark | std::uint64_t{count} << 20 | count);
}

void Mbarrier::invalidate(std::byte* at, int lane) {
  Mbarrier{at, lane};  // faults if there is none
  store(at, 0);
}

void Mbarrier::set(bool phase, std::uint32_t pending, std::uint32_t expected, std::int32_t tx) {
  if (pending == 0 && tx == 0) {
    phase = !phase;
    pending = expected;
  }
  const std::uint64_t tx_bits = static_cast<std::uint64_t>(std::int64_t{tx}) & kTxMask;
  word_ =
      std::uint64_t{phase} << 63 | kMark | tx_bits << 40 | std::uint64_t{expected} << 20 | pending;
  store(at_, word_);
}

void Mbarrier::arrive(std::uint32_t count) {
  if (count == 0 || count > pending()) {
    fault(FaultKind::BadOperand, lane_,
          "mbarrier arrive of " + std::to_string(count) + ": only " + std::to_string(pending()) +
              " of " + std::to_string(expected()) + " arrivals are pending in this phase");
  }
  set(phase(), pending() - count, expected(), tx());
}

void Mbarrier::drop(std::uint32_t count) {
  if (count == 0 || count > pending() || count > expected()) {
    fault(FaultKind::BadOperand, lane_,
          "mbarrier arrive_drop of " + std::to_string(count) + ": only " +
              std::to_string(pending()) + " of " + std::to_string(expected()) +
              " arrivals are pending in this phase");
  }
  set(phase(), pending() - count, expected() - count, tx());
}

void Mbarrier::change_tx(std::int64_t tx) {
  if (tx > std::int64_t{kMbarrierMaxCount} || tx < -std::int64_t{kMbarrierMaxCount}) {
    fault(FaultKind::BadOperand, lane_,
          "the tx-count of an mbarrier became " + std::to_string(tx) +
              ": it must stay within 1048575 bytes");
  }
  set(phase(), pending(), expected(), static_cast<std::int32_t>(tx));
}

void Mbarrier::expect_tx(std::uint32_t bytes) { change_tx(std::int64_t{tx()} + bytes); }
void Mbarrier::complete_tx(std::uint32_t bytes) { change_tx(std::int64_t{tx()} - bytes); }

void Mbarrier::add_pending() {
  if (pending() == kMbarrierMaxCount)
    fault(FaultKind::BadOperand, lane_, "too many pending arrivals of an mbarrier");
  set(phase(), pending() + 1, expected(), tx());
}

}  // namespace emu::exec
