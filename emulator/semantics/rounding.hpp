// SPDX-License-Identifier: MIT
// f32 and f64 arithmetic in the directed rounding modes (.rz .rm .rp), by the machine's own
// rounding mode.
//
// Compilers move floating-point operations across changes of the mode. Here every operand and every
// result passes through an empty volatile asm, which keeps the operation between the change and the
// restoration, whatever the flags.
#pragma once

#include <cfenv>

#include "semantics/float.hpp"

namespace emu::exec::semantics {

// Sets the rounding mode of this thread and puts the old one back.
class RoundingScope {
 public:
  explicit RoundingScope(int mode) : old_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingScope() { std::fesetround(old_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int old_;
};

template <class T>
inline T pinned(T x) {
#if defined(__aarch64__)
  asm volatile("" : "+w"(x) : : "memory");
#elif defined(__x86_64__)
  asm volatile("" : "+x"(x) : : "memory");
#else
  volatile T copy = x;
  x = copy;
#endif
  return x;
}

// Each computes in the mode that is set; T is float or double.
struct AddRounded {
  template <class T>
  static T of(T a, T b, T) {
    return pinned(pinned(a) + pinned(b));
  }
};
struct SubRounded {
  template <class T>
  static T of(T a, T b, T) {
    return pinned(pinned(a) - pinned(b));
  }
};
struct MulRounded {
  template <class T>
  static T of(T a, T b, T) {
    return pinned(pinned(a) * pinned(b));
  }
};
struct FmaRounded {
  template <class T>
  static T of(T a, T b, T c) {
    return pinned(fused(pinned(a), pinned(b), pinned(c)));
  }
};
struct DivRounded {
  template <class T>
  static T of(T a, T b, T) {
    return pinned(pinned(a) / pinned(b));
  }
};
struct SqrtRounded {
  template <class T>
  static T of(T a, T, T) {
    return pinned(root(pinned(a)));
  }
};

}  // namespace emu::exec::semantics
