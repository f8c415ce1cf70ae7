// SPDX-License-Identifier: MIT
#include "lessons/06_lock_free/spin_lock.cuh"
#include "lock_free/weaken.cuh"

namespace lock_free {

namespace {

using lesson06::LockOrders;
LOCK_FREE_WEAKENED(Take, LockOrders, take, kRelaxed);
LOCK_FREE_WEAKENED(Give, LockOrders, give, kRelaxed);
LOCK_FREE_WEAKENED(Scope, LockOrders, scope, kBlock);

template <template <class> class L>
void add(std::vector<Case>& cases, const std::string& id) {
  cases.push_back(right<LockSubject<L<LockOrders>>>(id, Shape::Lock));
  cases.push_back(weakened<LockSubject<L<Take>>>(id + ".take=relaxed", Shape::Lock));
  cases.push_back(weakened<LockSubject<L<Give>>>(id + ".give=relaxed", Shape::Lock));
  cases.push_back(weakened<LockSubject<L<Scope>>>(id + ".scope=block", Shape::Lock));
}

}  // namespace

void add_lock_cases(std::vector<Case>& cases) {
  add<lesson06::TestAndSetLock>(cases, "lock_test_and_set");
  add<lesson06::BackoffLock>(cases, "lock_backoff");
  add<lesson06::TicketLock>(cases, "lock_ticket");
}

}  // namespace lock_free
