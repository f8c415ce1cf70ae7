// SPDX-License-Identifier: MIT
// The rules of access_rules.hpp. Called for every memory instruction that is counted, so the
// patterns that most programs have (side by side, all the same, in rising order) come first.
#include "counters/access_rules.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "counters/lane_steps.hpp"

namespace emu::observe {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr LaneMask kAll = 0xffffffffu;

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

u32 filled_sectors(u32 lanes, u32 bytes) {
  return (lanes * bytes + kSectorBytes - 1) / kSectorBytes;
}

[[gnu::always_inline]] inline u64 differing_bits(const u64* address, u32 n) {
  u64 differ = 0;
  for (u32 i = 0; i < n; ++i) differ |= address[i] ^ address[0];
  return differ;
}

// Different addresses in an aligned stretch of 64 sectors: a bit for each place of an access.
u32 near_places(const u64* address, u32 n, u32 bytes) {
  const u32 shift = static_cast<u32>(std::countr_zero(bytes));
  u64 places[kSectorBytes] = {};
  for (u32 i = 0; i < n; ++i) {
    const u64 place = address[i] % kNearBytes >> shift;
    places[place / 64] |= u64{1} << place % 64;
  }
  u32 different = 0;
  for (u32 i = 0; i < kSectorBytes / bytes; ++i) {
    different += static_cast<u32>(std::popcount(places[i]));
  }
  return different;
}

// Of 32 addresses, of which the first n count and the rest are among them.
GlobalCost near_lanes_cost(const u64* address, u32 n, u32 bytes, Sectors& out) {
  const u64 near = places_named(address, std::countr_zero(kSectorBytes));
  const u64 ends = places_named(address, std::countr_zero(bytes));
  // Usually it is quickly seen that all differ: in their last bits, or each above the one before.
  bool different = static_cast<u32>(std::popcount(ends)) == n;
  if (!different) {
    bool rising = true;
    for (u32 i = 1; i < n; ++i) rising &= address[i - 1] < address[i];
    different = rising;
  }
  return near_cost(address[0], near, n, bytes, different ? n : near_places(address, n, bytes), out);
}

GlobalCost far_cost(u64* address, u32 n, u32 bytes, Sectors& out) {
  out.form = Sectors::Form::List;
  const u32 places = drop_repeated(address, n);
  for (u32 i = 0; i < places; ++i) out.list[i] = address[i] / kSectorBytes;
  out.count = drop_repeated(out.list.data(), places);
  for (u32 i = 0; i < out.count; ++i) address[i] = out.list[i] / kLineSectors;
  return {out.count, drop_repeated(address, out.count),
          std::min(out.count, filled_sectors(n, bytes)), places};
}

// Whether the lanes that are on lie at base + lane * bytes: some lanes of a coalesced access.
bool in_lane_order(const MemoryAccess& access, u64 base) {
  u64 differ = 0;
  for (u32 lane = 0; lane < kWarpLanes; ++lane) {
    const u64 on = u64{0} - (access.mask >> lane & 1);
    differ |= (access.addresses[lane] - base - lane * access.bytes_per_lane) & on;
  }
  return differ == 0;
}

GlobalCost some_lanes_cost(LaneMask mask, u64 base, u32 bytes, Sectors& out) {
  const u32 share = kSectorBytes / bytes;  // lanes that lie in one sector: a power of two
  u64 bits = u64{mask} << base % kSectorBytes / bytes;
  for (u32 step = 1; step < share; step *= 2) bits |= bits >> step;
  bits &= ~u64{0} / ((u64{1} << share) - 1);  // one bit left for each sector
  out.form = Sectors::Form::List;
  out.count = 0;
  out.near = 0;
  u32 lines = 0;
  u64 line = ~u64{0};
  for (; bits; bits &= bits - 1) {
    const u64 sector = base / kSectorBytes + static_cast<u32>(std::countr_zero(bits)) / share;
    lines += sector / kLineSectors != line;
    line = sector / kLineSectors;
    out.near |= u64{1} << sector % 64;
    out.list[out.count++] = sector;
  }
  out.first = out.list[0] / 64 * 64;
  if (out.list[out.count - 1] < out.first + 64) out.form = Sectors::Form::Near;
  const u32 lanes = static_cast<u32>(std::popcount(mask));
  return {out.count, lines, std::min(out.count, filled_sectors(lanes, bytes)), lanes, true};
}

// Neither side by side nor all the same. Apart, so that those two need no room for it.
[[gnu::noinline]] GlobalCost other_cost(const MemoryAccess& access, Sectors& out) {
  if (access.mask != kAll) {
    const auto first = static_cast<u32>(std::countr_zero(access.mask));
    const u64 base = access.addresses[first] - u64{first} * access.bytes_per_lane;
    if (in_lane_order(access, base)) {
      return some_lanes_cost(access.mask, base, access.bytes_per_lane, out);
    }
  }
  const u32 bytes = access.bytes_per_lane;
  if (access.mask == kAll && differing_bits(access.addresses, kWarpLanes) < kNearBytes)
    return near_lanes_cost(access.addresses, kWarpLanes, bytes, out);
  u64 lanes[kWarpLanes];
  const u32 n = gather_addresses(access, lanes);
  if (differing_bits(lanes, kWarpLanes) < kNearBytes) return near_lanes_cost(lanes, n, bytes, out);
  return far_cost(lanes, n, bytes, out);
}

// The most words in one bank.
u32 deepest_bank(const u64* words, u32 n) {
  std::uint8_t in_bank[kBanks] = {};
  u32 most = 0;
  for (u32 i = 0; i < n; ++i) most = std::max<u32>(most, ++in_bank[words[i] % kBanks]);
  return most;
}

// Lanes that one phase serves.
u32 phase_lanes(u32 bytes) { return bytes <= 4 ? 32 : bytes <= 8 ? 16 : bytes <= 16 ? 8 : 4; }

// Whether, of these lanes, those that differ in this bit of their number name the same address, where
// both are on.
bool same_in_pairs(const MemoryAccess& access, LaneMask lanes, u32 distance) {
  const LaneMask lower = distance == 1 ? 0x55555555u : 0x33333333u;
  for (LaneMask m = access.mask & access.mask >> distance & lower & lanes; m; m &= m - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(m));
    if (access.addresses[lane] != access.addresses[lane + distance]) return false;
  }
  return true;
}

