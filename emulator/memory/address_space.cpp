// SPDX-License-Identifier: MIT
// Reserves the address range, places allocations in it and keeps their bytes.
#include "memory/address_space.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <stdexcept>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

namespace emu::memory {
namespace {

// The same addresses on every run make reports comparable; any other place works as well.
constexpr Address kPreferredBase = 0x7000'0000'0000;
constexpr std::size_t kRange = std::size_t{4} << 40;
constexpr std::size_t kSmallestRange = std::size_t{1} << 30;
constexpr std::size_t kSmallestGap = 4096;
constexpr std::size_t kLargestGap = std::size_t{1} << 20;
constexpr std::size_t kMapFrom = std::size_t{1} << 20;  // bytes above this come from mmap
// Larger allocations begin at a page of a GPU, as cudaMalloc's do: which lines share a set of a cache depends on it.
constexpr std::size_t kLarge = std::size_t{1} << 20;
// Of what cudaMalloc gives, an address lies as far behind such a multiple as it would with CUDA's driver: two slices of the L2 cache
// take turns within a KiB.
constexpr std::size_t kPlaced = 4096;
constexpr std::size_t kFreedKept = 4096;
constexpr std::size_t kHostAlign = 64;

std::size_t page_size() {
  static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

constexpr Address round_up(Address value, std::size_t align) {
  return (value + align - 1) / align * align;
}

// Bigger allocations are overrun by more: a row past the end of a matrix must still land in the
// gap.
std::size_t gap_for(std::size_t size) {
  return std::clamp(static_cast<std::size_t>(round_up(size / 4, 4096)), kSmallestGap, kLargestGap);
}

void* map_anonymous(void* hint, std::size_t size, int protection, int flags) {
  void* p =
      mmap(hint, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

bool in_range(Kind kind) { return kind == Kind::Managed || kind == Kind::Pinned; }
bool counts_as_device(Kind kind) { return !in_range(kind) && kind != Kind::Registered; }

// Bytes for memory the host does not see at its CUDA address.
std::byte* take_bytes(Allocation& a) {
  if (a.size > kMapFrom) {
    a.mapped = true;
    void* p = map_anonymous(nullptr, round_up(a.size, page_size()), PROT_READ | PROT_WRITE, 0);
    if (!p) throw std::bad_alloc();
    return static_cast<std::byte*>(p);
  }
  void* p = std::aligned_alloc(kHostAlign, round_up(std::max<std::size_t>(a.size, 1), kHostAlign));
  if (!p) throw std::bad_alloc();
  return static_cast<std::byte*>(p);
}

// Opens the pages of the reserved range itself.
std::byte* open_range(const Allocation& a) {
  if (a.size == 0) return reinterpret_cast<std::byte*>(a.address);
  void* p = reinterpret_cast<void*>(a.address);
  if (mprotect(p, round_up(a.size, page_size()), PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  return static_cast<std::byte*>(p);
}

void drop_bytes(const Allocation& a) {
  if (a.kind == Kind::Registered) return;
  if (in_range(a.kind)) {
    // A fresh mapping gives the pages back and closes the addresses in one step.
    if (a.size) map_anonymous(a.bytes, round_up(a.size, page_size()), PROT_NONE, MAP_FIXED);
  } else if (a.mapped) {
    munmap(a.bytes, round_up(a.size, page_size()));
  } else {
    std::free(a.bytes);
  }
}

}  // namespace

AddressSpace& AddressSpace::instance() {
  // Never destroyed: programs free memory from destructors of statics.
  static AddressSpace* const space = new AddressSpace(kRange);
  return *space;
}

AddressSpace::AddressSpace(std::size_t range) {
  for (std::size_t size = range;; size /= 2) {
    void* hint = reinterpret_cast<void*>(kPreferredBase);
    void* p = map_anonymous(hint, size, PROT_NONE, MAP_FIXED_NOREPLACE);
    if (!p) p = map_anonymous(nullptr, size, PROT_NONE, 0);
    if (p) {
      madvise(p, size, MADV_DONTDUMP);
      base_ = reinterpret_cast<Address>(p);
      limit_ = base_ + size;
      next_ = base_ + kLargestGap;  // a gap in front of the first one, too
      if (next_ >= limit_) next_ = base_ + kSmallestGap;
      return;
    }
    if (size <= std::min(range, kSmallestRange)) throw std::bad_alloc();
  }
}

AddressSpace::~AddressSpace() {
  for (const auto& [address, allocation] : live_) drop_bytes(allocation);
  munmap(reinterpret_cast<void*>(base_), limit_ - base_);
}

Address AddressSpace::place(std::size_t size, std::size_t align, std::size_t beside) {
  const std::size_t need = std::max<std::size_t>(size, 1);
  const std::size_t gap = gap_for(size);
  if (size > kLarge) align = std::max<std::size_t>(align, DriverPlaces::kPage);
  const Address at = round_up(std::max(next_, base_ + beside) - beside, align) + beside;
  if (at < limit_ && need <= limit_ - at && gap <= limit_ - at - need) {
    next_ = at + need + gap;
    return at;
  }
  const Address hole = place_in_hole(need, align, gap);
  if (hole == 0) throw std::bad_alloc();
  return hole;
}

// The range is used up: the first hole between live allocations that still leaves a gap on both
// sides.
Address AddressSpace::place_in_hole(std::size_t need, std::size_t align, std::size_t gap) const {
  Address from = base_ + gap;
  const auto fits = [&](Address end) {
    const Address at = round_up(from, align);
    return at < end && need <= end - at && gap <= end - at - need ? at : 0;
  };
  for (auto it = live_.lower_bound(base_); it != live_.end() && it->first < limit_; ++it) {
    if (const Address at = fits(it->first)) return at;
    from = it->second.address + std::max<std::size_t>(it->second.size, 1) + gap;
  }
  return fits(limit_);
}

Allocation& AddressSpace::allocate(std::size_t size, Kind kind, int device, std::size_t align,
                                   std::string name) {
  const std::lock_guard lock(mutex_);
  if (size > limit_ - base_) throw std::bad_alloc();
  Allocation a;
  a.size = size;
  a.kind = kind;
  a.device = device;
  a.name = std::move(name);
  // At least as aligned as its bytes on the host, so that what is aligned for the program is
  // aligned for us.
  const std::size_t least = in_range(kind) ? page_size() : kHostAlign;
  align = std::max(align, least);
  std::size_t beside = 0;
  if (kind == Kind::Device) {
    a.place = driver_[device].take(size);
    align = std::max(align, kPlaced);
    beside = a.place % kPlaced;
  }
  try {
    a.address = place(in_range(kind) ? round_up(size, least) : size, align, beside);
    return take(std::move(a));
  } catch (...) {
    if (kind == Kind::Device) driver_[device].give_back(a.place);
    throw;
  }
}

Allocation& AddressSpace::take(Allocation a) {
  a.bytes = in_range(a.kind) ? open_range(a) : take_bytes(a);
  if (a.size <= kFillLimit) std::memset(a.bytes, kUnwritten, a.size);
  a.serial = ++serials_[a.kind];
  if (counts_as_device(a.kind)) in_use_[a.device] += a.size;
  if (a.kind == Kind::Heap) heap_in_use_[a.device] += a.size;
  return live_[a.address] = std::move(a);
}

bool AddressSpace::overlaps(Address address, std::size_t size) const {
  const auto after = live_.lower_bound(address);
  return (after != live_.end() && after->first < address + size) ||
         (after != live_.begin() && std::prev(after)->second.end() > address);
}

Allocation* AddressSpace::allocate_at(Address address, std::size_t size, Kind kind, int device) {
  const std::lock_guard lock(mutex_);
  if (!in_device_range(address) || size > limit_ - address || overlaps(address, size))
    return nullptr;
  Allocation a;
  a.address = address;
  a.size = size;
  a.kind = kind;
  a.device = device;
  if (kind == Kind::Device) a.place = driver_[device].take(size);
  return &take(std::move(a));
}

Allocation& AddressSpace::adopt(void* host, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const Address address = reinterpret_cast<Address>(host);
  if (!host || overlaps(address, size))
    throw std::invalid_argument("this memory is registered already");
  Allocation a;
  a.address = address;
  a.size = size;
  a.kind = Kind::Registered;
  a.bytes = static_cast<std::byte*>(host);
  a.serial = ++serials_[a.kind];
  return live_[address] = std::move(a);
}

bool AddressSpace::release(Address address) {
  const std::lock_guard lock(mutex_);
  const auto it = live_.find(address);
  if (it == live_.end()) return false;
  Allocation& a = it->second;
  drop_bytes(a);
  if (counts_as_device(a.kind)) in_use_[a.device] -= a.size;
  if (a.kind == Kind::Heap) heap_in_use_[a.device] -= a.size;
  if (a.kind == Kind::Device) driver_[a.device].give_back(a.place);
  a.freed = true;
  a.bytes = nullptr;
  freed_.push_back(std::move(a));
  if (freed_.size() > kFreedKept) freed_.pop_front();
  live_.erase(it);
  epoch_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

const Allocation* AddressSpace::find_locked(Address address) const {
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return nullptr;
  --it;
  return it->second.holds(address, 1) ? &it->second : nullptr;
}

const Allocation* AddressSpace::find(Address address) const {
  const std::lock_guard lock(mutex_);
  return find_locked(address);
}

const Allocation* AddressSpace::find_start(Address address) const {
  const std::lock_guard lock(mutex_);
  const auto it = live_.find(address);
  return it == live_.end() ? nullptr : &it->second;
}

const Allocation* AddressSpace::find_freed_locked(Address address) const {
  for (auto it = freed_.rbegin(); it != freed_.rend(); ++it) {
    if (it->holds(address, 1)) return &*it;
  }
  return nullptr;
}

const Allocation* AddressSpace::find_freed(Address address) const {
  const std::lock_guard lock(mutex_);
  return find_freed_locked(address);
}

const Allocation* AddressSpace::nearest_locked(Address address) const {
  const auto above = live_.upper_bound(address);
  const Allocation* best = above == live_.end() ? nullptr : &above->second;
  if (above != live_.begin()) {
    const Allocation& below = std::prev(above)->second;
    const Address away = address < below.end() ? 0 : address - below.end();
    if (!best || away <= best->address - address) best = &below;
  }
  return best;
}

const Allocation* AddressSpace::nearest(Address address) const {
  const std::lock_guard lock(mutex_);
  return nearest_locked(address);
}

std::size_t AddressSpace::bytes_in_use(int device) const {
  const std::lock_guard lock(mutex_);
  const auto it = in_use_.find(device);
  return it == in_use_.end() ? 0 : it->second;
}

std::size_t AddressSpace::heap_bytes(int device) const {
  const std::lock_guard lock(mutex_);
  const auto it = heap_in_use_.find(device);
  return it == heap_in_use_.end() ? 0 : it->second;
}

bool AddressSpace::peer_allowed(int from, int to) const {
  if (from == to) return true;
  const std::lock_guard lock(mutex_);
  return peers_.count({from, to}) != 0;
}

void AddressSpace::allow_peer(int from, int to, bool allowed) {
  const std::lock_guard lock(mutex_);
  if (allowed) {
    peers_.insert({from, to});
  } else {
    peers_.erase({from, to});
    epoch_.fetch_add(1, std::memory_order_relaxed);
  }
}

std::byte* AddressSpace::host(Address address, std::size_t n) const {
  const std::lock_guard lock(mutex_);
  const Allocation* a = find_locked(address);
  if (!a &&
      n == 0) {  // nothing is to be touched: the end of an allocation and an empty one will do
    const Allocation* near = nearest_locked(address);
    if (near && address >= near->address && address <= near->end()) a = near;
  }
  if (!a || !a->holds(address, n)) return nullptr;
  return a->bytes + (address - a->address);
}

}  // namespace emu::memory
