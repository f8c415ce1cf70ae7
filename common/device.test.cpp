// SPDX-License-Identifier: MIT
// What a lesson learns about the device it runs on.
#include "common/device.cuh"

#include "support/catch.hpp"

using course::Device;
using course::find_device;

TEST_CASE("the device is found, with everything the lessons ask of it") {
  const auto device = find_device();
  REQUIRE(device);
  INFO(device->name);
  CHECK_FALSE(device->name.empty());
  CHECK(device->sm >= 70);
  CHECK(device->multiprocessors > 0);
  CHECK(device->l2_bytes > 0);
  CHECK(device->driver >= 13000);
  CHECK(device->runtime >= 13000);
}

TEST_CASE("the bus could carry clock times width times two") {
  const auto device = find_device();
  REQUIRE(device);
  int clock_khz = 0, bits = 0;
  COURSE_CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, 0));
  COURSE_CHECK(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0));
  CHECK(device->bus_gbps == Approx(2e-6 * clock_khz * (bits / 8.0)));
  CHECK(device->bus_gbps > 100);
  CHECK(device->bus_gbps < 20000);
}

TEST_CASE("the emulator is known by its name, and so are modelled times") {
  const auto device = find_device();
  REQUIRE(device);
  CHECK(device->emulated == (device->name.find("emulator") != std::string::npos));
  Device d;
  d.emulated = true;
  CHECK(std::string(d.backend()) == "emulator");
  CHECK(std::string(d.time_kind()) == "modelled");
  d.emulated = false;
  CHECK(std::string(d.backend()) == "gpu");
  CHECK(std::string(d.time_kind()) == "measured");
}

TEST_CASE("who has no device is told what to do, on one line") {
  const std::string text = course::kNoDevice;
  CHECK(text.find("./course") != std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
}
