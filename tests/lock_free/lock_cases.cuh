// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/06_lock_free/message.cuh"
#include "lessons/06_lock_free/spin_lock.cuh"
#include "lock_free/weaken.cuh"

namespace lock_free::locks {

// Messages, and a flag for each: push sends number `key`, pop looks once whether it has come.
template <class Flag>
struct MessageSubject {
  static constexpr std::uint32_t kWidth = 1;
  lesson06::Messages messages;

  static std::size_t bytes(std::uint32_t capacity) { return lesson06::Messages::bytes(capacity); }
  MessageSubject(void* memory, const Plan& plan) : messages(memory, plan.capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) { messages.reset(i, n); }
  __device__ void call(Operation& operation) {
    std::uint32_t* const flag = messages.flags + operation.key;
    if (operation.kind == Kind::Push) {
      messages.data[operation.key] = operation.value;
      Flag::raise(flag);
      operation.ok = 1;
    } else {
      operation.ok = Flag::seen(flag);
      if (operation.ok != 0) operation.result = messages.data[operation.key];
    }
  }
};

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

using lesson06::MessageOrders;
LOCK_FREE_WEAKENED(Raise, MessageOrders, raise, kRelaxed);
LOCK_FREE_WEAKENED(See, MessageOrders, see, kRelaxed);

// One of its two fences left out.
struct NoFenceBefore : lesson06::ThreadFenceFlag {
  static __device__ void raise(std::uint32_t* flag) { lesson06::PlainFlag::raise(flag); }
};
struct NoFenceAfter : lesson06::ThreadFenceFlag {
  static __device__ bool seen(std::uint32_t* flag) { return lesson06::PlainFlag::seen(flag); }
};

template <cuda::thread_scope kScope>
using Fence = lesson06::FenceFlag<cuda::memory_order_acq_rel, kScope>;

template <class Flag>
Case message(std::string id) {
  return right<MessageSubject<Flag>>(std::move(id), Shape::Message);
}
template <class Flag>
Case wrong_message(std::string id) {
  return weakened<MessageSubject<Flag>>(std::move(id), Shape::Message);
}

inline void add_messages(std::vector<Case>& cases) {
  using namespace lesson06;
  cases.push_back(wrong_message<PlainFlag>("message_plain"));
  cases.push_back(message<ThreadFenceFlag>("message_fence"));
  cases.push_back(wrong_message<NoFenceBefore>("message_fence.raise=none"));
  cases.push_back(wrong_message<NoFenceAfter>("message_fence.see=none"));
  cases.push_back(message<Fence<cuda::thread_scope_device>>("message_fence_acq_rel"));
  cases.push_back(wrong_message<Fence<kBlock>>("message_fence_acq_rel.scope=block"));
  cases.push_back(message<OrderedFlag<>>("message_release"));
  cases.push_back(wrong_message<OrderedFlag<Raise>>("message_release.raise=relaxed"));
  cases.push_back(wrong_message<OrderedFlag<See>>("message_release.see=relaxed"));
  cases.push_back(wrong_message<OrderedFlag<BlockOrders>>("message_release.scope=block"));
  cases.push_back(wrong_message<OrderedFlag<RelaxedOrders>>("message_relaxed"));
  cases.push_back(message<OrderedFlag<SystemOrders>>("message_system"));
  cases.push_back(message<OrderedFlag<SeqCstOrders>>("message_seq_cst"));
}

inline void add_all(std::vector<Case>& cases) {
  add_messages(cases);
  add<lesson06::TestAndSetLock>(cases, "lock_test_and_set");
  add<lesson06::BackoffLock>(cases, "lock_backoff");
  add<lesson06::TicketLock>(cases, "lock_ticket");
}

}  // namespace lock_free::locks
