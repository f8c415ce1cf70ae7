// SPDX-License-Identifier: MIT
// The rules of access_rules.hpp. Called for every memory instruction that is counted, so the
// patterns that most programs have (side by side, all the same, in rising order) come first.
#include "observe/access_rules.hpp"

#include <algorithm>
#include <bit>

namespace emu::observe {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr LaneMask kAll = 0xffffffffu;

// Whether the addresses of a full warp are a[0] + lane * step.
bool steps_by(const u64* a, u64 step) {
  u64 differs = 0;
  for (u32 i = 0; i < kWarpLanes; ++i) differs |= (a[i] - a[0]) ^ (i * step);
  return differs == 0;
}

bool side_by_side(const MemoryAccess& access) {
  return access.mask == kAll && access.addresses[1] - access.addresses[0] == access.bytes_per_lane &&
         steps_by(access.addresses, access.bytes_per_lane);
}

bool all_same(const MemoryAccess& access) {
  return access.mask == kAll && access.addresses[1] == access.addresses[0] &&
         steps_by(access.addresses, 0);
}

// A set of at most 64 numbers that needs no clearing: `used_` says which places hold one.
class SmallSet {
 public:
  // Index of the value in order of arrival; `fresh` if it was not there.
  u32 insert(u64 value, bool& fresh) {
    u32 at = static_cast<u32>((value * 0x9e3779b97f4a7c15u) >> 57);
    for (;; at = (at + 1) & (kPlaces - 1)) {
      u64& used = used_[at >> 6];
      const u64 bit = u64{1} << (at & 63);
      if (!(used & bit)) {
        used |= bit;
        value_[at] = value;
        index_[at] = static_cast<std::uint8_t>(count_);
        fresh = true;
        return count_++;
      }
      if (value_[at] == value) {
        fresh = false;
        return index_[at];
      }
    }
  }
  u32 count() const { return count_; }

 private:
  static constexpr u32 kPlaces = 128;
  u64 used_[2] = {0, 0};
  u32 count_ = 0;
  u64 value_[kPlaces];
  std::uint8_t index_[kPlaces];
};

// Drops repeated numbers, in place; what is left keeps its order. Returns how many are left.
u32 drop_repeated(u64* values, u32 n) {
  u32 left = 0;
  bool rising = true;
  for (u32 i = 0; i < n; ++i) {
    if (left && values[i] == values[left - 1]) continue;
    rising &= !left || values[i] > values[left - 1];
    values[left++] = values[i];
  }
  if (rising) return left;
  SmallSet seen;
  u32 kept = 0;
  for (u32 i = 0; i < left; ++i) {
    bool fresh = false;
    seen.insert(values[i], fresh);
    if (fresh) values[kept++] = values[i];
  }
  return kept;
}

// What f says for each lane of the mask; returns how many lanes there are.
template <class F>
u32 gather(const MemoryAccess& access, u64* out, F&& f) {
  if (access.mask == kAll) {
    for (u32 i = 0; i < kWarpLanes; ++i) out[i] = f(access.addresses[i]);
    return kWarpLanes;
  }
  u32 n = 0;
  for (LaneMask m = access.mask; m; m &= m - 1) out[n++] = f(access.addresses[std::countr_zero(m)]);
  return n;
}

// The most different words in one bank.
u32 deepest_bank(u64* words, u32 n) {
  n = drop_repeated(words, n);
  std::uint8_t in_bank[kBanks] = {};
  u32 most = 0;
  for (u32 i = 0; i < n; ++i) most = std::max<u32>(most, ++in_bank[words[i] % kBanks]);
  return most;
}

// Lanes that one phase serves.
u32 phase_lanes(u32 bytes) { return bytes <= 4 ? 32 : bytes <= 8 ? 16 : bytes <= 16 ? 8 : 4; }

}  // namespace

