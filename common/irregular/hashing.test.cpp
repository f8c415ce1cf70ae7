// SPDX-License-Identifier: MIT
#include "common/irregular/hashing.hpp"

#include <algorithm>
#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Hashing;
namespace families = course::families;
using Words = std::vector<unsigned long long>;

namespace {

families::Setup setup(std::size_t n, const char* keys) {
  return {support::device(), n, 256, 1, {{"load", "80"}, {"keys", keys}, {"there", "50"}}};
}
template <class T>
std::vector<T> from_device(const T* data, std::size_t n) {
  std::vector<T> host(n);
  COURSE_CHECK(cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}
template <class T>
void to_device(T* data, const std::vector<T>& host) {
  COURSE_CHECK(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
}

// The pairs, each once, in the first slots.
Words right_slots(const Hashing& h) {
  const auto keys = from_device(h.keys, h.n), values = from_device(h.values, h.n);
  Words words(h.n);
  for (std::size_t i = 0; i < h.n; ++i)
    words[i] = static_cast<unsigned long long>(values[i]) << 32 | keys[i];
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  words.resize(h.capacity, ~0ull);
  return words;
}

}  // namespace

TEST_CASE("the CPU fills and finds right") {
  for (const char* const keys : {"distinct", "repeated", "equal"})
    for (const std::size_t n : {0, 1, 1000}) {
      for (const auto& problem :
           {course::make_filling(setup(n, keys)), course::make_finding(setup(n, keys))})
        for (const unsigned threads : {1u, 3u}) {
          problem->solve_on_cpu(threads);
          CHECK(problem->judge_cpu().verdict.ok);
        }
    }
}

TEST_CASE("a filling is judged by its slots, wherever they are") {
  const auto problem = course::make_filling(setup(1000, "repeated"));
  const Hashing h = problem->task();
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);  // nothing was written
  Words words = right_slots(h);
  std::reverse(words.begin(), words.end());
  to_device(h.slots, words);
  CHECK(problem->judge(false).verdict.ok);
  const auto with = [&](std::size_t at, unsigned long long word) {
    Words changed = words;
    changed[at] = word;
    to_device(h.slots, changed);
    return problem->judge(false).verdict.ok;
  };
  CHECK_FALSE(with(h.capacity - 1, ~0ull));                      // lost
  CHECK_FALSE(with(0, words.back()));                            // twice
  CHECK_FALSE(with(h.capacity - 1, words.back() ^ 1ull << 40));  // another value
  to_device(h.slots, words);
  to_device(h.full, std::vector<unsigned>{1});
  CHECK_FALSE(problem->judge(false).verdict.ok);  // somebody found no slot
}

TEST_CASE("finds are judged one by one") {
  const auto problem = course::make_finding(setup(1000, "distinct"));
  const Hashing h = problem->task();
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  const auto keys = from_device(h.keys, h.n), values = from_device(h.values, h.n),
             queries = from_device(h.queries, h.n);
  std::vector<std::uint32_t> found(h.n, course::kNoHashValue);
  std::size_t there = 0;
  for (std::size_t i = 0; i < h.n; ++i) {
    const auto at = std::find(keys.begin(), keys.end(), queries[i]);
    if (at != keys.end()) found[i] = values[static_cast<std::size_t>(at - keys.begin())], ++there;
  }
  CHECK(there > 400);
  CHECK(there < 600);
  to_device(h.found, found);
  CHECK(problem->judge(false).verdict.ok);
  found[700] ^= 1;
  to_device(h.found, found);
  const auto finding = problem->judge(false);
  CHECK_FALSE(finding.verdict.ok);
  CHECK(finding.where == "the value of query 700");
}

TEST_CASE("more keys than there are") {
  CHECK_THROWS_AS(course::make_filling(setup(std::size_t{1} << 31, "distinct")),
                  course::UsageError);
}
