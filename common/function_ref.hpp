// SPDX-License-Identifier: MIT
// A callable that is handed down to a function compiled elsewhere: what std::function is for, without
// its header, which every .cu would pay for. It refers to the callable and does not keep it: right
// for a parameter, never for a member.
#pragma once

#include <type_traits>
#include <utility>

namespace course {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<Result, F&, Arguments...>) FunctionRef(F&& f)
      : callable_((void*)&f), call_(&call<std::remove_reference_t<F>>) {}

  Result operator()(Arguments... arguments) const {
    return call_(callable_, std::forward<Arguments>(arguments)...);
  }

 private:
  // C's casts: F is an object, constant or not, or a plain function.
  template <class F>
  static Result call(void* callable, Arguments... arguments) {
    return (*(F*)callable)(std::forward<Arguments>(arguments)...);
  }

  void* callable_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace course