bool shares_words(AccessKind kind) {
  return kind != AccessKind::Atomic && kind != AccessKind::Reduction;
}

LaneMask lanes_from(u32 from, u32 lanes) {
  return (lanes == 32 ? kAll : (LaneMask{1} << lanes) - 1) << from;
}

// Passes for these lanes, if they are served together.
u32 passes_of(const MemoryAccess& access, LaneMask lanes) {
  const u32 words = std::max(1u, access.bytes_per_lane / 4);
  u64 word[2 * kWarpLanes];
  u32 n = 0;
  for (LaneMask m = access.mask & lanes; m; m &= m - 1) {
    const u64 first = access.addresses[std::countr_zero(m)] / 4;
    for (u32 i = 0; i < words; ++i) word[n++] = first + i;
  }
  if (shares_words(access.kind)) n = drop_repeated(word, n);
  return deepest_bank(word, n);
}

// Apart for the same reason as other_cost.
[[gnu::noinline]] u32 other_wavefronts(const MemoryAccess& access) {
  const u32 bytes = access.bytes_per_lane, lanes = phase_lanes(bytes);
  if (access.kind != AccessKind::Load || bytes <= 4) {
    u32 total = 0;
    for (u32 from = 0; from < kWarpLanes; from += lanes)
      total += passes_of(access, lanes_from(from, lanes));
    return total;
  }
  u32 total = 0;  // two phases become one where their lanes share in pairs
  for (u32 from = 0; from < kWarpLanes; from += 2 * lanes) {
    const LaneMask both = lanes_from(from, 2 * lanes);
    const bool one = same_in_pairs(access, both, 1) || same_in_pairs(access, both, 2);
    total += one ? passes_of(access, both)
                 : passes_of(access, lanes_from(from, lanes)) +
                       passes_of(access, lanes_from(from + lanes, lanes));
  }
  return total;
}

// Whether no two lanes that are on, at most 4 bytes each, meet in a bank.
bool banks_apart(const MemoryAccess& access, u32 lanes) {
  u32 banks = 0;
  if (access.mask == kAll) {
    const u64 words = places_named(access.addresses, 2);
    banks = static_cast<u32>(words | words >> kBanks);
  } else {
    for (LaneMask m = access.mask; m; m &= m - 1) {
      banks |= u32{1} << access.addresses[std::countr_zero(m)] / 4 % kBanks;
    }
  }
  return static_cast<u32>(std::popcount(banks)) == lanes;
}

}  // namespace

