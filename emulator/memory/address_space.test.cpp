// SPDX-License-Identifier: MIT
// Allocation, lookup, messages and reuse of the address space.
#include "memory/address_space.hpp"

#include <cstring>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace emu::memory;

namespace {
constexpr std::size_t kSmallRange = std::size_t{64} << 20;
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("an allocation is found by each of its bytes and by no other address") {
  AddressSpace space(kSmallRange);
  const Allocation& a = space.allocate(1000, Kind::Device, 0);
  CHECK(a.address % 512 == 0);
  CHECK(space.find(a.address) == &a);
  CHECK(space.find(a.address + 999) == &a);
  CHECK(space.find(a.address + 1000) == nullptr);
  CHECK(space.find(a.address - 1) == nullptr);
  CHECK(space.in_device_range(a.address));
  CHECK(space.host(a.address + 10, 990) == a.bytes + 10);
  CHECK(space.host(a.address + 10, 991) == nullptr);
  CHECK(space.host(a.address + 1000, 0) != nullptr);
}

TEST_CASE("guard gaps of at least 4096 bytes lie between allocations and grow with them") {
  AddressSpace space(kSmallRange);
  const Address first = space.allocate(8, Kind::Device, 0).address;
  const Address second = space.allocate(8 << 20, Kind::Device, 0).address;
  const Address third = space.allocate(8, Kind::Managed, 0).address;
  CHECK(second - (first + 8) >= 4096);
  CHECK(third - (second + (8 << 20)) >= std::size_t{1} << 20);
}

TEST_CASE("small allocations lie in their KiB as those of the driver do") {
  AddressSpace space(kSmallRange);
  const Address four = space.allocate(4, Kind::Device, 0).address;
  const Address bins = space.allocate(768, Kind::Device, 0).address;
  const Address other = space.allocate(4, Kind::Device, 1).address;  // of another device
  const Address last = space.allocate(100, Kind::Device, 0).address;
  CHECK(four % 4096 == 0);
  CHECK(bins % 4096 == 512);
  CHECK(other % 4096 == 0);
  CHECK(last % 4096 == 512 + 1024);
  CHECK(space.release(four));
  CHECK(space.allocate(512, Kind::Device, 0).address % 4096 == 0);
}

TEST_CASE("device memory starts as 0xcd bytes and cannot be reached at its address") {
  AddressSpace space(kSmallRange);
  const Allocation& a = space.allocate(64, Kind::Device, 0);
  CHECK(std::to_integer<int>(a.bytes[63]) == 0xcd);
  CHECK(reinterpret_cast<Address>(a.bytes) != a.address);
}

TEST_CASE("managed and pinned memory is used at its own address") {
  AddressSpace space(kSmallRange);
  for (const Kind kind : {Kind::Managed, Kind::Pinned}) {
    Allocation& a = space.allocate(100000, kind, 0);
    REQUIRE(reinterpret_cast<Address>(a.bytes) == a.address);
    std::memset(a.bytes, 7, a.size);
    CHECK(std::to_integer<int>(*space.host(a.address + 99999, 1)) == 7);
    CHECK(space.release(a.address));
  }
}

TEST_CASE("allocations of zero bytes have addresses of their own and hold nothing") {
  AddressSpace space(kSmallRange);
  const Address a = space.allocate(0, Kind::Device, 0).address;
  const Address b = space.allocate(0, Kind::Device, 0).address;
  const Address c = space.allocate(0, Kind::Managed, 0).address;
  CHECK(std::set<Address>{a, b, c}.size() == 3);
  CHECK(space.find(a) == nullptr);
  REQUIRE(space.find_start(a) != nullptr);
  CHECK(space.release(a));
  CHECK(space.release(c));
  CHECK_FALSE(space.release(a));
}

TEST_CASE("a freed address is refused, remembered and not given out again at once") {
  AddressSpace space(kSmallRange);
  const Address a = space.allocate(256, Kind::Device, 0).address;
  const auto epoch = AddressSpace::epoch();
  CHECK(space.release(a));
  CHECK(AddressSpace::epoch() > epoch);
  CHECK_FALSE(space.release(a));
  CHECK(space.find(a) == nullptr);
  REQUIRE(space.find_freed(a + 255) != nullptr);
  CHECK(space.find_freed(a + 256) == nullptr);
  CHECK(space.allocate(256, Kind::Device, 0).address != a);
  CHECK_FALSE(space.release(a + 1));
}

TEST_CASE("freed addresses serve again when the range is used up") {
  AddressSpace space(kSmallRange);
  const Address keep = space.allocate(1000, Kind::Device, 0).address;
  for (int i = 0; i < 100; ++i) {
    const Allocation& a = space.allocate(10 << 20, Kind::Device, 0);
    CHECK((a.address > keep + 1000 || a.end() <= keep));
    REQUIRE(space.release(a.address));
  }
  CHECK(space.find(keep) != nullptr);
}

TEST_CASE("a request beyond the range throws bad_alloc and leaves the space usable") {
  AddressSpace space(kSmallRange);
  CHECK_THROWS_AS(space.allocate(kSmallRange * 2, Kind::Device, 0), std::bad_alloc);
  CHECK_THROWS_AS(space.allocate(~std::size_t{0}, Kind::Managed, 0), std::bad_alloc);
  CHECK_NOTHROW(space.allocate(16, Kind::Device, 0));
}

TEST_CASE("bytes in use are counted per device, without managed and pinned memory") {
  AddressSpace space(kSmallRange);
  const Address a = space.allocate(100, Kind::Device, 0).address;
  space.allocate(50, Kind::Symbol, 1);
  space.allocate(4096, Kind::Managed, 0);
  space.allocate(4096, Kind::Pinned, 0);
  CHECK(space.bytes_in_use(0) == 100);
  CHECK(space.bytes_in_use(1) == 50);
  CHECK(space.bytes_in_use(2) == 0);
  space.release(a);
  CHECK(space.bytes_in_use(0) == 0);
}

TEST_CASE("registered host memory is found at its address and stays after release") {
  AddressSpace space(kSmallRange);
  std::vector<char> memory(1000, 'x');
  const auto at = reinterpret_cast<Address>(memory.data());
  CHECK(space.adopt(memory.data(), memory.size()).kind == Kind::Registered);
  CHECK(space.host(at + 5, 10) == reinterpret_cast<std::byte*>(memory.data() + 5));
  CHECK_THROWS_AS(space.adopt(memory.data() + 500, 10), std::invalid_argument);
  CHECK(space.release(at));
  CHECK(memory[999] == 'x');
}

TEST_CASE("peer access is off until it is allowed") {
  AddressSpace space(kSmallRange);
  CHECK(space.peer_allowed(1, 1));
  CHECK_FALSE(space.peer_allowed(0, 1));
  space.allow_peer(0, 1, true);
  CHECK(space.peer_allowed(0, 1));
  CHECK_FALSE(space.peer_allowed(1, 0));
  const auto epoch = AddressSpace::epoch();
  space.allow_peer(0, 1, false);
  CHECK_FALSE(space.peer_allowed(0, 1));
  CHECK(AddressSpace::epoch() > epoch);
}

TEST_CASE("the nearest allocation is the one whose edge is closest") {
  AddressSpace space(kSmallRange);
  const Allocation& a = space.allocate(100, Kind::Device, 0);
  const Allocation& b = space.allocate(100, Kind::Device, 0);
  CHECK(space.nearest(a.end() + 4) == &a);
  CHECK(space.nearest(b.address - 4) == &b);
  CHECK(space.nearest(a.address - 4) == &a);
  CHECK(space.nearest(b.end() + 100000) == &b);
}

TEST_CASE("describe says how an address misses an allocation") {
  AddressSpace space(kSmallRange);
  space.allocate(1, Kind::Device, 0);
  space.allocate(1, Kind::Device, 0);
  const Allocation& a = space.allocate(1024, Kind::Device, 0);
  CHECK(contains(space.describe(a.end() + 4, 4),
                 " is 4 bytes past the end of a 1024-byte allocation made by cudaMalloc (the 3rd "
                 "of the program)"));
  CHECK(contains(space.describe(a.end(), 4), " is right behind the end of"));
  CHECK(contains(space.describe(a.address - 1, 1), " is 1 byte before the start of a 1024-byte"));
  CHECK(contains(space.describe(a.end() - 2, 4), " starts 2 bytes before the end of a 1024-byte"));
  CHECK(contains(space.describe(a.end() - 2, 4), "and runs past it"));
  const Address gone = a.address;
  space.release(gone);
  CHECK(contains(space.describe(gone + 8, 4),
                 " is 8 bytes into a 1024-byte allocation made by cudaMalloc"));
  CHECK(contains(space.describe(gone + 8, 4), "which was freed"));
  const Allocation& v = space.allocate(8, Kind::Symbol, 0, 8, "counter");
  CHECK(contains(space.describe(v.end(), 4),
                 "right behind the end of the 8-byte variable \"counter\""));
}

TEST_CASE("describe tells null, host, window and garbage addresses apart") {
  AddressSpace space(kSmallRange);
  std::vector<int> on_host(4);
  CHECK(contains(space.describe(0, 4), "0x0 is a null pointer"));
  CHECK(contains(space.describe(16, 4), "is a null pointer plus 16 bytes"));
  CHECK(
      contains(space.describe(reinterpret_cast<Address>(on_host.data()), 4), "is a host address"));
  CHECK(contains(space.describe(kSharedWindow + 4, 4), "shared memory"));
  CHECK(contains(space.describe(kFunctionWindow + 4, 4), "address of a function"));
  CHECK(contains(space.describe(0xcdcdcdcdcdcdcdcd, 4), "never written"));
  CHECK(contains(space.describe(0x123456789abc0000, 4), "is no address of any memory"));
}

TEST_CASE("large allocations are zero pages and are returned to the host") {
  AddressSpace space(std::size_t{1} << 30);
  const Allocation& a = space.allocate((std::size_t{64} << 20) + 1, Kind::Device, 0);
  CHECK(std::to_integer<int>(a.bytes[a.size - 1]) == 0);
  CHECK(space.release(a.address));
}
