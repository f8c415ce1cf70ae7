// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/06_lock_free/linked_queue.cuh"
#include "lessons/06_lock_free/ring_queue.cuh"
#include "lock_free/weaken.cuh"

namespace lock_free::queues {

using namespace lesson06;

template <class S>
using Queue = ContainerSubject<S>;

LOCK_FREE_WEAKENED(LinkedScope, LinkedOrders, kScope, kBlock);
LOCK_FREE_WEAKENED(ReadEndOfList, LinkedOrders, kReadEnd, kRelaxed);
LOCK_FREE_WEAKENED(MoveTail, LinkedOrders, kMoveTail, kRelaxed);
LOCK_FREE_WEAKENED(MoveHead, LinkedOrders, kMoveHead, kRelaxed);
LOCK_FREE_WEAKENED(ReadLink, LinkedOrders, kReadLink, kRelaxed);
LOCK_FREE_WEAKENED(Link, LinkedOrders, kLink, kRelaxed);
LOCK_FREE_WEAKENED(ClearLink, LinkedOrders, kClearLink, kRelaxed);
LOCK_FREE_WEAKENED(ReadFree, LinkedOrders, kReadFree, kRelaxed);
LOCK_FREE_WEAKENED(GiveFree, LinkedOrders, kGiveFree, kRelaxed);
LOCK_FREE_WEAKENED(ListProof, LinkedOrders, kProof, kAcqRel);
LOCK_FREE_WEAKENED(NoListProof, LinkedOrders, kProof, kRelaxed);

LOCK_FREE_WEAKENED(RingScope, RingOrders, kScope, kBlock);
LOCK_FREE_WEAKENED(SeeTurn, RingOrders, kSeeTurn, kRelaxed);
LOCK_FREE_WEAKENED(PassTurn, RingOrders, kPassTurn, kRelaxed);
LOCK_FREE_WEAKENED(TakeTicket, RingOrders, kTakeTicket, kRelaxed);
LOCK_FREE_WEAKENED(Proof, RingOrders, kProof, kAcqRel);
LOCK_FREE_WEAKENED(NoProof, RingOrders, kProof, kRelaxed);

template <class S>
void add(std::vector<Case>& cases, const std::string& id) {
  cases.push_back(right<Queue<S>>(id, Shape::Queue));
}
template <class S>
void add_weak(std::vector<Case>& cases, const std::string& id) {
  cases.push_back(weakened<Queue<S>>(id, Shape::Queue));
}

template <template <class> class S>
void add_ring(std::vector<Case>& cases, const std::string& id) {
  add<S<RingOrders>>(cases, id);
  add_weak<S<SeeTurn>>(cases, id + ".kSeeTurn=relaxed");
  add_weak<S<PassTurn>>(cases, id + ".kPassTurn=relaxed");
  add_weak<S<TakeTicket>>(cases, id + ".kTakeTicket=relaxed");
  add_weak<S<Proof>>(cases, id + ".kProof=acq_rel");
  add_weak<S<NoProof>>(cases, id + ".kProof=relaxed");
  add_weak<S<RingScope>>(cases, id + ".kScope=block");
}

template <class Orders>
using ThreadRing = RingQueue<Orders>;
template <class Orders>
using WarpRing = WarpRingQueue<Orders>;

inline void add_all(std::vector<Case>& cases) {
  add<LinkedQueue<>>(cases, "queue_linked");
  add_weak<LinkedQueue<ReadEndOfList>>(cases, "queue_linked.kReadEnd=relaxed");
  add_weak<LinkedQueue<MoveTail>>(cases, "queue_linked.kMoveTail=relaxed");
  add_weak<LinkedQueue<MoveHead>>(cases, "queue_linked.kMoveHead=relaxed");
  add_weak<LinkedQueue<ReadLink>>(cases, "queue_linked.kReadLink=relaxed");
  add_weak<LinkedQueue<Link>>(cases, "queue_linked.kLink=relaxed");
  add_weak<LinkedQueue<ClearLink>>(cases, "queue_linked.kClearLink=relaxed");
  add_weak<LinkedQueue<ReadFree>>(cases, "queue_linked.kReadFree=relaxed");
  add_weak<LinkedQueue<GiveFree>>(cases, "queue_linked.kGiveFree=relaxed");
  add_weak<LinkedQueue<ListProof>>(cases, "queue_linked.kProof=acq_rel");
  add_weak<LinkedQueue<NoListProof>>(cases, "queue_linked.kProof=relaxed");
  add_weak<LinkedQueue<LinkedScope>>(cases, "queue_linked.kScope=block");
  add_ring<ThreadRing>(cases, "queue_ring");
  add_ring<WarpRing>(cases, "queue_ring_warp");
  add<RingQueue<RingOrders, WordSlot>>(cases, "queue_ring_word");
  add<WarpRingQueue<RingOrders, WordSlot>>(cases, "queue_ring_warp_word");
}

}  // namespace lock_free::queues
