// SPDX-License-Identifier: MIT
#include "cudart/streams/order.hpp"

#include "cudart/environment/checks.hpp"
#include "cudart/environment/host_watch.hpp"

namespace emu::cudart {

check::Orders::Stream order_key(const Stream& stream) {
  return {stream.id, stream.device, stream.legacy, stream.blocking()};
}

// Work on the default stream may come at any time, too.
void order_made(const Stream& stream) {
  check::Orders* const orders = race_orders();
  if (!orders) return;
  orders->make(order_key(stream));
  orders->make(order_key(*find_stream(cudaStreamLegacy)));
}

void order_destroyed(const Stream& stream) {
  if (check::Orders* const orders = race_orders()) orders->destroy(order_key(stream));
}

void order_begin(const Stream& stream, const Operation& operation) {
  check::Orders* const orders = race_orders();
  if (!orders) return;
  open_watched();
  const auto kind = operation.kind;
  if (kind == Operation::Kind::Kernel || kind == Operation::Kind::Memcpy ||
      kind == Operation::Kind::Memset) {
    orders->begin(order_key(stream));
  }
}

void order_end() {
  if (race_orders()) renew_watch();
}

void order_record(cudaEvent_t event, const Stream& stream) {
  if (check::Orders* const orders = race_orders()) orders->record(event, order_key(stream));
}

void order_wait(const Stream& stream, cudaEvent_t event) {
  if (check::Orders* const orders = race_orders()) orders->wait(order_key(stream), event);
}

void host_waited(const Stream& stream) {
  check::Orders* const orders = race_orders();
  if (!orders) return;
  orders->host_waits(order_key(stream));
  renew_watch();
}

void host_waited_event(cudaEvent_t event) {
  check::Orders* const orders = race_orders();
  if (!orders) return;
  orders->host_waits_event(event);
  renew_watch();
}

void host_waited_device(int device) {
  check::Orders* const orders = race_orders();
  if (!orders) return;
  orders->host_waits_device(device);
  renew_watch();
}

}  // namespace emu::cudart