[[gnu::noinline]] u32 different_places(const MemoryAccess& access) {
  u64 lanes[kWarpLanes];
  const u32 n = gather_addresses(access, lanes);
  if (differing_bits(lanes, n) < kNearBytes) return near_places(lanes, n, access.bytes_per_lane);
  return drop_repeated(lanes, n);
}

std::span<const WrittenPart> written_parts(const MemoryAccess& access,
                                           std::array<WrittenPart, kWarpLanes>& room) {
  std::size_t count = 0;
  for (LaneMask left = access.mask; left; left &= left - 1) {
    const std::uint64_t sector = access.addresses[std::countr_zero(left)] / kSectorBytes;
    std::size_t at = count;
    while (at > 0 && room[at - 1].sector != sector) --at;  // neighbours are the rule
    if (at == 0)
      room[count++] = {sector, access.bytes_per_lane};
    else
      room[at - 1].bytes += access.bytes_per_lane;
  }
  return {room.data(), count};
}

GlobalCost near_cost(u64 address, u64 near, u32 lanes, u32 bytes, u32 places, Sectors& out) {
  out.form = Sectors::Form::Near;
  out.first = address / kNearBytes * 64;
  out.near = near;
  out.count = static_cast<u32>(std::popcount(near));
  near |= near >> 1;  // fold the four bits of a line into its first
  near |= near >> 2;
  const u32 lines = static_cast<u32>(std::popcount(near & 0x1111'1111'1111'1111u));
  return {out.count, lines, std::min(out.count, filled_sectors(lanes, bytes)), places};
}

GlobalCost global_cost(const MemoryAccess& access, Sectors& out) {
  const u64* a = access.addresses;
  const u32 bytes = access.bytes_per_lane;
  const u64 step = access.mask == kAll ? a[1] - a[0] : ~u64{0};
  if ((step != bytes && step != 0) || !steps_by(a, step)) return other_cost(access, out);
  out.form = Sectors::Form::Run;
  out.first = a[0] / kSectorBytes;
  const u64 last = (a[0] + (kWarpLanes - 1) * step + bytes - 1) / kSectorBytes;
  out.count = static_cast<u32>(last - out.first) + 1;
  const u32 places = step == 0 ? 1 : kWarpLanes;
  return {out.count, static_cast<u32>(last / kLineSectors - out.first / kLineSectors) + 1,
          filled_sectors(places, bytes), places};
}

u32 sector_passes(const Addresses& groups, std::array<std::uint8_t, kWarpLanes>& passes) {
  SmallSet sectors;
  std::uint8_t times[kWarpLanes];
  u32 total = 0;
  for (u32 i = 0; i < groups.count; ++i) {
    bool fresh = false;
    const u32 at = sectors.insert(groups.address[i] / kSectorBytes, fresh);
    if (fresh) times[at] = 0;
    const std::uint8_t most = std::max(times[at], groups.lanes[i]);
    passes[i] = static_cast<std::uint8_t>(most - std::exchange(times[at], most));
    total += passes[i];
  }
  return total;
}

u32 atomic_sectors(const MemoryAccess& access) {
  Addresses groups;
  group_addresses(access, groups);
  std::array<std::uint8_t, kWarpLanes> passes;
  return sector_passes(groups, passes);
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

SharedCost shared_cost(const MemoryAccess& access) {
  const u32 bytes = access.bytes_per_lane, per_phase = phase_lanes(bytes);
  if (bytes >= 4 && side_by_side(access)) {
    const u32 phases = kWarpLanes / per_phase;
    return {phases, phases, kWarpLanes};
  }
  if (bytes <= 4 && shares_words(access.kind) && all_same(access)) return {1, 1, 1};
  const u32 lanes = static_cast<u32>(std::popcount(access.mask));
  if (bytes <= 4 && banks_apart(access, lanes)) return {1, 1, lanes};
  const u32 wavefronts = other_wavefronts(access);
  return {wavefronts, std::min(wavefronts, (lanes + per_phase - 1) / per_phase),
          different_places(access)};
}

u32 bank_passes(const MemoryAccess& access) {
  const u32 lanes = static_cast<u32>(std::popcount(access.mask));
  if (access.bytes_per_lane <= 4 && banks_apart(access, lanes)) return 1;
  return other_wavefronts(access);
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
