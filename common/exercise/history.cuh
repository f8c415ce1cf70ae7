// SPDX-License-Identifier: MIT
// The other half of history.hpp, for a run.cu: threads follow their scripts on a container with
// push(int) and pop(int&), and write down what they were told.
#pragma once

#include "common/exercise/run.cuh"

namespace course::exercise {

template <class Container>
__global__ void follow(Container container, const int* script, unsigned length, int* told) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = me * length; i < (me + 1) * length; ++i) {
    int value = -2;
    if (script[i] != 0)
      told[i] = container.push(script[i]);
    else
      told[i] = container.pop(value) ? value : -1;
  }
}

template <class Container>
void follow_scripts(Run& run, const Container& container) {
  const unsigned blocks = run.one<unsigned>("blocks"), block = run.one<unsigned>("block");
  const auto play = [&](const char* name, const char* told_name, unsigned of, unsigned by) {
    auto script = run.input<int>(name);
    auto told = run.output<int>(told_name, script.size());
    follow<<<of, by>>>(container, script.data(), static_cast<unsigned>(script.size()) / (of * by),
                       told.data());
  };
  play("before", "told_before", 1, 1);
  play("script", "told", blocks, block);
  play("after", "told_after", 1, 1);
}

}  // namespace course::exercise
