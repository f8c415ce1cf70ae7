// SPDX-License-Identifier: MIT
#include "cudart/streams/work_orders.hpp"

#include <any>

#include "cudart/environment/checks.hpp"
#include "cudart/streams/order.hpp"

namespace emu::cudart::work_list {

using Kind = Operation::Kind;

void order_submitted(Item& item) {
  check::Orders* const orders = race_orders();
  if (!orders) return;
  item.host = orders->host();
  const auto* event = std::any_cast<cudaEvent_t>(&item.operation.detail);
  if (event && item.operation.kind == Kind::EventWait) item.event = orders->recorded(*event);
  if (item.stream) orders->submitted();
}

void order_dropped(const Item& item) {
  check::Orders* const orders = race_orders();
  if (orders && item.stream) orders->started();
}

void order_start(Work& work, const Item& item) {
  check::Orders* const orders = race_orders();
  if (!orders || !item.operation.run) return;
  const check::Orders::Stream key = order_key(*item.stream);
  if (item.records) {
    const auto& clock = orders->record(item.records, key);
    for (const Shared& i : work.items)
      if (i->behind == item.number) i->event = clock;
  }
  if (item.operation.kind == Kind::EventWait) orders->wait(key, item.event);
  if (item.operation.begin) order_begin(*item.stream, item.operation);
}

OrderedAsOf::OrderedAsOf(const Item& item) {
  check::Orders* const orders = race_orders();
  if (!orders) return;
  orders->started();
  as_of_.emplace(*orders, item.host);
}

OrderedAgain::OrderedAgain() {
  if (check::Orders* const orders = race_orders()) now_ = orders->now();
}

OrderedAgain::~OrderedAgain() {
  if (check::Orders* const orders = race_orders()) orders->resume(now_);
}

}  // namespace emu::cudart::work_list
