// SPDX-License-Identifier: MIT
// Times the micro-kernels that the constants of the timing model are taken from, and writes them as JSON: on a GPU by
// scripts/record_model.sh, on the emulator to see what the model makes of the same launches.
//
//   micro [FILE]
//
// Kernels that are compared with the model are timed by events. Two numbers of rounds give the time of one round.
#include <algorithm>
#include <utility>

#include "micro_atomics.cuh"
#include "micro_grids.cuh"
#include "micro_kernels.cuh"
#include "micro_memory.cuh"
#include "micro_work.cuh"
#include "recorder.cuh"

namespace {

using namespace model;

// ---- the stream, launches

void record_launches(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  for (const Cache cache : {Cache::Clean, Cache::Kept}) {
    r.time(
        "nothing", {}, [] {}, cache);
    r.time(
        "empty", {{"blocks", 1}, {"threads", 256}}, [] { empty<<<1, 256>>>(); }, cache);
  }
  for (const int threads : {32, 256, 1024})
    for (const int blocks : {sms, 2 * sms, 8 * sms, 64 * sms, 512 * sms})
      r.time("empty", {{"blocks", blocks}, {"threads", threads}},
             [&] { empty<<<blocks, threads>>>(); });
  for (const int times : {2, 3, 5})
    r.time("empty", {{"blocks", 1}, {"threads", 256}, {"launches", times}}, [&] {
      for (int i = 0; i < times; ++i) empty<<<1, 256>>>();
    });
  r.time("empty_arguments", {{"blocks", 1}, {"threads", 256}},
         [&] { empty_arguments<<<1, 256>>>(w.out(), 0, w.out(), w.out(), w.out()); });
  r.time("memset", {{"bytes", 4}}, [&] { COURSE_CHECK(cudaMemsetAsync(w.out(), 0, 4)); });
  r.time("memset_empty", {{"bytes", 4}}, [&] {
    COURSE_CHECK(cudaMemsetAsync(w.out(), 0, 4));
    empty<<<1, 256>>>();
  });
  for (const long long bytes : {4ll, 3ll << 18, 3ll << 22, 48ll << 20}) {
    if (bytes > 4)
      r.time("memset", {{"bytes", bytes}},
             [&] { COURSE_CHECK(cudaMemsetAsync(w.other.data(), 0, bytes)); });
    r.time("memcpy", {{"bytes", bytes}}, [&] {
      COURSE_CHECK(cudaMemcpyAsync(w.other.data(), w.big.data(), bytes, cudaMemcpyDeviceToDevice));
    });
  }
  r.time("straight", {{"instructions", 16}, {"threads", 32}},
         [&] { straight<16><<<1, 32>>>(3, w.out()); });
  r.time("straight", {{"instructions", 256}, {"threads", 32}},
         [&] { straight<256><<<1, 32>>>(3, w.out()); });
  r.time("straight", {{"instructions", 1024}, {"threads", 32}},
         [&] { straight<1024><<<1, 32>>>(3, w.out()); });
  r.time("straight", {{"instructions", 1024}, {"threads", 1024}},
         [&] { straight<1024><<<1, 1024>>>(3, w.out()); });
  r.time("straight", {{"instructions", 1024}, {"threads", 32}, {"blocks", sms}},
         [&] { straight<1024><<<sms, 32>>>(3, w.out()); });
}

// ---- instructions

template <class Operation>
void operation_rows(Recorder& r, Work& w, const char* id) {
  const int sms = r.device.multiprocessors;
  for (const int rounds : {4, 12}) {
    r.time(id, {{"rounds", rounds}, {"chains", 1}, {"blocks", 1}, {"threads", 32}},
           [&] { arithmetic<Operation, 1><<<1, 32>>>(rounds * 8, 3, w.out()); });
    r.time(id, {{"rounds", rounds}, {"chains", 4}, {"blocks", 8 * sms}, {"threads", 256}},
           [&] { arithmetic<Operation, 4><<<8 * sms, 256>>>(rounds, 3, w.out()); });
  }
}

void record_instructions(Recorder& r, Work& w) {
  operation_rows<FloatFma>(r, w, "float_fma");
  operation_rows<IntegerAdd>(r, w, "integer_add");
  operation_rows<IntegerFma>(r, w, "integer_fma");
  operation_rows<Wide>(r, w, "wide");
  operation_rows<Convert>(r, w, "convert");
  operation_rows<Special>(r, w, "special");
  operation_rows<Remainder>(r, w, "remainder");
  operation_rows<Shuffle>(r, w, "shuffle");
  operation_rows<Vote>(r, w, "vote");
  operation_rows<Redux>(r, w, "redux");
  operation_rows<Match>(r, w, "match");
  operation_rows<Divergent>(r, w, "divergent");
}

// ---- shared memory, barriers

template <class T>
void shared_rows(Recorder& r, Work& w, unsigned step) {
  const int sms = r.device.multiprocessors;
  for (const int rounds : {8, 40}) {
    for (const auto& [blocks, threads] : {std::pair{1, 32}, {4 * sms, 256}})
      r.time("shared_loads",
             {{"width", sizeof(T)},
              {"step", step},
              {"rounds", rounds},
              {"blocks", blocks},
              {"threads", threads}},
             [&] { shared_loads<T><<<blocks, threads, 32 * 1024>>>(rounds, step, w.out()); });
  }
}

void record_shared(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  shared_rows<unsigned>(r, w, 1);
  shared_rows<unsigned>(r, w, 2);
  shared_rows<unsigned>(r, w, 8);
  shared_rows<unsigned>(r, w, 32);
  shared_rows<uint4>(r, w, 1);
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    for (const int rounds : {32, 160}) {
      r.time("barriers", {{"rounds", rounds}, {"blocks", 1}, {"threads", threads}},
             [&] { barriers<<<1, threads>>>(rounds, w.out()); });
      const int full = sms * std::min(32, 2048 / threads);
      r.time("barriers", {{"rounds", rounds}, {"blocks", full}, {"threads", threads}},
             [&] { barriers<<<full, threads>>>(rounds, w.out()); });
    }
  }
}

