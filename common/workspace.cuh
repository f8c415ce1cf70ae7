// SPDX-License-Identifier: MIT
// Device memory for one sum: input, result, partial sums, tickets.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/rung.cuh"
#include "common/size.hpp"

namespace course {

// More elements than this machine can hold.
struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
class Workspace {
 public:
  Workspace(std::size_t n, int block, const Device& device)
      : in_(n),
        out_(1),
        partials_(scratch_elements(n)),
        tickets_(kTickets),
        block_(block),
        device_(device) {
    COURSE_CHECK(cudaMemset(tickets_.data(), 0, tickets_.bytes()));
  }
  void load(const std::vector<T>& host) { in_.upload(host); }

  // The sum of the `n` elements from `first` on: what a rung is launched with.
  Sum<T> sum(std::size_t first, std::size_t n) {
    Sum<T> s;
    s.in = in_.data() + first;
    s.n = n;
    s.out = out_.data();
    s.block = block_;
    s.partials = partials_.data();
    s.tickets = tickets_.data();
    s.device = &device_;
    return s;
  }
  Sum<T> sum() { return sum(0, in_.size()); }

  // Poisons the result first: a kernel that writes nothing must not pass on the last one's answer.
  void poison() { COURSE_CHECK(cudaMemset(out_.data(), 0xcd, sizeof(T))); }
  T result() {
    T value;
    COURSE_CHECK(cudaMemcpy(&value, out_.data(), sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }
  template <class Launch>
  T run(Launch&& launch, const Sum<T>& s) {
    poison();
    launch(s);
    COURSE_CHECK(cudaGetLastError());
    return result();
  }
  template <class Launch>
  T run(Launch&& launch) {
    return run(launch, sum());
  }

 private:
  DeviceBuffer<T> in_, out_, partials_;
  DeviceBuffer<unsigned> tickets_;
  int block_;
  const Device& device_;
};

// Bytes the host can give without swapping: what the kernel calls available (it can drop its file
// caches); where that is not known, what lies free.
inline double host_bytes_available() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    double kilobytes = 0;
    if (key == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
  }
  return static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Throws TooLarge where n elements of 4 bytes do not fit: told before, not killed in the middle.
inline void check_fits(std::size_t n, const Device& device) {
  const double needed = 4.0 * static_cast<double>(n + scratch_elements(n));
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
