// SPDX-License-Identifier: MIT
// The linked queue of Michael and Scott, bounded by a pool of nodes. Nothing but this file is
// needed.
//
// The list starts with a node whose value is spent, the dummy: `head` is it, and the oldest element
// is in the node behind it. So head and tail never point at nothing, and a push (at the tail) and a
// pop (at the head) meet only when the queue is empty.
//
// Nodes are used again, so every link that a compare-and-swap changes carries a version: 32 bits of
// index and 32 bits of version in one word. A thread that was away sees the version, not just the
// same index, and fails. Versions wrap: a thread must not be away for 2^32 changes of one word.
// The head's version counts the pops and the tail's counts the pushes, which gives the number of
// elements for nothing: tail's version - head's version.
//
// Lock-free, except when the pool is used up but the queue holds less than its capacity (a pop has
// not yet returned its node, a push not yet linked it): a push then waits for that one.
#pragma once

#include <cuda/atomic>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

namespace lesson06 {

// "Sees" is an acquire, "shows" its release. A word that fails a comparison tells nothing but to
// try again: relaxed.
struct LinkedOrders {
  static constexpr auto kScope = cuda::thread_scope_device;
  // Head or tail, read: sees the node it names as the thread that moved it there saw it.
  static constexpr auto kReadEnd = cuda::memory_order_acquire;
  // Tail moved on: shows the new last node's link. Else a push could take the link of an earlier
  // life of this node for a newer node and move the tail there.
  static constexpr auto kMoveTail = cuda::memory_order_release;
  // Head moved on: shows the same to the next pop; and the value was read before, not after, when
  // the node may already have another owner.
  static constexpr auto kMoveHead = cuda::memory_order_release;
  // A link, read: sees the value of the node it names. And if the node was used again meanwhile,
  // the second look at head or tail sees that it has moved.
  static constexpr auto kReadLink = cuda::memory_order_acquire;
  // The new node linked: shows its value and its empty link.
  static constexpr auto kLink = cuda::memory_order_release;
  // The new node's link made empty, while old readers may still hold its index: shows them that the
  // node left the queue.
  static constexpr auto kClearLink = cuda::memory_order_release;
  // The free list, read: sees the node's link to the next free one, and that its last user is done.
  static constexpr auto kReadFree = cuda::memory_order_acquire;
  // A node taken off it: the version proves that this is the list kReadFree read, nothing new here.
  static constexpr auto kTakeFree = cuda::memory_order_relaxed;
  // A node given back: shows that this thread is done with it.
  static constexpr auto kGiveFree = cuda::memory_order_release;
  // The fence between the two reads that prove "empty" or "full". With less, each proof holds for
  // itself, but a push and a pop at the same time may be seen in opposite orders by two threads:
  // one proves "empty", the other "full", and no order of the operations explains both. Fences of
  // this order have one order for all. Only a thread that is turned away pays.
  static constexpr auto kProof = cuda::memory_order_seq_cst;
  // The value of a node, read while its owner may change: the head's version tells afterwards
  // whether it was the right one. And the second look at head or tail, which kReadLink put in
  // place.
  static constexpr auto kPeek = cuda::memory_order_relaxed;
};

template <class Orders = LinkedOrders>
class LinkedQueue {
 public:
  static std::size_t bytes(std::uint32_t capacity) {
    return sizeof(Words) + (std::size_t{capacity} + 1) * sizeof(Node);
  }
  // Any capacity from 1 to 2^31 - 1. `version` is where the versions start: tests let them wrap.
  LinkedQueue(void* memory, std::uint32_t capacity, std::uint32_t version = 0)
      : words_(static_cast<Words*>(memory)),
        nodes_(reinterpret_cast<Node*>(words_ + 1)),
        capacity_(capacity),
        version_(version) {}

  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    if (i == 0) {  // node 0 is the dummy, the others are free
      words_->head = words_->tail = pack(0, version_);
      words_->free = pack(1, version_);
    }
    for (std::uint64_t k = i; k <= capacity_; k += n)
      nodes_[k] = {pack(kNone, version_), 0, k < capacity_ ? static_cast<Index>(k + 1) : kNone};
  }

  __device__ bool push(std::uint32_t value) {
    Index mine = kNone;
    for (unsigned ns = kShortest; (mine = take_node()) == kNone; pause(ns))
      if (is_full()) return false;
    Node& node = nodes_[mine];
    Ref<std::uint32_t>(node.value).store(value, Orders::kPeek);
    const Link old = Ref<Link>(node.next).load(Orders::kPeek);  // its version lives on
    Ref<Link>(node.next).store(pack(kNone, version_of(old) + 1), Orders::kClearLink);
    for (unsigned ns = kShortest; !try_append(mine); pause(ns)) {
    }
    return true;
  }

