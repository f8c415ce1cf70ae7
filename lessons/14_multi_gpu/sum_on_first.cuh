// SPDX-License-Identifier: MIT
// The sum on the first GPU, arranged by the host: copies, kernels, and events that order them.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

namespace lesson14 {

inline std::size_t bytes_of(std::size_t n) { return n * sizeof(float); }

// The host adds: work of a stream like any other, but it may not call CUDA.
struct OnHost {
  float* arrays;
  std::size_t n;
  int ranks;
};
inline void add_on_host(void* data) {
  const auto* job = static_cast<OnHost*>(data);
  course::add_arrays(job->arrays, job->n, job->ranks);
  delete job;
}

// Changed: (the first) every GPU copies its numbers to the host, which adds them.
// Cost:    all numbers cross the slowest link, and one thread of the CPU adds them.
inline void collect_on_host(const AllReduce& t) {
  const course::Ranks& ranks = *t.ranks;
  ranks.fork();
  for (int r = 0; r < ranks.count(); ++r) {
    const course::OnDevice here(ranks[r].device);
    COURSE_CHECK(cudaMemcpyAsync(t.host + static_cast<std::size_t>(r) * t.n, t.in[r], bytes_of(t.n),
                                 cudaMemcpyDeviceToHost, ranks[r].stream));
    COURSE_CHECK(cudaEventRecord(ranks[r].done, ranks[r].stream));
    COURSE_CHECK(cudaStreamWaitEvent(ranks[0].stream, ranks[r].done, 0));
  }
  const course::OnDevice first(ranks[0].device);
  COURSE_CHECK(
      cudaLaunchHostFunc(ranks[0].stream, &add_on_host, new OnHost{t.host, t.n, ranks.count()}));
}
inline void sum_host(const AllReduce& t) {
  if (t.n == 0) return;
  collect_on_host(t);
  const course::OnDevice first((*t.ranks)[0].device);
  COURSE_CHECK(cudaMemcpyAsync(t.out[0], t.host, bytes_of(t.n), cudaMemcpyHostToDevice,
                               (*t.ranks)[0].stream));
  t.ranks->join();
}

// Nobody waits for these kernels but a stream: they may have more blocks than run at once.
inline unsigned blocks_for(const AllReduce& t, std::size_t n) {
  const auto of_a_block = 8 * static_cast<std::size_t>(t.block);
  return static_cast<unsigned>((n + of_a_block - 1) / of_a_block);
}
__global__ void add_to(float* sum, const float* a, const float* b, std::size_t n) {
  add(span_of_block(n), sum, a, b);
}
inline void add_on_first(const AllReduce& t, float* sum, const float* a, const float* b,
                         std::size_t n) {
  if (n == 0) return;
  add_to<<<blocks_for(t, n), static_cast<unsigned>(t.block), 0, (*t.ranks)[0].stream>>>(sum, a, b,
                                                                                        n);
  COURSE_CHECK(cudaGetLastError());
}

// Changed: the numbers of each GPU are copied to the first, which adds them. The host only gives orders.
// Why:     a copy between peers goes over the link between them, which is several times as fast; without peer access the
//          same call still works, through the host.
// Cost:    room on the first GPU; it waits for each copy, and the link for each addition.
inline void sum_copies(const AllReduce& t) {
  const course::Ranks& ranks = *t.ranks;
  if (t.n == 0) return;
  ranks.fork();
  const course::OnDevice first(ranks[0].device);
  if (ranks.count() == 1)
    COURSE_CHECK(cudaMemcpyAsync(t.out[0], t.in[0], bytes_of(t.n), cudaMemcpyDeviceToDevice,
                                 ranks[0].stream));
  for (int r = 1; r < ranks.count(); ++r) {
    COURSE_CHECK(cudaMemcpyPeerAsync(t.scratch[0], ranks[0].device, t.in[r], ranks[r].device,
                                     bytes_of(t.n), ranks[0].stream));
    add_on_first(t, t.out[0], r == 1 ? t.in[0] : t.out[0], t.scratch[0], t.n);
  }
  ranks.join();
}

// Changed: no copies: a kernel of the first GPU reads the memory of the others.
// Why:     no room for copies, and all links of the others work at once.
// Cost:    needs peer access. Nothing but events says that their numbers are there (fork).
__global__ void read_peers(Team team) {
  float* const out = team.out[0];
  add_up(
      span_of_block(team.n), team.count, [&](int r) { return team.in[r]; },
      [=](std::size_t i, float sum) { out[i] = sum; });
}
inline void sum_peers(const AllReduce& t) {
  if (t.n == 0) return;
  t.ranks->fork();
  const course::OnDevice first((*t.ranks)[0].device);
  read_peers<<<blocks_for(t, t.n), static_cast<unsigned>(t.block), 0, (*t.ranks)[0].stream>>>(
      team_of(t, 0));
  COURSE_CHECK(cudaGetLastError());
  t.ranks->join();
}

// Changed: copies as before, but in pieces, on a stream of their own, into two buffers in turn.
// Why:     while the first GPU adds a piece, the next one is on its way; it works where no peer may be read.
// Cost:    an event for "this buffer is full" and one for "this buffer is free", for each piece.
inline void sum_overlap(const AllReduce& t) {
  const course::Ranks& ranks = *t.ranks;
  if (ranks.count() == 1 || t.n == 0) return sum_copies(t);
  const int pieces =
      1 + 6 / (ranks.count() - 1);  // seven copies or more in all: each one costs a start
  ranks.fork();
  const course::Rank& first = ranks[0];
  const course::OnDevice here(first.device);
  COURSE_CHECK(cudaEventRecord(first.ready[0], first.stream));  // the copies begin where it does
  COURSE_CHECK(cudaStreamWaitEvent(first.copies, first.ready[0], 0));
  int turn = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const std::size_t begin = part_begin(0, t.n, piece, pieces),
                      size = part_begin(0, t.n, piece + 1, pieces) - begin;
    if (size == 0) continue;
    for (int r = 1; r < ranks.count(); ++r, ++turn) {
      float* const buffer = t.scratch[0] + (turn % 2 == 0 ? 0 : t.n);
      if (turn >= 2) COURSE_CHECK(cudaStreamWaitEvent(first.copies, first.taken[turn % 2], 0));
      COURSE_CHECK(cudaMemcpyPeerAsync(buffer, first.device, t.in[r] + begin, ranks[r].device,
                                       bytes_of(size), first.copies));
      COURSE_CHECK(cudaEventRecord(first.ready[turn % 2], first.copies));
      COURSE_CHECK(cudaStreamWaitEvent(first.stream, first.ready[turn % 2], 0));
      add_on_first(t, t.out[0] + begin, (r == 1 ? t.in[0] : t.out[0]) + begin, buffer, size);
      COURSE_CHECK(cudaEventRecord(first.taken[turn % 2], first.stream));
    }
  }
  ranks.join();
}

}  // namespace lesson14
