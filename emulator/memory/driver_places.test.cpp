// SPDX-License-Identifier: MIT
// What an H200 gave to the same requests in the same order.
#include "memory/driver_places.hpp"

#include <vector>

#include "support/catch.hpp"

using emu::memory::DriverPlaces;

namespace {
constexpr std::uint64_t kPage = DriverPlaces::kPage;

struct Request {
  std::size_t size;
  std::uint64_t place;
};
// Pages 1 to 3 are of the three that are larger than 1 MiB (the last one has two and more), then come new ones.
const std::vector<Request> kRequests = {
    {4, 0x0},
    {100, 0x200},
    {512, 0x400},
    {513, 0x600},
    {768, 0xa00},
    {1000, 0xe00},
    {4096, 0x1200},
    {65536, 0x2200},
    {800000, 0x12200},
    {1 << 20, 0xd5800},
    {(1 << 20) + 1, kPage},
    {2 << 20, 2 * kPage},
    {3 << 20, 3 * kPage},
    {4, 0x1d5800},
    {768, 0x1d5a00},
    {4096, 0x1d5e00},
    {800000, kPage + 0x100200},
    {800000, 5 * kPage},
    {800000, 5 * kPage + 0xc3600},
    {800000, 6 * kPage},
    {4096, 0x1d6e00},
    {100, 0x1d7e00},
};
}  // namespace

TEST_CASE("memory is put where the driver puts it") {
  DriverPlaces places;
  for (const Request& request : kRequests) {
    INFO(request.size << " bytes");
    CHECK(places.take(request.size) == request.place);
  }
}

TEST_CASE("what is given back is the first hole again") {
  DriverPlaces places;
  for (const Request& request : kRequests) places.take(request.size);
  for (std::size_t i = 0; i < 10; i += 2)
    places.give_back(kRequests[i].place);  // 4, 512, 768, 4096, 800000
  CHECK(places.take(100) == 0x0);
  CHECK(places.take(800000) == 0x12200);
  CHECK(places.take(4096) == 0x1200);
  CHECK(places.take(4) == 0x400);
  CHECK(places.take(768) == 0xa00);
}

TEST_CASE("a place is found again when all are given back, as at first") {
  DriverPlaces places;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::uint64_t> taken;
    for (const Request& request : kRequests) taken.push_back(places.take(request.size));
    CHECK(taken[8] % kPage == 0x12200);
    CHECK(taken[16] % kPage == 0x100200);
    for (const std::uint64_t place : taken) places.give_back(place);
  }
}
