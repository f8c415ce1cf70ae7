// SPDX-License-Identifier: MIT
// Words that threads wait for: how they are raised and seen in the right order, and how a wait that
// might never end is cut off.
#pragma once

namespace lesson10 {

// What cuda::atomic_ref makes of store(release) and load(acquire) for the threads of the GPU: one
// instruction each. Who sees the word sees all that was written before it was raised. Written down
// here because <cuda/atomic> takes four times as long to compile as these programs.
__device__ inline void raise_word(unsigned* word, unsigned value = 1) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
__device__ inline unsigned seen(const unsigned* word) {
  unsigned value = 0;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
// The same for the CPU, too.
__device__ inline void raise_for_host(unsigned* word) {
  asm volatile("st.release.sys.u32 [%0], 1;" ::"l"(word) : "memory");
}

// Waits until there() holds. A wait that is cut off gives up after so many cycles of the
// multiprocessor's clock, and says so: on a GPU a program that hangs has to end by itself. The emulator
// finds out that nobody will ever come, and says who waits for whom: there nothing is cut off.
template <bool kCutOff>
struct Wait {
  long long cycles;

  template <class There>
  __device__ bool operator()(There there) const {
    if constexpr (kCutOff) {
      const long long start = clock64();
      while (!there())
        if (clock64() - start > cycles) return false;
    } else {
      while (!there()) {
      }
    }
    return true;
  }
  __device__ bool for_word(const unsigned* word, unsigned value = 1) const {
    return (*this)([=] { return seen(word) >= value; });
  }
};

}  // namespace lesson10
