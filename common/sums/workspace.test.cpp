// SPDX-License-Identifier: MIT
// The device memory of one sum: what a rung is handed, and that an old result cannot pass as new.
#include "common/sums/workspace.cuh"

#include <cstring>

#include "support/catch.hpp"
#include "support/device.hpp"

using course::Sum;
using course::Workspace;
using support::device;

namespace {

template <class T>
std::vector<T> copy_of(const T* from, std::size_t n) {
  std::vector<T> host(n);
  if (n > 0) COURSE_CHECK(cudaMemcpy(host.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

void write_42(const Sum<int>& s) {
  const int value = 42;
  COURSE_CHECK(cudaMemcpy(s.out, &value, sizeof value, cudaMemcpyHostToDevice));
}

}  // namespace

TEST_CASE("a rung is handed everything it needs") {
  Workspace<int> work(5, 64, device());
  work.load({1, 2, 3, 4, 5});
  const Sum<int> s = work.sum();
  CHECK(s.n == 5);
  CHECK(s.block == 64);
  CHECK(s.device == &device());
  CHECK(s.out != nullptr);
  CHECK(copy_of(s.in, 5) == std::vector<int>{1, 2, 3, 4, 5});
  CHECK(copy_of(s.tickets, course::kTickets) == std::vector<unsigned>(course::kTickets, 0));
  CHECK_NOTHROW(copy_of(s.partials, course::scratch_elements(5)));
}

TEST_CASE("a sum may begin later and be shorter") {
  Workspace<int> work(5, 64, device());
  work.load({1, 2, 3, 4, 5});
  const Sum<int> s = work.sum(1, 3);
  CHECK(s.n == 3);
  CHECK(copy_of(s.in, 3) == std::vector<int>{2, 3, 4});
}

TEST_CASE("the result is the one of this run") {
  Workspace<int> work(1, 32, device());
  CHECK(work.run(write_42) == 42);
}

TEST_CASE("a rung that writes nothing does not pass on the last one's answer") {
  Workspace<int> work(1, 32, device());
  work.run(write_42);
  CHECK(work.run([](const Sum<int>&) {}) != 42);
}

TEST_CASE("an unwritten result is neither 0 nor a NaN that would spread unseen") {
  Workspace<float> work(1, 32, device());
  const float left = work.run([](const Sum<float>&) {});
  CHECK(left != 0);
  CHECK(left < -1e8f);
}

TEST_CASE("no elements have a workspace too") {
  Workspace<float> work(0, 32, device());
  work.load({});
  CHECK(work.sum().n == 0);
  CHECK(work.sum().out != nullptr);
}

TEST_CASE("a launch that was refused is seen") {
  Workspace<int> work(1, 32, device());
  const auto refused = [](const Sum<int>&) { cudaSetDevice(-1); };  // leaves an error behind
  CHECK_THROWS_AS(work.run(refused), course::CudaError);
}
