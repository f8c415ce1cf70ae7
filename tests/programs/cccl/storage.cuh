// SPDX-License-Identifier: MIT
// Every CUB algorithm is called twice: once to learn how much scratch memory it wants, once to run.
#pragma once

#include "../check.cuh"

template <class Call>
void with_storage(Call call) {
  size_t bytes = 0;
  CHECK(call(nullptr, bytes));
  void* storage = nullptr;
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(call(storage, bytes));
  CHECK_KERNEL();
  CHECK(cudaFree(storage));
}
