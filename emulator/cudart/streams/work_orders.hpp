// SPDX-License-Identifier: MIT
// Tells the race check what comes before work that is begun some time after it was submitted.
#pragma once

#include <optional>

#include "cudart/streams/work_list.hpp"

namespace emu::cudart::work_list {

void order_submitted(Item& item);
void order_dropped(const Item& item);  // it will not begin
// It begins, behind what it waits for.
void order_start(Work& work, const Item& item);

// While one lives, what begins was submitted with the item: what the host has waited for since does not count.
class OrderedAsOf {
 public:
  explicit OrderedAsOf(const Item& item);

 private:
  std::optional<check::Orders::AsOf> as_of_;
};

// What runs now does so again when it ends, whatever has run meanwhile.
class OrderedAgain {
 public:
  OrderedAgain();
  ~OrderedAgain();
  OrderedAgain(const OrderedAgain&) = delete;
  OrderedAgain& operator=(const OrderedAgain&) = delete;

 private:
  check::Orders::Now now_;
};

}  // namespace emu::cudart::work_list
