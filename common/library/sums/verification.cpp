// SPDX-License-Identifier: MIT
#include "common/sums/verification.cuh"

#include <algorithm>

#include "common/input.hpp"
#include "common/sums/cpu_sum.hpp"
#include "common/sums/workspace.cuh"

namespace course {

namespace {

// The error bound grows with n, faster than the error of a kernel that rounds each element too much.
// On a few elements such a kernel is found out.
constexpr std::size_t kFew = 33;
struct Part {
  std::size_t first, n;
};

// One array, all rungs. A rung that has failed before keeps that verdict.
template <class T, class Truth, class Judge>
void verify_array(std::span<const Rung* const> rungs, const Device& device, const std::vector<T>& x,
                  int block, Truth&& truth_of, Judge&& judge_one, std::vector<Verdict>& verdicts) {
  const std::size_t all = x.size() - 1;
  Workspace<T> work(x.size(), block, device);
  work.load(x);
  for (const auto [first, n] : {Part{1, all}, Part{0, std::min(all, kFew)}, Part{0, all}}) {
    const auto truth = truth_of(std::span<const T>(x).subspan(first, n));
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      const auto launch = launcher<T>(*rungs[i]);
      if (launch == nullptr || !verdicts[i].ok) continue;
      verdicts[i] = judge_one(work.run(launch, work.sum(first, n)), truth, *rungs[i], n);
    }
  }
}

}  // namespace

std::vector<Verdict> verify(std::span<const Rung* const> rungs, const Device& device, std::size_t n,
                            int block, std::uint64_t seed) {
  std::vector<Verdict> verdicts(rungs.size(), Verdict{true});
  const auto exact_int = [](int actual, int truth, const Rung&, std::size_t) {
    return judge(actual, truth);
  };
  const auto exact_float = [](float actual, const ExactSum& truth, const Rung&, std::size_t) {
    return judge(actual, truth.sum, 0);
  };
  const auto bounded = [&](float actual, const ExactSum& truth, const Rung& rung, std::size_t k) {
    return judge(actual, truth.sum, sum_error_bound(rung.depth(k, block, device), truth.sum_abs));
  };
  verify_array(rungs, device, random_ints(n + 1, seed), block, cpu_sum<int>, exact_int, verdicts);
  verify_array(rungs, device, exact_floats(n + 1, seed), block, exact_sum, exact_float, verdicts);
  verify_array(rungs, device, random_floats(n + 1, seed), block, exact_sum, bounded, verdicts);
  return verdicts;
}

Verdict verify(const Rung& rung, const Device& device, std::size_t n, int block,
               std::uint64_t seed) {
  const Rung* const one[] = {&rung};
  return verify(one, device, n, block, seed)[0];
}

}  // namespace course
