// SPDX-License-Identifier: MIT
// Times the micro-kernels of memory_kernels.cuh, as micro.cu does those of micro_kernels.cuh.
//
//   memory [FILE]
#include "memory_kernels.cuh"
#include "recorder.cuh"

namespace {

using namespace model;

struct Work {
  explicit Work(const course::Device& d) : big(std::size_t{1} << 30), small(1 << 20) {
    // On the emulator so much memory is zero from the start.
    if (!d.emulated) COURSE_CHECK(cudaMemset(big.data(), 0, big.bytes()));
    COURSE_CHECK(cudaMemset(small.data(), 0, small.bytes()));
  }
  unsigned* words() { return reinterpret_cast<unsigned*>(big.data()); }
  unsigned* out() { return small.data(); }
  bool holds(std::size_t bytes) const { return bytes <= big.bytes(); }

  DeviceBuffer<unsigned char> big;
  DeviceBuffer<unsigned> small;
};

constexpr Cache kStates[] = {Cache::Clean, Cache::Kept};

template <bool Write>
void strided_rows(Recorder& r, Work& w) {
  const int blocks = 8 * r.device.multiprocessors;
  for (const unsigned step : {1u, 2u, 4u, 8u, 16u, 32u})
    for (const bool fill : {false, true})
      for (const int rounds : {8, 32}) {
        if (fill && step == 1) continue;
        const std::size_t chunks =
            std::size_t{8} * blocks * (fill ? (rounds + step - 1) / step : unsigned(rounds));
        if (!w.holds(chunks * 128 * step)) continue;
        for (const Cache cache : kStates) {
          if (cache == Cache::Kept && chunks * 128 * step > 48u << 20) continue;
          r.time(
              Write ? "strided_write" : "strided_read",
              {{"step", step}, {"fill", fill}, {"rounds", rounds}, {"blocks", blocks}},
              [&] { strided<Write><<<blocks, 256>>>(w.words(), step, fill, rounds, w.out()); },
              cache);
        }
      }
}

template <class T>
void reread_rows(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  for (const unsigned bytes : {16u << 10, 64u << 10, 160u << 10, 208u << 10, 320u << 10})
    for (const unsigned step : {0u, 1u, 2u, 8u, 32u})
      for (const int rounds : {32, 96}) {
        if (step != 1 && bytes != 16u << 10) continue;
        const unsigned count = bytes / sizeof(T);
        if (!w.holds(std::size_t{bytes} * sms)) continue;
        r.time("reread",
               {{"width", sizeof(T)},
                {"bytes", bytes},
                {"step", step},
                {"rounds", rounds},
                {"blocks", sms},
                {"threads", 1024}},
               [&] {
                 reread<T><<<sms, 1024>>>(reinterpret_cast<T*>(w.big.data()), count, step, rounds,
                                          w.out());
               });
      }
}

void record_rereads(Recorder& r, Work& w) {
  reread_rows<unsigned>(r, w);
  reread_rows<uint4>(r, w);
  for (const int rounds : {64, 320})
    r.time("reread_chain", {{"rounds", rounds}},
           [&] { reread_chain<<<1, 32>>>(w.words(), rounds, w.out()); });
  const int blocks = 8 * r.device.multiprocessors;
  for (const std::size_t megabytes : {2, 4, 8, 16, 24, 32, 40, 48, 56, 64, 96}) {
    const std::size_t count = (megabytes << 20) / 16 / (256 * 4 * blocks) * (256 * 4 * blocks);
    if (!w.holds(megabytes << 20) || count == 0) continue;
    r.time(
        "read_again", {{"bytes", static_cast<long long>(count * 16)}, {"blocks", blocks}},
        [&] {
          read<uint4, 4, false>
              <<<blocks, 256>>>(reinterpret_cast<uint4*>(w.big.data()), count, w.out());
        },
        Cache::Kept);
    r.time(
        "write_again", {{"bytes", static_cast<long long>(count * 16)}, {"blocks", blocks}},
        [&] {
          write<uint4><<<blocks, 256>>>(reinterpret_cast<uint4*>(w.big.data()), count, uint4{});
        },
        Cache::Kept);
  }
}

template <class T, bool WithResult, int Skew = 0>
void bin_rows(Recorder& r, Work& w, int type) {
  const int blocks = 8 * r.device.multiprocessors, rounds = 8;
  for (const unsigned bins : {1u, 2u, 8u, 32u, 256u, 4096u, 65536u, 1u << 20, 1u << 24})
    for (const unsigned step : {1u, 8u, 32u}) {
      if ((step > 1 && (bins > 4096 || bins == 1)) || (Skew && (step > 1 || bins < 32))) continue;
      if (!w.holds(sizeof(T) * std::size_t{bins} * step)) continue;
      const int some = bins <= 8 ? blocks / 8 : blocks;
      r.time(
          "bins",
          {{"type", type},
           {"result", WithResult},
           {"skew", Skew},
           {"bins", bins},
           {"step", step},
           {"blocks", some},
           {"rounds", rounds}},
          [&] {
            count_bins<T, WithResult, Skew><<<some, 256>>>(reinterpret_cast<T*>(w.big.data()),
                                                           bins - 1, step, rounds, w.out());
          },
          Cache::Kept);
    }
}

template <class T, bool Constant>
void shared_bin_rows(Recorder& r, Work& w, int type) {
  const int blocks = 8 * r.device.multiprocessors;
  for (const unsigned bins : {1u, 4u, 32u, 256u, 4096u})
    for (const int rounds : {16, 48})
      r.time("shared_bins",
             {{"type", type},
              {"constant", Constant},
              {"bins", bins},
              {"rounds", rounds},
              {"blocks", blocks}},
             [&] { count_shared_bins<T, Constant><<<blocks, 256>>>(bins - 1, rounds, w.out()); });
}

void record_atomics(Recorder& r, Work& w) {
  // type: 0 int, 1 float, 2 64-bit integer, 3 double
  bin_rows<unsigned, false>(r, w, 0);
  bin_rows<unsigned, true>(r, w, 0);
  bin_rows<unsigned, false, 1>(r, w, 0);
  bin_rows<unsigned, false, 2>(r, w, 0);
  bin_rows<float, false>(r, w, 1);
  bin_rows<unsigned long long, false>(r, w, 2);
  bin_rows<double, false>(r, w, 3);
  shared_bin_rows<unsigned, true>(r, w, 0);
  shared_bin_rows<unsigned, false>(r, w, 0);
  shared_bin_rows<float, false>(r, w, 1);
}

void record_uneven(Recorder& r, Work& w) {
  const int sms = r.device.multiprocessors;
  for (const int blocks :
       {sms, sms + 1, 2 * sms, 8 * sms, 8 * sms + 1, 9 * sms, 12 * sms, 33 * sms})
    for (const int more : {0, 64})
      r.time("uneven", {{"blocks", blocks}, {"threads", 256}, {"rounds", 16}, {"more", more}},
             [&] { uneven<<<blocks, 256>>>(16, more, 3, w.out()); });
  for (const int blocks : {1, sms, 8 * sms})
    r.time("uneven_lanes", {{"blocks", blocks}, {"threads", 256}, {"rounds", 16}},
           [&] { uneven_lanes<<<blocks, 256>>>(16, 3, w.out()); });
}

template <class Operation>
void unit_rows(Recorder& r, Work& w, const char* id) {
  const int sms = r.device.multiprocessors;
  for (const int rounds : {2, 6}) {
    r.time(id, {{"rounds", rounds}, {"chains", 1}, {"blocks", 1}, {"threads", 32}},
           [&] { arithmetic<Operation, 1><<<1, 32>>>(rounds * 8, 3, w.out()); });
    r.time(id, {{"rounds", rounds}, {"chains", 4}, {"blocks", 8 * sms}, {"threads", 256}},
           [&] { arithmetic<Operation, 4><<<8 * sms, 256>>>(rounds, 3, w.out()); });
  }
}

void record_units(Recorder& r, Work& w) {
  unit_rows<Double>(r, w, "double");
  unit_rows<FloatAdd>(r, w, "float_add");
  unit_rows<FloatDivision>(r, w, "float_division");
  unit_rows<FloatRoot>(r, w, "float_root");
  unit_rows<Exponential>(r, w, "exponential");
  unit_rows<Sine>(r, w, "sine");
  unit_rows<DoubleDivision>(r, w, "double_division");
  unit_rows<WideProduct>(r, w, "wide_product");
  unit_rows<WideDivision>(r, w, "wide_division");
  unit_rows<Shift>(r, w, "shift");
  unit_rows<Compare>(r, w, "compare");
  unit_rows<Bits>(r, w, "bits");
}

}  // namespace

int main(int argc, char** argv) {
  return model::run(argc, argv, "memory", [](Recorder& r) {
    Work w(r.device);
    record_units(r, w);
    record_uneven(r, w);
    record_rereads(r, w);
    strided_rows<false>(r, w);
    strided_rows<true>(r, w);
    record_atomics(r, w);
  });
}
