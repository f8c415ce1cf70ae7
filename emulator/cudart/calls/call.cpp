// SPDX-License-Identifier: MIT
// Which call a thread is in.
#include "cudart/calls/call.hpp"

#include <utility>

namespace emu::cudart {

namespace {
thread_local const char* name_of_call = "the runtime";
}

const char* current_call() { return name_of_call; }

CallName::CallName(const char* name) : before_(std::exchange(name_of_call, name)) {}
CallName::~CallName() { name_of_call = before_; }

}  // namespace emu::cudart
