// SPDX-License-Identifier: MIT
// Tells the race check what comes before what: it knows the rules of streams, this knows ours.
#pragma once

#include "cudart/streams/event.hpp"
#include "cudart/streams/stream.hpp"
#include "shadow/orders.hpp"

namespace emu::cudart {

void order_made(const Stream& stream);
void order_destroyed(const Stream& stream);
// Before it runs, and after.
void order_begin(const Stream& stream, const Operation& operation);
void order_end();

// With one device an event is recorded, and waited for, when the program says so; with several when its turn comes
// (under_way.cpp).
void order_record(cudaEvent_t event, const Stream& stream);
void order_wait(const Stream& stream, cudaEvent_t event);
void host_waited(const Stream& stream);
void host_waited_event(cudaEvent_t event);
void host_waited_device(int device);

check::Orders::Stream order_key(const Stream& stream);

}  // namespace emu::cudart
