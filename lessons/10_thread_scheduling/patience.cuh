// SPDX-License-Identifier: MIT
// The patience of the CPU: a word that kernels look at, and that is raised when they have taken too long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/check.cuh"

namespace lesson10 {

class Patience {
 public:
  explicit Patience(std::chrono::milliseconds least) {
    COURSE_CHECK(cudaHostAlloc(&word_, sizeof *word_, cudaHostAllocMapped));
    *word_ = 0;
    clock_ = std::thread([this, least] {
      std::unique_lock lock(mutex_);
      if (!done_said_.wait_for(lock, least, [this] { return done_; }))
        *static_cast<volatile unsigned*>(word_) = 1;
    });
  }
  // All kernels that look at the word must have ended.
  ~Patience() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    done_said_.notify_one();
    clock_.join();
    cudaFreeHost(word_);
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  const unsigned* word() const { return word_; }  // the GPU finds it at the same address

 private:
  unsigned* word_ = nullptr;
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable done_said_;
  std::thread clock_;
};

}  // namespace lesson10
