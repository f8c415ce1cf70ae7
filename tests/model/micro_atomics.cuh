// SPDX-License-Identifier: MIT
// Rows of micro: atomics on global and on shared memory, tickets, fences.
#pragma once

#include <utility>

#include "micro_kernels.cuh"
#include "micro_work.cuh"

namespace model {

template <class T, bool WithResult, bool SameValue>
void atomic_rows(Recorder& r, Work& w, int type) {
  const int sms = r.device.multiprocessors;
  T* const at = reinterpret_cast<T*>(w.other.data());
  const auto row = [&](int blocks, unsigned addresses, unsigned spread, unsigned lanes,
                       int rounds) {
    r.time("atomics",
           {{"type", type},
            {"result", WithResult},
            {"same_value", SameValue},
            {"blocks", blocks},
            {"threads", 256},
            {"addresses", addresses},
            {"spread", spread},
            {"lanes", lanes},
            {"rounds", rounds}},
           [&] {
             atomics<T, WithResult, SameValue>
                 <<<blocks, 256>>>(at, addresses, spread, lanes, rounds, w.out());
           });
  };
  for (const int rounds : {1, 3}) {
    row(sms, 1, 1, 32, rounds);   // all on one
    row(sms, 1, 1, 1, rounds);    // one lane of each warp
    row(sms, 32, 1, 32, rounds);  // a line of them
    row(sms, 32, 32, 32, rounds);
    row(sms, 1 << 15, 1, 32, rounds);  // each its own
  }
  r.time("atomic_chain", {{"type", type}, {"rounds", 16}},
         [&] { atomic_chain<T><<<1, 1>>>(at, 16, w.out()); });
  r.time("atomic_chain", {{"type", type}, {"rounds", 80}},
         [&] { atomic_chain<T><<<1, 1>>>(at, 80, w.out()); });
}

template <class T, bool OneAddress>
void shared_atomic_rows(Recorder& r, Work& w, int type) {
  const int sms = r.device.multiprocessors;
  for (const int rounds : {1, 5})
    for (const auto& [blocks, threads] : {std::pair{1, 32}, {1, 256}, {8 * sms, 256}})
      r.time("shared_atomics",
             {{"type", type},
              {"one_address", OneAddress},
              {"blocks", blocks},
              {"threads", threads},
              {"rounds", rounds}},
             [&] { shared_atomics<T, OneAddress><<<blocks, threads>>>(rounds, w.out()); });
}

inline void record_atomics(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  // type: 0 int, 1 float, 2 64-bit integer
  atomic_rows<int, false, true>(r, w, 0);
  atomic_rows<int, false, false>(r, w, 0);
  atomic_rows<int, true, false>(r, w, 0);
  atomic_rows<float, false, false>(r, w, 1);
  atomic_rows<float, true, false>(r, w, 1);
  atomic_rows<unsigned long long, false, false>(r, w, 2);
  shared_atomic_rows<int, true>(r, w, 0);
  shared_atomic_rows<int, false>(r, w, 0);
  shared_atomic_rows<float, true>(r, w, 1);
  shared_atomic_rows<float, false>(r, w, 1);
  auto* const ticket = reinterpret_cast<unsigned*>(w.other.data());
  for (const int blocks : {1, sms, 8 * sms})
    for (const int rounds : {1, 9}) {
      const Parameters with = {{"blocks", blocks}, {"rounds", rounds}, {"threads", 256}};
      r.time("tickets", with,
             [&] { tickets<0><<<blocks, 256>>>(ticket, ticket + 1024, rounds, w.out()); });
      r.time("tickets_fenced", with,
             [&] { tickets<1><<<blocks, 256>>>(ticket, ticket + 1024, rounds, w.out()); });
      r.time("fences", with, [&] { fences<<<blocks, 256>>>(ticket + 1024, rounds); });
    }
}

}  // namespace model
