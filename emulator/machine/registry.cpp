// SPDX-License-Identifier: MIT
// Keeps the process's observer.
#include "machine/registry.hpp"

#include <atomic>

namespace emu::observe {

namespace {
std::atomic<Observer*> current{nullptr};
}

void set_launch_observer(Observer* observer) { current.store(observer); }

Observer* launch_observer() { return current.load(); }

}  // namespace emu::observe
