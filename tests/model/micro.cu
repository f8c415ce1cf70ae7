// SPDX-License-Identifier: MIT
// Times the micro-kernels that the constants of the timing model are taken from, and writes them as JSON: on a GPU by
// scripts/record_model.sh, on the emulator to see what the model makes of the same launches.
//
//   micro [FILE]
//
// Kernels that are compared with the model are timed by events. Two numbers of rounds give the time of one round.
#include <algorithm>
#include <random>

#include "micro_kernels.cuh"
#include "recorder.cuh"

namespace {

using namespace model;

struct Work {
  explicit Work(const course::Device& d)
      : device(d), big(208u << 20), other(64u << 20), small(1 << 20) {
    COURSE_CHECK(cudaMemset(big.data(), 0, big.bytes()));
    COURSE_CHECK(cudaMemset(other.data(), 0, other.bytes()));
    COURSE_CHECK(cudaMemset(small.data(), 0, small.bytes()));
  }
  template <class T>
  T* in() {
    return reinterpret_cast<T*>(big.data());
  }
  unsigned* out() { return small.data(); }

  const course::Device& device;
  DeviceBuffer<unsigned char> big, other;
  DeviceBuffer<unsigned> small;
};

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

// ---- memory

template <class T, int InFlight, bool Streaming = false>
void read_row(Recorder& r, Work& w, int blocks, std::size_t bytes, Cache cache = Cache::Clean,
              bool written = false) {
  const std::size_t round = std::size_t{256} * blocks * InFlight;
  const std::size_t count = std::max<std::size_t>(1, bytes / sizeof(T) / round) * round;
  if (count * sizeof(T) > w.big.bytes()) return;
  const auto writer = [&] {
    write<uint4><<<1056, 256>>>(w.in<uint4>(), count * sizeof(T) / 16, uint4{});
  };
  r.time(
      written ? "read_l2" : "read",
      {{"width", sizeof(T)},
       {"in_flight", InFlight},
       {"streaming", Streaming},
       {"blocks", blocks},
       {"bytes", static_cast<long long>(count * sizeof(T))}},
      [&] { read<T, InFlight, Streaming><<<blocks, 256>>>(w.in<T>(), count, w.out()); }, cache,
      written ? Recorder::Launch(writer) : Recorder::Launch());
}

void record_reads(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  // Bytes in flight against bandwidth, far more rounds than one.
  for (const int per_sm : {1, 2, 4, 8}) {
    constexpr std::size_t kBytes = 48u << 20;
    read_row<unsigned, 1>(r, w, per_sm * sms, kBytes);
    read_row<unsigned, 4>(r, w, per_sm * sms, kBytes);
    read_row<uint4, 1>(r, w, per_sm * sms, kBytes);
    read_row<uint4, 2>(r, w, per_sm * sms, kBytes);
    read_row<uint4, 4>(r, w, per_sm * sms, kBytes);
  }
  // One multiprocessor, a few, all; one round and more.
  for (const int blocks : {1, 2, 8, 33, 66, 132})
    for (const std::size_t rounds : {1, 2, 8})
      read_row<uint4, 4>(r, w, blocks, rounds * 16384 * blocks);
  // Sizes, with what the flush leaves and without.
  for (const std::size_t bytes :
       {96ul << 10, 384ul << 10, 1536ul << 10, 6ul << 20, 24ul << 20, 96ul << 20, 192ul << 20}) {
    for (const Cache cache : {Cache::Clean, Cache::Dirty}) {
      read_row<uint4, 4>(r, w, 8 * sms, bytes, cache);
      read_row<uint4, 4, true>(r, w, 8 * sms, bytes, cache);
    }
    // One element per thread: blocks come and go.
    read_row<unsigned, 1>(r, w, static_cast<int>(std::min<std::size_t>(bytes, 48u << 20) / 1024),
                          bytes);
    read_row<uint4, 1>(r, w, static_cast<int>(bytes / 4096), bytes);
  }
  // From L2: what the launch before has written.
  for (const std::size_t bytes : {96ul << 10, 1536ul << 10, 6ul << 20, 24ul << 20}) {
    read_row<uint4, 4>(r, w, 8 * sms, bytes, Cache::Clean, true);
    read_row<uint4, 1>(r, w, 2 * sms, bytes, Cache::Clean, true);
    read_row<unsigned, 1>(r, w, 8 * sms, bytes, Cache::Clean, true);
  }
  for (const int blocks : {1, 8})
    read_row<uint4, 4>(r, w, blocks, 8 * 16384 * blocks, Cache::Clean, true);
}

void record_writes(Recorder& r, Work& w) {
  const int blocks = 8 * r.device.multiprocessors;
  for (const long long bytes : {3ll << 19, 12ll << 20, 48ll << 20, 192ll << 20})
    for (const Cache cache : {Cache::Clean, Cache::Dirty})
      r.time(
          "write", {{"bytes", bytes}, {"blocks", blocks}},
          [&] { write<uint4><<<blocks, 256>>>(w.in<uint4>(), bytes / 16, uint4{}); }, cache);
  for (const long long bytes : {3ll << 19, 12ll << 20, 48ll << 20})
    r.time("copy", {{"bytes", bytes}, {"blocks", blocks}}, [&] {
      copy<<<blocks, 256>>>(w.in<uint4>(), reinterpret_cast<uint4*>(w.other.data()), bytes / 16);
    });
}

template <int Stages>
void async_row(Recorder& r, Work& w, int per_sm) {
  const int blocks = per_sm * r.device.multiprocessors;
  const std::size_t count = (48u << 20) / 16;
  r.time("read_async", {{"stages", Stages}, {"blocks", blocks}, {"bytes", 48ll << 20}},
         [&] { read_async<Stages><<<blocks, 256>>>(w.in<uint4>(), count, w.out()); });
}

template <int Bytes, int Stages>
void bulk_row(Recorder& r, Work& w, int blocks, std::size_t bytes) {
  COURSE_CHECK(cudaFuncSetAttribute(read_bulk<Bytes, Stages>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, Bytes * Stages));
  r.time("read_bulk",
         {{"chunk", Bytes},
          {"stages", Stages},
          {"blocks", blocks},
          {"bytes", static_cast<long long>(bytes / Bytes * Bytes)}},
         [&] {
           read_bulk<Bytes, Stages>
               <<<blocks, 256, Bytes * Stages>>>(w.big.data(), bytes / Bytes, w.out());
         });
}

void record_copies(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  for (const int per_sm : {1, 2, 4, 8}) {
    async_row<2>(r, w, per_sm);
    async_row<4>(r, w, per_sm);
  }
  for (const int per_sm : {1, 2}) {
    bulk_row<1024, 4>(r, w, per_sm * sms, 48u << 20);
    bulk_row<4096, 4>(r, w, per_sm * sms, 48u << 20);
    bulk_row<16384, 2>(r, w, per_sm * sms, 48u << 20);
    bulk_row<16384, 6>(r, w, per_sm * sms, 48u << 20);
  }
  bulk_row<4096, 4>(r, w, 1, 4096);
  bulk_row<16384, 2>(r, w, 1, 16384);
  bulk_row<16384, 2>(r, w, 1, 16 * 16384);
}

// `lines` steps through as many different lines, `span` bytes, in random order.
void chase_row(Recorder& r, Work& w, const char* id, std::size_t span, unsigned lines,
               bool written) {
  std::vector<unsigned> order(span / 128);
  for (unsigned i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
  std::vector<unsigned> host(span / 4);
  for (std::size_t i = 0; i < order.size(); ++i)
    host[order[i] * 32] = order[(i + 1) % order.size()] * 32;
  COURSE_CHECK(cudaMemcpy(w.big.data(), host.data(), span, cudaMemcpyHostToDevice));
  DeviceBuffer<unsigned> again(written ? host : std::vector<unsigned>{});
  for (const unsigned steps : {lines / 4, lines}) {
    const auto before = [&] {
      copy<<<264, 256>>>(reinterpret_cast<const uint4*>(again.data()), w.in<uint4>(), span / 16);
    };
    r.time(
        id, {{"bytes", static_cast<long long>(span)}, {"steps", steps}},
        [&] { chase<<<1, 1>>>(w.in<unsigned>(), static_cast<int>(steps), w.out()); }, Cache::Clean,
        written ? Recorder::Launch(before) : Recorder::Launch());
  }
  COURSE_CHECK(cudaMemset(w.big.data(), 0, span));
}

void record_latencies(Recorder& r, Work& w) {
  chase_row(r, w, "chase", 4u << 20, 1024, false);
  chase_row(r, w, "chase", 64u << 20, 1024, false);
  chase_row(r, w, "chase_l2", 1u << 20, 1024, true);
  chase_row(r, w, "chase_l2", 16u << 20, 1024, true);
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

// ---- grids and clusters

void record_grids(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  for (const int blocks : {1, 16, sms / 2, sms, 2 * sms, 4 * sms, 8 * sms}) {
    for (int rounds : {0, 1, 8}) {
      unsigned* out = w.out();
      void* arguments[] = {&rounds, &out};
      r.time("grid_barriers", {{"rounds", rounds}, {"blocks", blocks}, {"threads", 256}}, [&] {
        COURSE_CHECK(cudaLaunchCooperativeKernel(grid_barriers, blocks, 256, arguments));
      });
    }
  }
}

struct Cluster {
  Cluster(int blocks, int threads, int size, std::size_t shared = 0) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
    config.gridDim = blocks / size * size;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
};

template <class Kernel>
void allow(Kernel kernel, int shared) {
  COURSE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  COURSE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
}

void record_placement(Recorder& r, int size, int blocks, int threads, int shared) {
  DeviceBuffer<unsigned> ids(blocks);
  DeviceBuffer<unsigned long long> times(2 * static_cast<std::size_t>(blocks));
  Cluster c(blocks, threads, size, shared);
  for (int i = 0; i < 2; ++i)
    COURSE_CHECK(cudaLaunchKernelEx(&c.config, placement, ids.data(), times.data(),
                                    r.device.emulated ? 0u : 20000u));
  COURSE_CHECK(cudaDeviceSynchronize());
  const auto id = ids.download();
  const auto time = times.download();
  const int launched = static_cast<int>(c.config.gridDim.x);
  unsigned long long first = ~0ull;
  for (int i = 0; i < launched; ++i) first = std::min(first, time[2 * i]);
  std::vector<int> on(r.device.multiprocessors + 1);
  int at_once = 0;
  unsigned long long last = 0;
  for (int i = 0; i < launched; ++i) {
    ++on[std::min<std::size_t>(id[i], on.size() - 1)];
    if (time[2 * i] - first < 20000) {
      ++at_once;
      last = std::max(last, time[2 * i] - first);
    }
  }
  const auto [least, most] = std::minmax_element(on.begin(), on.end() - 1);
  r.add("placement",
        {{"cluster", size},
         {"threads", threads},
         {"shared", shared},
         {"blocks", launched},
         {"at_once", at_once},
         {"least_on_one", *least},
         {"most_on_one", *most}},
        "last_began_ns", static_cast<double>(last));
  if (size != 16 || shared < 200 * 1024) return;
  static const char* const kBlock[] = {"b0", "b1", "b2",  "b3",  "b4",  "b5",  "b6",  "b7",
                                       "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15"};
  for (int b = 0; b < launched; b += size) {  // which multiprocessors are neighbours
    Parameters with;
    for (int k = 0; k < size; ++k) with.emplace_back(kBlock[k], id[b + k]);
    r.add("neighbours", with, "cluster", b / size);
  }
}

void record_clusters(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  allow(placement, 200 * 1024);
  allow(cluster_barriers, 200 * 1024);
  allow(cluster_loads, 32 * 1024);
  for (const int size : {1, 2, 4, 8, 16}) {
    for (const auto& [threads, shared] :
         {std::pair{256, 0}, {512, 0}, {1024, 0}, {256, 100 * 1024}, {256, 200 * 1024}}) {
      Cluster c(sms * 8, threads, size, shared);
      int fit = 0;
      COURSE_CHECK(cudaOccupancyMaxActiveClusters(&fit, placement, &c.config));
      r.add("clusters_fit", {{"cluster", size}, {"threads", threads}, {"shared", shared}},
            "clusters", fit);
      record_placement(r, size, sms * 8, threads, shared);
    }
    for (const int blocks : {16, sms, 8 * sms, 64 * sms}) {
      for (const int rounds : {0, 1, 8}) {
        if (blocks > 8 * sms && rounds > 1) continue;
        Cluster c(blocks, 256, size);
        r.time("cluster_barriers",
               {{"cluster", size},
                {"rounds", rounds},
                {"blocks", c.config.gridDim.x},
                {"threads", 256}},
               [&] {
                 COURSE_CHECK(cudaLaunchKernelEx(&c.config, cluster_barriers, rounds, w.out()));
               });
      }
    }
    for (const int rounds : {16, 80}) {
      Cluster c(16, 256, size);
      r.time("cluster_loads",
             {{"cluster", size}, {"rounds", rounds}, {"blocks", 16}, {"threads", 256}},
             [&] { COURSE_CHECK(cudaLaunchKernelEx(&c.config, cluster_loads, rounds, w.out())); });
    }
  }
}

// ---- atomics

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

void record_atomics(Recorder& r, Work& w) {
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
