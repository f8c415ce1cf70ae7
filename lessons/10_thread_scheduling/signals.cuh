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

// Three ways to wait until there() holds; each says whether it does.

// Without end. The emulator finds out that nobody will ever come, and says who waits for whom.
struct Endless {
  template <class There>
  __device__ bool operator()(There there) const {
    while (!there()) {
    }
    return true;
  }
};

// Until somebody cuts it off: on a GPU a program that hangs has to end by itself. The word is in the
// memory of the CPU, which raises it when it has waited for too long.
struct UntilCutOff {
  const unsigned* word;

  template <class There>
  __device__ bool operator()(There there) const {
    for (unsigned tries = 1; !there(); ++tries) {
      if (tries % 4096 != 0) continue;  // it is far away: whoever looks is away for long, too
      unsigned cut = 0;
      asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(cut) : "l"(word) : "memory");
      if (cut != 0) return false;
    }
    return true;
  }
};

// For so many cycles of the multiprocessor's clock. It looks like a better way to cut off, and is
// another program: this loop ends in any case, so the compiler owes nobody a chance to run meanwhile.
struct ForSoLong {
  long long cycles;

  template <class There>
  __device__ bool operator()(There there) const {
    const long long start = clock64();
    while (!there())
      if (clock64() - start > cycles) return false;
    return true;
  }
};

template <class Wait>
__device__ bool wait_for(const Wait& wait, const unsigned* word, unsigned value = 1) {
  return wait([=] { return seen(word) >= value; });
}

}  // namespace lesson10
