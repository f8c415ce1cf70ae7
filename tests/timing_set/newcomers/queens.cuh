// SPDX-License-Identifier: MIT
// In how many ways can n queens stand on a board of n by n so that none attacks another?
// Backtracking from placements of the first rows: as bits with a stack in local memory; with the
// stack in shared memory; with threads that stay and fetch the next placement when they are
// done; and with an array of columns that is checked row by row, where a thread's number says
// how its first rows stand, whether they may or not.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kQueensDeepest = 12;  // rows that a thread fills
constexpr unsigned kQueensThreads = 64;  // of a block with stacks in shared memory
constexpr unsigned kQueensGiven = 4;     // rows that a thread's number says
constexpr unsigned kQueensBoard = 16;

struct QueensStart {
  unsigned columns, left, right;  // attacked squares of the next row
};

__global__ void queens_stack(const QueensStart* starts, unsigned n, unsigned full, int rows,
                             unsigned long long* total) {
  const unsigned i = thread_number();
  if (i >= n) return;
  QueensStart stack[kQueensDeepest];
  unsigned open[kQueensDeepest];
  stack[0] = starts[i];
  open[0] = full & ~(stack[0].columns | stack[0].left | stack[0].right);
  unsigned long long count = 0;
  int row = 0;
  while (row >= 0) {
    if (open[row] == 0) {
      --row;
      continue;
    }
    const unsigned queen = open[row] & (0 - open[row]);
    open[row] ^= queen;
    if (row == rows - 1) {
      ++count;
      continue;
    }
    const QueensStart here = stack[row];
    ++row;
    stack[row] = {here.columns | queen, (here.left | queen) << 1, (here.right | queen) >> 1};
    open[row] = full & ~(stack[row].columns | stack[row].left | stack[row].right);
  }
  if (count != 0) atomicAdd(total, count);
}

__global__ void queens_shared(const QueensStart* __restrict__ starts, unsigned n, unsigned full,
                              int rows, unsigned long long* __restrict__ total) {
  __shared__ ushort4 stack[kQueensDeepest][kQueensThreads];  // w: squares still to try
  __shared__ unsigned sum;
  const unsigned i = thread_number(), me = threadIdx.x;
  if (me == 0) sum = 0;
  __syncthreads();
  unsigned count = 0;
  if (i < n) {
    const QueensStart start = starts[i];
    unsigned columns = start.columns, left = start.left & full, right = start.right;
    unsigned open = full & ~(columns | left | right);
    int row = 0;
    while (true) {
      if (open == 0) {
        if (--row < 0) break;
        const ushort4 back = stack[row][me];
        columns = back.x, left = back.y, right = back.z, open = back.w;
        continue;
      }
      const unsigned queen = open & (0 - open);
      open ^= queen;
      if (row == rows - 1) {
        ++count;
        continue;
      }
      stack[row][me] = make_ushort4(columns, left, right, open);
      ++row;
      columns |= queen;
      left = (left | queen) << 1 & full;
      right = (right | queen) >> 1;
      open = full & ~(columns | left | right);
    }
  }
  atomicAdd(&sum, count);
  __syncthreads();
  if (me == 0) atomicAdd(total, static_cast<unsigned long long>(sum));
}

// What was attacked in the row above follows from what is attacked here and the queen between,
// so that the stack holds nothing but the squares still to try and the queens.
__global__ void queens_queue(const QueensStart* __restrict__ starts, unsigned n, unsigned full,
                             int rows, unsigned* next, unsigned long long* total) {
  unsigned count = 0;
  for (unsigned i = atomicAdd(next, 1u); i < n; i = atomicAdd(next, 1u)) {
    unsigned open[kQueensDeepest], queens[kQueensDeepest];
    unsigned columns = starts[i].columns;
    // 64 bits, so that what leaves the board on either side comes back.
    unsigned long long left = static_cast<unsigned long long>(starts[i].left) << 16;
    unsigned long long right = static_cast<unsigned long long>(starts[i].right) << 16;
    int row = 0;
    open[0] = full & ~(columns | starts[i].left | starts[i].right);
    while (true) {
      if (open[row] == 0) {
        if (--row < 0) break;
        const unsigned long long queen = static_cast<unsigned long long>(queens[row]) << 16;
        columns ^= queens[row];
        left = left >> 1 ^ queen;
        right = right << 1 ^ queen;
        continue;
      }
      const unsigned queen = open[row] & (0 - open[row]);
      open[row] ^= queen;
      if (row == rows - 1) {
        ++count;
        continue;
      }
      queens[row] = queen;
      columns |= queen;
      left = (left | static_cast<unsigned long long>(queen) << 16) << 1;
      right = (right | static_cast<unsigned long long>(queen) << 16) >> 1;
      ++row;
      open[row] = full & ~(columns | static_cast<unsigned>(left >> 16) |
                           static_cast<unsigned>(right >> 16));
    }
  }
  count = warp_sum(count);
  if (threadIdx.x % 32 == 0) atomicAdd(total, static_cast<unsigned long long>(count));
}

