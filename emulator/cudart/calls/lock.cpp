// SPDX-License-Identifier: MIT
// The runtime's lock and how deep this thread holds it.
#include "cudart/calls/lock.hpp"

#include <mutex>

namespace emu::cudart {

namespace {

thread_local int levels = 0;

// Never destroyed: a program may call the runtime from destructors of its own globals.
std::recursive_mutex& api_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

}  // namespace

ApiLock::ApiLock() {
  api_mutex().lock();
  ++levels;
}

ApiLock::~ApiLock() {
  --levels;
  api_mutex().unlock();
}

ApiUnlock::ApiUnlock() : levels_(levels) {
  levels = 0;
  for (int i = 0; i < levels_; ++i) api_mutex().unlock();
}

ApiUnlock::~ApiUnlock() {
  for (int i = 0; i < levels_; ++i) api_mutex().lock();
  levels = levels_;
}

}  // namespace emu::cudart
