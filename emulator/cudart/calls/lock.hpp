// SPDX-License-Identifier: MIT
// One lock for the whole runtime. Every API function takes it at entry; user code (host functions,
// callbacks) runs without it, so that it may wait for another thread which uses the runtime.
#pragma once

namespace emu::cudart {

class ApiLock {
 public:
  ApiLock();
  ~ApiLock();
  ApiLock(const ApiLock&) = delete;
  ApiLock& operator=(const ApiLock&) = delete;
};

// Gives up all levels this thread holds, and takes them back at the end.
class ApiUnlock {
 public:
  ApiUnlock();
  ~ApiUnlock();
  ApiUnlock(const ApiUnlock&) = delete;
  ApiUnlock& operator=(const ApiUnlock&) = delete;

 private:
  int levels_ = 0;
};

// Gives the lock up until another thread calls api_changed(). The caller holds it, and looks again
// afterwards at what it waits for.
void wait_for_api_change();
void api_changed();

}  // namespace emu::cudart
