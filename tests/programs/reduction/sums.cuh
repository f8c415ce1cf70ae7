// SPDX-License-Identifier: MIT
// Runs one way of summing over every size and compares with a plain loop.
#pragma once

#include <numeric>

#include "../check.cuh"

inline std::vector<int> numbers(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>(noise(i) % 1000) - 300;
  return values;
}

// launch(in, n, sum): adds the sum of in[0, n) to *sum, which starts as 0.
template <class Launch>
void sum_all_sizes(const char* name, Launch launch) {
  for (int n : kSizes) {
    const std::vector<int> values = numbers(n);
    int* in = upload(values);
    int* sum = upload(std::vector<int>{0});
    launch(in, n, sum);
    CHECK_KERNEL();
    report(name, n, download(sum, 1)[0], std::accumulate(values.begin(), values.end(), 0));
    CHECK(cudaFree(in));
    CHECK(cudaFree(sum));
  }
}
