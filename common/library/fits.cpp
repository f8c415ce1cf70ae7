// SPDX-License-Identifier: MIT
#include "common/fits.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "common/size.hpp"

namespace course {

namespace {

// Bytes the host can give without swapping: what the kernel calls available (it can drop its file
// caches); where that is not known, what lies free.
double host_bytes_available() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    double kilobytes = 0;
    if (key == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
  }
  return static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void check_bytes_fit(double needed, std::size_t n, const Device& device) {
  std::size_t free_bytes = 0, total_bytes = 0;
  COURSE_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const double on_device = static_cast<double>(free_bytes);
  // The emulator's device memory is the host's memory too.
  const double on_host = host_bytes_available() / (device.emulated ? 2 : 1);
  const double least = std::min(on_device, on_host);
  if (needed <= least) return;
  char text[160];
  std::snprintf(text, sizeof text, "--n %s needs %.3g GB, and only %.3g GB of %s memory are free",
                format_size(n).c_str(), needed / 1e9, least / 1e9,
                on_device < on_host ? "device" : "host");
  throw TooLarge(text);
}

}  // namespace course
