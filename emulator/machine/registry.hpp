// SPDX-License-Identifier: MIT
// The observer that every launch of this process gets. A tool that counts or checks puts itself
// here; without one a launch is observed by nobody.
#pragma once

#include "machine/observer.hpp"

namespace emu::observe {

// The caller keeps it alive as long as it is set; nullptr: none. Not while a kernel runs.
void set_launch_observer(Observer* observer);
Observer* launch_observer();

}  // namespace emu::observe
