// SPDX-License-Identifier: MIT
// All cases in one file: nvcc takes longer to read <cuda/atomic> than for most of them.
#include "lock_free/cases.hpp"

#include "hash_table/cases.cuh"  // the tables of lesson 11
#include "lock_free/lock_cases.cuh"
#include "lock_free/map_cases.cuh"
#include "lock_free/queue_cases.cuh"
#include "lock_free/stack_cases.cuh"
#include "task_scheduler/cases.cuh"

namespace lock_free {

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  locks::add_all(cases);
  stacks::add_all(cases);
  queues::add_all(cases);
  maps::add_all(cases);
  hash_table::add_all(cases);
  task_scheduler::add_all(cases);
  return cases;
}

}  // namespace lock_free