  __device__ bool pop(std::uint32_t& value) {
    for (unsigned ns = kShortest;; pause(ns)) {
      const Link head = Ref<Link>(words_->head).load(Orders::kReadEnd);
      const Link tail = Ref<Link>(words_->tail).load(Orders::kReadEnd);
      const Link next = Ref<Link>(nodes_[index_of(head)].next).load(Orders::kReadLink);
      if (index_of(next) == kNone) {
        if (is_empty(head)) return false;
        continue;
      }
      if (index_of(head) == index_of(tail)) {  // a push has linked its node and not moved the tail
        move(words_->tail, tail, index_of(next), Orders::kMoveTail);
        continue;
      }
      const std::uint32_t oldest =
          Ref<std::uint32_t>(nodes_[index_of(next)].value).load(Orders::kPeek);
      if (!move(words_->head, head, index_of(next), Orders::kMoveHead)) continue;
      value = oldest;  // the node behind head is the dummy now
      give_node(index_of(head));
      return true;
    }
  }

 private:
  using Link = unsigned long long;  // version, index
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffff;
  template <class T>
  using Ref = cuda::atomic_ref<T, Orders::kScope>;
  struct Node {
    Link next;  // in the queue
    std::uint32_t value;
    Index below;  // in the free list
  };
  struct Words {  // each on a line of its own: pushes shall not disturb pops
    alignas(128) Link head;
    alignas(128) Link tail;
    alignas(128) Link free;
  };

  __host__ __device__ static Link pack(Index index, std::uint32_t version) {
    return Link{version} << 32 | index;
  }
  __device__ static Index index_of(Link link) { return static_cast<Index>(link); }
  __device__ static std::uint32_t version_of(Link link) {
    return static_cast<std::uint32_t>(link >> 32);
  }
  // False: the word is no longer what was seen.
  __device__ static bool move(Link& word, Link seen, Index to, cuda::memory_order order) {
    return Ref<Link>(word).compare_exchange_strong(seen, pack(to, version_of(seen) + 1), order,
                                                   cuda::memory_order_relaxed);
  }

  // Links the node behind the last one. False: another thread was faster.
  __device__ bool try_append(Index mine) {
    const Link tail = Ref<Link>(words_->tail).load(Orders::kReadEnd);
    Link& last = nodes_[index_of(tail)].next;
    const Link next = Ref<Link>(last).load(Orders::kReadLink);
    // Was it the last node's link that was read, or that of a node which has left the queue since
    // and is being made ready for its next life?
    if (Ref<Link>(words_->tail).load(Orders::kPeek) != tail) return false;
    if (index_of(next) != kNone) {  // another push has linked its node: move the tail for it
      move(words_->tail, tail, index_of(next), Orders::kMoveTail);
      return false;
    }
    if (!move(last, next, mine, Orders::kLink)) return false;
    move(words_->tail, tail, mine, Orders::kMoveTail);  // fails if another did it for us: good
    return true;
  }

  // Empty: nothing is linked behind this head, and it is still the head (else the link was that of
  // a node which has left the queue).
  __device__ bool is_empty(Link head) const {
    cuda::atomic_thread_fence(Orders::kProof, Orders::kScope);
    const Link next = Ref<Link>(nodes_[index_of(head)].next).load(Orders::kReadLink);
    return index_of(next) == kNone && Ref<Link>(words_->head).load(Orders::kPeek) == head;
  }
  // Full: more pushes than pops by the capacity. The end that could hide the answer is read last.
  __device__ bool is_full() const {
    const Link tail = Ref<Link>(words_->tail).load(Orders::kReadEnd);
    cuda::atomic_thread_fence(Orders::kProof, Orders::kScope);
    const Link head = Ref<Link>(words_->head).load(Orders::kPeek);
    return static_cast<std::int32_t>(version_of(tail) - version_of(head)) >=
           static_cast<std::int32_t>(capacity_);
  }

  // The free list is a stack with a versioned head.
  __device__ Index take_node() {
    for (unsigned ns = kShortest;; pause(ns)) {
      const Link top = Ref<Link>(words_->free).load(Orders::kReadFree);
      if (index_of(top) == kNone) return kNone;
      const Index below = Ref<Index>(nodes_[index_of(top)].below).load(Orders::kPeek);
      if (move(words_->free, top, below, Orders::kTakeFree)) return index_of(top);
    }
  }
  __device__ void give_node(Index mine) {
    for (unsigned ns = kShortest;; pause(ns)) {
      const Link top = Ref<Link>(words_->free).load(Orders::kPeek);
      Ref<Index>(nodes_[mine].below).store(index_of(top), Orders::kPeek);
      if (move(words_->free, top, mine, Orders::kGiveFree)) return;
    }
  }

  // Nanoseconds. Measured: longer sleeps make it slower, as they do the stack.
  static constexpr unsigned kShortest = 32, kLongest = 256;
  __device__ static void pause(unsigned& ns) {
    __nanosleep(ns);
    if (ns < kLongest) ns *= 2;
  }

  Words* words_;
  Node* nodes_;
  std::uint32_t capacity_;
  std::uint32_t version_;
};

}  // namespace lesson06
