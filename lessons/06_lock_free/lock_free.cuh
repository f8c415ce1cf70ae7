// SPDX-License-Identifier: MIT
// Lesson 06. Structures that many threads change at once: how to lose nothing without a lock, and
// when that pays. A rung is a structure; it is checked in several shapes and then timed with
// thousands of threads at one instance of it.
//
// Rungs: counter          one atomic counter, the baseline                     locked.cuh
//        message_*        a message between two blocks: what orders memory     message.cuh
//        lock_*           spin locks                                           spin_lock.cuh
//        locked_stack     a stack behind a lock; then the lock-free ones       locked.cuh, stack.cuh
//        stack_*          the naive one loses elements, the others do not      stack.cuh
//        locked_queue     a ring behind a lock                                 locked.cuh
//        queue_*          linked, ring, ring with warp-wide reservation        linked_queue.cuh, ring_queue.cuh
//        locked_map       a hash map behind a lock                             locked.cuh
//        map_*            a thread per key, a tile per key                     hash_map.cuh
#pragma once

#include "lessons/06_lock_free/rungs.cuh"

namespace lesson06 {

inline constexpr course::structures::Rung kRungs[] = {
    {"counter", "one atomic counter: keeps nothing, and nothing shared is cheaper", "counter",
     &run_counter},
    {"message_plain", "a flag without order: the message may come after it", "message",
     &run_messages<PlainFlag>, true},
    {"message_fence", "a fence before the flag is raised and one after it is seen", "message",
     &run_messages<ThreadFenceFlag>},
    {"message_release", "the order is part of the flag: release and acquire", "message",
     &run_messages<OrderedFlag<>>},
    {"lock_test_and_set", "every thread exchanges until it gets the lock", "lock",
     &run_lock<TestAndSetLock<>, EachThread>},
    {"lock_backoff", "look first, and sleep longer after each failure", "lock",
     &run_lock<BackoffLock<>, EachThread>},
    {"lock_ticket", "take a number: first come, first served", "lock",
     &run_lock<TicketLock<>, EachThread>},
    {"lock_per_warp", "one lane takes the ticket lock for its whole warp", "lock",
     &run_lock<TicketLock<>, OncePerWarp>},
    {"locked_stack", "an ordinary stack behind the back-off lock, once per warp", "stack",
     &run_stack<WarpLocked<BackoffLock<>, SequentialStack>>},
    {"stack_naive", "an index as head: another push and pop in between is not seen", "stack",
     &run_stack<NaiveStack>, true},
    {"stack_versioned", "index and version in one 64-bit word", "stack", &run_stack<Stack<>>},
    {"stack_warp", "a warp pushes a chain with one exchange", "stack", &run_stack<WarpStack<>>},
    {"locked_queue", "an ordinary ring behind the back-off lock, once per warp", "queue",
     &run_queue<WarpLocked<BackoffLock<>, SequentialRing>>},
    {"queue_linked", "a linked list with versions, head and tail apart", "queue",
     &run_queue<LinkedQueue<>>},
    {"queue_ring", "tickets for the slots of a ring: additions, no retries", "queue",
     &run_queue<RingQueue<>>},
    {"queue_ring_warp", "one lane takes the tickets of its warp", "queue",
     &run_queue<WarpRingQueue<>>},
    {"queue_ring_word", "turn and value in one word: no fence", "queue",
     &run_queue<WarpRingQueue<RingOrders, WordSlot>>},
    {"locked_map", "an ordinary hash map behind the back-off lock, once per warp", "map",
     &run_map<WarpLocked<BackoffLock<>, SequentialMap>>},
    {"map_thread", "key and value in one word; a thread per key", "map", &run_map<HashMap<>>},
    {"map_tile", "a tile of lanes per key reads a bucket in one access", "map",
     &run_map<TileHashMap<>>},
};
inline constexpr course::structures::Lesson kLesson{
    "06_lock_free", "How do thousands of threads share a structure, and what does it cost?",
    "counter", kRungs};

}  // namespace lesson06