__device__ inline bool queens_safe(const signed char* board, int row) {
  for (int other = 0; other < row; ++other) {
    const int apart = board[row] - board[other];
    if (apart == 0 || apart == row - other || apart == other - row) return false;
  }
  return true;
}

__global__ void queens_columns(int size, unsigned n, unsigned* counts) {
  unsigned digits = thread_number();
  if (digits >= n) return;
  const unsigned i = digits;
  signed char board[kQueensBoard];
  bool safe = true;
  for (int row = 0; row < static_cast<int>(kQueensGiven); ++row) {
    board[row] = static_cast<signed char>(digits % size);
    digits /= size;
    safe = safe && queens_safe(board, row);
  }
  unsigned count = 0;
  if (safe) {
    int row = kQueensGiven;
    board[row] = -1;
    while (row >= static_cast<int>(kQueensGiven)) {
      do ++board[row];
      while (board[row] < size && !queens_safe(board, row));
      if (board[row] == size) {
        --row;
      } else if (row == size - 1) {
        ++count;
      } else {
        board[++row] = -1;
      }
    }
  }
  counts[i] = count;
}

template <class Found>
void queens_walk(QueensStart at, unsigned full, unsigned rows, Found& found) {
  if (rows == 0) return found(at);
  for (unsigned open = full & ~(at.columns | at.left | at.right); open != 0; open &= open - 1) {
    const unsigned queen = open & (0 - open);
    queens_walk({at.columns | queen, (at.left | queen) << 1, (at.right | queen) >> 1}, full,
                rows - 1, found);
  }
}
inline unsigned long long queens_count(unsigned size) {
  unsigned long long count = 0;
  const auto found = [&](QueensStart) { ++count; };
  queens_walk({0, 0, 0}, (1u << size) - 1, size, found);
  return count;
}

// launch(starts, how many, the board's columns as bits, rows to fill, total)
template <class Launch>
Problem queens_problem(unsigned size, Launch launch, Shared<unsigned> next = {}) {
  const unsigned full = (1u << size) - 1, given = size < 10 ? 3 : size < 13 ? 4 : 5;
  std::vector<QueensStart> made;
  const auto found = [&](QueensStart start) { made.push_back(start); };
  queens_walk({0, 0, 0}, full, given, found);
  auto starts = array(std::move(made));
  auto total = array(std::vector<unsigned long long>{0});
  return Problem{[=] { launch(starts->data(), starts->size(), full, size - given, total->data()); },
                 [=] { return total->device.download()[0] == queens_count(size); },
                 [=] {
                   total->restore();
                   if (next) next->restore();
                 }};
}

inline Problem queens_stack_problem(unsigned size) {
  return queens_problem(size, [](const QueensStart* starts, unsigned n, unsigned full, int rows,
                                 unsigned long long* total) {
    queens_stack<<<blocks_of(n, 128), 128>>>(starts, n, full, rows, total);
  });
}

inline Problem queens_shared_problem(unsigned size) {
  return queens_problem(size, [](const QueensStart* starts, unsigned n, unsigned full, int rows,
                                 unsigned long long* total) {
    constexpr unsigned kThreads = kQueensThreads;
    queens_shared<<<blocks_of(n, kThreads), kThreads>>>(starts, n, full, rows, total);
  });
}

inline Problem queens_queue_problem(unsigned size) {
  auto next = array(std::vector<unsigned>{0});
  const auto launch = [=](const QueensStart* starts, unsigned n, unsigned full, int rows,
                          unsigned long long* total) {
    const unsigned blocks = std::min(blocks_of(n, 64), 264u);
    queens_queue<<<blocks, 64>>>(starts, n, full, rows, next->data(), total);
  };
  return queens_problem(size, launch, next);
}

inline Problem queens_columns_problem(unsigned size) {
  const unsigned n = size * size * size * size;
  auto counts = room<unsigned>(n);
  return Problem{[=] { queens_columns<<<blocks_of(n, 192), 192>>>(size, n, counts->data()); },
                 [=] {
                   unsigned long long sum = 0;
                   for (unsigned count : counts->device.download()) sum += count;
                   return sum == queens_count(size);
                 }};
}

inline void add_queens(Set& set) {
  const std::vector<unsigned> sizes = {9, 12, 13};
  set.add("queens_stack", sizes, queens_stack_problem);
  set.add("queens_shared", sizes, queens_shared_problem);
  set.add("queens_queue", sizes, queens_queue_problem);
  set.add("queens_columns", {7, 9, 11}, queens_columns_problem);
}

}  // namespace timing_set