void record_device(Recorder& r, Work& w) {
  for (const auto& [id, attribute] : {std::pair{"sm_clock_khz", cudaDevAttrClockRate},
                                      {"memory_clock_khz", cudaDevAttrMemoryClockRate},
                                      {"multiprocessors", cudaDevAttrMultiProcessorCount}}) {
    int value = 0;
    COURSE_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
    r.add("device", {{id, 1}}, "value", value);
  }
  clock_rate<<<1, 1>>>(r.device.emulated ? 1000 : 50'000'000, w.out());
  COURSE_CHECK(cudaDeviceSynchronize());
  const auto clock = w.small.download();
  r.add("device", {{"cycles_in_us", 1}}, "value", clock[1] ? 1e3 * clock[0] / clock[1] : 0);
  COURSE_CHECK(cudaMemset(w.out(), 0, 8));
  r.add_registers("read_16_4", read<uint4, 4, false>);
  r.add_registers("read_4_4", read<unsigned, 4, false>);
  r.add_registers("read_4_1", read<unsigned, 1, false>);
  r.add_registers("grid_barriers", grid_barriers);
  r.add_registers("cluster_barriers", cluster_barriers);
  r.add_registers("read_async_4", read_async<4>);
  r.add_registers("read_bulk_16384_6", read_bulk<16384, 6>);
  r.add_registers("arithmetic_remainder", arithmetic<Remainder, 4>);
  r.add_registers("straight_1024", straight<1024>);
}

}  // namespace

int main(int argc, char** argv) {
  return model::run(argc, argv, "micro", [](Recorder& r) {
    Work w(r.device);
    record_device(r, w);
    record_launches(r, w);
    record_reads(r, w);
    record_writes(r, w);
    record_copies(r, w);
    record_latencies(r, w);
    record_instructions(r, w);
    record_shared(r, w);
    record_grids(r, w);
    record_clusters(r, w);
    record_atomics(r, w);
  });
}