void find_sectors(const MemoryAccess& access, Sectors& out) {
  const u64* a = access.addresses;
  if (side_by_side(access)) {
    out.consecutive = true;
    out.id[0] = a[0] / kSectorBytes;
    const u64 last = a[kWarpLanes - 1] + access.bytes_per_lane - 1;
    out.count = static_cast<u32>(last / kSectorBytes - out.id[0]) + 1;
    return;
  }
  if (all_same(access)) {
    out.consecutive = true;
    out.id[0] = a[0] / kSectorBytes;
    out.count = 1;
    return;
  }
  out.consecutive = false;
  const u32 n = gather(access, out.id.data(), [](u64 address) { return address / kSectorBytes; });
  out.count = drop_repeated(out.id.data(), n);
}

u32 count_lines(const Sectors& sectors) {
  const u64 first = sectors.id[0] / kLineSectors;
  if (sectors.consecutive) {
    return static_cast<u32>((sectors.id[0] + sectors.count - 1) / kLineSectors - first) + 1;
  }
  u64 lines[2 * kWarpLanes];
  for (u32 i = 0; i < sectors.count; ++i) lines[i] = sectors.id[i] / kLineSectors;
  return drop_repeated(lines, sectors.count);
}

u32 ideal_sectors(const MemoryAccess& access) {
  const auto filled = [&](u32 lanes) {
    return (lanes * access.bytes_per_lane + kSectorBytes - 1) / kSectorBytes;
  };
  if (side_by_side(access)) return filled(kWarpLanes);
  if (all_same(access)) return filled(1);
  u64 a[kWarpLanes];
  const u32 n = gather(access, a, [](u64 address) { return address; });
  return filled(drop_repeated(a, n));
}

u32 local_sectors(const MemoryAccess& access) {
  // Word w of lane l lies at (w * 32 + l) * 4: eight lanes share a sector.
  u64 ids[kWarpLanes];
  u32 total = 0;
  const u32 words = std::max(1u, access.bytes_per_lane / 4);
  for (u32 word = 0; word < words; ++word) {
    u32 n = 0;
    for (LaneMask m = access.mask; m; m &= m - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(m));
      ids[n++] = (access.addresses[lane] / 4 + word) * kLineSectors + lane / 8;
    }
    total += drop_repeated(ids, n);
  }
  return total;
}

u32 shared_wavefronts(const MemoryAccess& access) {
  const u32 bytes = access.bytes_per_lane, lanes = phase_lanes(bytes);
  if (bytes >= 4 && side_by_side(access)) return kWarpLanes / lanes;
  if (bytes <= 4 && all_same(access)) return 1;
  const u32 words = std::max(1u, bytes / 4);
  u32 total = 0;
  for (u32 from = 0; from < kWarpLanes; from += lanes) {
    const LaneMask phase = (lanes == 32 ? kAll : (LaneMask{1} << lanes) - 1) << from;
    u64 word[kWarpLanes];
    u32 n = 0;
    for (LaneMask m = access.mask & phase; m; m &= m - 1) {
      const u64 first = access.addresses[std::countr_zero(m)] / 4;
      for (u32 i = 0; i < words; ++i) word[n++] = first + i;
    }
    total += deepest_bank(word, n);
  }
  return total;
}

u32 ideal_wavefronts(const MemoryAccess& access) {
  const u32 lanes = static_cast<u32>(std::popcount(access.mask));
  const u32 per_phase = phase_lanes(access.bytes_per_lane);
  return (lanes + per_phase - 1) / per_phase;
}

void group_addresses(const MemoryAccess& access, Addresses& out) {
  const auto lanes = static_cast<u32>(std::popcount(access.mask));
  if (all_same(access)) {
    out.count = 1;
    out.most = lanes;
    out.address[0] = access.addresses[0];
    out.lanes[0] = static_cast<std::uint8_t>(lanes);
    return;
  }
  SmallSet seen;
  out.most = 0;
  for (LaneMask m = access.mask; m; m &= m - 1) {
    const u64 address = access.addresses[std::countr_zero(m)];
    bool fresh = false;
    const u32 at = seen.insert(address, fresh);
    if (fresh) {
      out.address[at] = address;
      out.lanes[at] = 0;
    }
    out.most = std::max<u32>(out.most, ++out.lanes[at]);
  }
  out.count = seen.count();
}

}  // namespace emu::observe
