// SPDX-License-Identifier: MIT
// Device memory for one sum: input, result, partial sums, tickets.
#pragma once

#include <cstddef>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/sums/rung.cuh"

namespace course {

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

}  // namespace course
