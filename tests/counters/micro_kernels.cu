// SPDX-License-Identifier: MIT
// Runs every micro-kernel once, in a fixed order, and prints their names in that order. Profiled on a GPU by
// scripts/record_counters.sh, run on the emulator by the test that compares the two. With --fail: one good launch, one that fails.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "more_kernels.cuh"

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

constexpr int kBlocks = 2, kThreads = 128;
constexpr unsigned kShared = 32 * 1024;
constexpr unsigned kAll = 0xffffffffu;
constexpr size_t kBytes = 8 << 20;

void* zeros() {
  void* p = nullptr;
  check(cudaMalloc(&p, kBytes), "cudaMalloc");
  check(cudaMemset(p, 0, kBytes), "cudaMemset");
  return p;
}

struct Buffers {
  char* in = static_cast<char*>(zeros());
  char* out = static_cast<char*>(zeros());
  char* counters = static_cast<char*>(zeros());
  template <class T>
  T* input() const {
    return reinterpret_cast<T*>(in);
  }
  template <class T>
  T* output() const {
    return reinterpret_cast<T*>(out);
  }
  template <class T>
  T* counter() const {
    return reinterpret_cast<T*>(counters);
  }
};

struct Case {
  const char* name;
  void (*run)(const Buffers&);
};

#define CASE(name, kernel, ...)                   \
  {                                               \
    name, [](const Buffers& b) {                  \
      (void)b;                                    \
      kernel<<<kBlocks, kThreads>>>(__VA_ARGS__); \
    }                                             \
  }
#define SHARED_CASE(name, ...)                                           \
  {                                                                      \
    name, [](const Buffers& b) {                                         \
      __VA_ARGS__<<<kBlocks, kThreads, kShared>>>(b.output<unsigned>()); \
    }                                                                    \
  }
#define SHARED_STORE(name, ...)                                                 \
  {                                                                             \
    name, [](const Buffers&) { __VA_ARGS__<<<kBlocks, kThreads, kShared>>>(); } \
  }
#define IN_OUT(T) b.input<T>(), b.output<T>()
#define SHARED_ATOMIC(name, T, ...)                                                            \
  {                                                                                            \
    name, [](const Buffers& b) { __VA_ARGS__<<<kBlocks, kThreads, kShared>>>(b.output<T>()); } \
  }
#define LOCAL(name, T, step, lanes) \
  CASE(name, (local_memory<T, step, lanes>), b.input<int>(), b.output<T>())

const Case kCases[] = {
    CASE("load coalesced", (load_global<float, 1, 0>), IN_OUT(float)),
    CASE("load stride 2", (load_global<float, 2, 0>), IN_OUT(float)),
    CASE("load stride 4", (load_global<float, 4, 0>), IN_OUT(float)),
    CASE("load stride 8", (load_global<float, 8, 0>), IN_OUT(float)),
    CASE("load stride 32", (load_global<float, 32, 0>), IN_OUT(float)),
    CASE("load shifted by 1", (load_global<float, 1, 1>), IN_OUT(float)),
    CASE("load shifted by 8", (load_global<float, 1, 8>), IN_OUT(float)),
    CASE("load byte", (load_global<unsigned char, 1, 0>), IN_OUT(unsigned char)),
    CASE("load short stride 3", (load_global<short, 3, 0>), IN_OUT(short)),
    CASE("load double", (load_global<double, 1, 0>), IN_OUT(double)),
    CASE("load float2", (load_global<float2, 1, 0>), IN_OUT(float2)),
    CASE("load float2 stride 2", (load_global<float2, 2, 0>), IN_OUT(float2)),
    CASE("load float2 shifted by 1", (load_global<float2, 1, 1>), IN_OUT(float2)),
    CASE("load float4", (load_global<float4, 1, 0>), IN_OUT(float4)),
    CASE("load float4 stride 2", (load_global<float4, 2, 0>), IN_OUT(float4)),
    CASE("load float4 shifted by 1", (load_global<float4, 1, 1>), IN_OUT(float4)),
    CASE("load float4 broadcast", load_float4_broadcast, IN_OUT(float4)),
    CASE("load broadcast", load_broadcast, IN_OUT(float)),
    CASE("load two addresses", load_two_addresses, IN_OUT(float)),
    CASE("load reversed", load_reversed, IN_OUT(float)),
    CASE("load permuted", load_permuted, IN_OUT(float)),
    CASE("load scattered", load_scattered, IN_OUT(float)),
    CASE("load read-only stride 2", load_read_only, IN_OUT(float)),
    CASE("load 20 lanes", load_some_lanes<20>, IN_OUT(float)),
    CASE("load 1 lane", load_some_lanes<1>, IN_OUT(float)),
    CASE("load odd lanes, stride 4", load_odd_lanes, IN_OUT(float)),
    {"load partial warp",
     [](const Buffers& b) { load_global<float, 1, 0><<<3, 40>>>(IN_OUT(float)); }},
    CASE("load constant, same", load_constant<true>, b.output<float>()),
    CASE("load constant, each", load_constant<false>, b.output<float>()),

    CASE("store coalesced", (store_global<float, 1, 0>), b.output<float>(), 1.0f),
    CASE("store stride 2", (store_global<float, 2, 0>), b.output<float>(), 1.0f),
    CASE("store stride 32", (store_global<float, 32, 0>), b.output<float>(), 1.0f),
    CASE("store shifted by 1", (store_global<float, 1, 1>), b.output<float>(), 1.0f),
    CASE("store byte", (store_global<char, 1, 0>), b.output<char>(), 'x'),
    CASE("store byte stride 5", (store_global<char, 5, 0>), b.output<char>(), 'x'),
    CASE("store float2", (store_global<float2, 1, 0>), b.output<float2>(), float2{1, 2}),
    CASE("store float4", (store_global<float4, 1, 0>), b.output<float4>(), float4{1, 2, 3, 4}),
    CASE("store float4 stride 2", (store_global<float4, 2, 0>), b.output<float4>(),
         float4{1, 2, 3, 4}),
    CASE("store same address", store_same_address, b.output<unsigned>()),
    CASE("store scattered", store_scattered, b.output<float>()),

    CASE("red float, 1 address", (reduce_global<float, 1, 1>), b.counter<float>()),
    CASE("red float, 32 side by side", (reduce_global<float, 32, 1>), b.counter<float>()),
    CASE("red float, 32 apart", (reduce_global<float, 32, 64>), b.counter<float>()),
    CASE("red float, 4 addresses", (reduce_global<float, 4, 1>), b.counter<float>()),
    CASE("red int, 1 address", (reduce_global<int, 1, 1>), b.counter<int>()),
    CASE("red int, 32 side by side", (reduce_global<int, 32, 1>), b.counter<int>()),
    CASE("red double, 32 side by side", (reduce_global<double, 32, 1>), b.counter<double>()),
    CASE("red max, scattered", atomic_max, b.counter<unsigned>()),
    CASE("atom float, 1 address", (atomic_global<float, 1, 1>), b.counter<float>(),
         b.output<float>()),
    CASE("atom float, 32 side by side", (atomic_global<float, 32, 1>), b.counter<float>(),
         b.output<float>()),
    CASE("atom float, 32 apart", (atomic_global<float, 32, 64>), b.counter<float>(),
         b.output<float>()),
    CASE("atom int, 8 addresses", (atomic_global<int, 8, 1>), b.counter<int>(), b.output<int>()),
    CASE("atom cas, 4 addresses", atomic_cas, b.counter<unsigned>(), b.output<unsigned>()),
    CASE("atom exch, stride 2", atomic_exchange, b.counter<unsigned>(), b.output<unsigned>()),

    SHARED_CASE("shared load stride 1", load_shared<4, strided<1>, kAll>),
    SHARED_CASE("shared load stride 2", load_shared<4, strided<2>, kAll>),
    SHARED_CASE("shared load stride 3", load_shared<4, strided<3>, kAll>),
    SHARED_CASE("shared load stride 4", load_shared<4, strided<4>, kAll>),
    SHARED_CASE("shared load stride 8", load_shared<4, strided<8>, kAll>),
    SHARED_CASE("shared load stride 16", load_shared<4, strided<16>, kAll>),
    SHARED_CASE("shared load stride 32", load_shared<4, strided<32>, kAll>),
    SHARED_CASE("shared load stride 33", load_shared<4, strided<33>, kAll>),
    SHARED_CASE("shared load same word", load_shared<4, same_word, kAll>),
    SHARED_CASE("shared load pairs of lanes", load_shared<4, grouped<2, 4>, kAll>),
    SHARED_CASE("shared load 2 words of a bank", load_shared<4, two_words_of_a_bank, kAll>),
    SHARED_CASE("shared load random", load_shared<4, random_word, kAll>),
    SHARED_CASE("shared load stride 32, 7 lanes", load_shared<4, strided<32>, 0x1111111>),
    SHARED_CASE("shared load byte", load_shared<1, bytes_in_order, kAll>),
    SHARED_CASE("shared load short", load_shared<2, shorts_in_order, kAll>),
    SHARED_CASE("shared load short stride 65", load_shared<2, shorts_apart, kAll>),
    SHARED_CASE("shared load 64", load_shared<8, strided64<1>, kAll>),
    SHARED_CASE("shared load 64 stride 2", load_shared<8, strided64<2>, kAll>),
    SHARED_CASE("shared load 64 stride 3", load_shared<8, strided64<3>, kAll>),
    SHARED_CASE("shared load 64 stride 16", load_shared<8, strided64<16>, kAll>),
    SHARED_CASE("shared load 64 same", load_shared<8, same_word, kAll>),
    SHARED_CASE("shared load 64 pairs of lanes", load_shared<8, grouped<2, 8>, kAll>),
    SHARED_CASE("shared load 64 groups of 4", load_shared<8, grouped<4, 8>, kAll>),
    SHARED_CASE("shared load 64 halves same", load_shared<8, folded<16, 8>, kAll>),
    SHARED_CASE("shared load 64 2 lanes apart same", load_shared<8, folded<2, 8>, kAll>),
    SHARED_CASE("shared load 64 random", load_shared<8, random_pair, kAll>),
    SHARED_CASE("shared load 64, 16 lanes", load_shared<8, strided64<1>, 0xffff>),
    SHARED_CASE("shared load 64, 8 + 8 lanes", load_shared<8, strided64<1>, 0x00ff00ff>),
    SHARED_CASE("shared load 64, odd lanes", load_shared<8, strided64<1>, 0xaaaaaaaa>),
    SHARED_CASE("shared load 128", load_shared<16, strided128<1>, kAll>),
    SHARED_CASE("shared load 128 stride 2", load_shared<16, strided128<2>, kAll>),
    SHARED_CASE("shared load 128 stride 3", load_shared<16, strided128<3>, kAll>),
    SHARED_CASE("shared load 128 stride 8", load_shared<16, strided128<8>, kAll>),
    SHARED_CASE("shared load 128 same", load_shared<16, same_word, kAll>),
    SHARED_CASE("shared load 128 pairs of lanes", load_shared<16, grouped<2, 16>, kAll>),
    SHARED_CASE("shared load 128 groups of 4", load_shared<16, grouped<4, 16>, kAll>),
    SHARED_CASE("shared load 128 groups of 8", load_shared<16, grouped<8, 16>, kAll>),
    SHARED_CASE("shared load 128 2 lanes apart same", load_shared<16, folded<2, 16>, kAll>),
    SHARED_CASE("shared load 128 halves same", load_shared<16, folded<16, 16>, kAll>),
    SHARED_CASE("shared load 128 random", load_shared<16, random_quad, kAll>),
    SHARED_CASE("shared load 128, 8 lanes", load_shared<16, strided128<1>, 0xff>),
    SHARED_CASE("shared load 128, 4 x 2 lanes", load_shared<16, strided128<1>, 0x03030303>),
    SHARED_STORE("shared store stride 1", store_shared<4, strided<1>, kAll>),
    SHARED_STORE("shared store stride 2", store_shared<4, strided<2>, kAll>),
    SHARED_STORE("shared store stride 32", store_shared<4, strided<32>, kAll>),
    SHARED_STORE("shared store stride 33", store_shared<4, strided<33>, kAll>),
    SHARED_STORE("shared store same word", store_shared<4, same_word, kAll>),
    SHARED_STORE("shared store random", store_shared<4, random_word, kAll>),
    SHARED_STORE("shared store byte", store_shared<1, bytes_in_order, kAll>),
    SHARED_STORE("shared store 64", store_shared<8, strided64<1>, kAll>),
    SHARED_STORE("shared store 64 stride 2", store_shared<8, strided64<2>, kAll>),
    SHARED_STORE("shared store 64 same", store_shared<8, same_word, kAll>),
    SHARED_STORE("shared store 64 pairs of lanes", store_shared<8, grouped<2, 8>, kAll>),
    SHARED_STORE("shared store 64, 8 + 8 lanes", store_shared<8, strided64<1>, 0x00ff00ff>),
    SHARED_STORE("shared store 128", store_shared<16, strided128<1>, kAll>),
    SHARED_STORE("shared store 128 stride 2", store_shared<16, strided128<2>, kAll>),
    SHARED_STORE("shared store 128 same", store_shared<16, same_word, kAll>),
    SHARED_STORE("shared store 128 pairs of lanes", store_shared<16, grouped<2, 16>, kAll>),
    SHARED_STORE("shared store 128, 4 x 2 lanes", store_shared<16, strided128<1>, 0x03030303>),
    SHARED_STORE("shared atomic int, 1 word", atomic_shared<int, 1, 1>),
    SHARED_STORE("shared atomic int, 32 words", atomic_shared<int, 32, 1>),
    SHARED_STORE("shared atomic int, 4 words", atomic_shared<int, 4, 1>),
    SHARED_STORE("shared atomic int, one bank", atomic_shared<int, 32, 32>),
    SHARED_STORE("shared atomic float, 32 words", atomic_shared<float, 32, 1>),

    CASE("local array, same index", local_array<true>, b.input<int>(), b.output<int>()),
    CASE("local array, own index", local_array<false>, b.input<int>(), b.output<int>()),
    CASE("shuffles", shuffles, b.output<int>()),
    CASE("barriers", barriers, b.output<int>()),
    CASE("branch by lane", branch<1>, b.output<int>(), b.counter<int>()),
    CASE("branch by warp", branch<32>, b.output<int>(), b.counter<int>()),
    CASE("loop, same rounds", loop_uniform, b.output<float>(), b.input<float>(), 10),
    CASE("loop, own rounds", loop_divergent, b.output<int>(), b.input<float>()),
    {"copy async 4",
     [](const Buffers&
            b) { copy_async<4><<<kBlocks, kThreads, kShared>>>(b.in, b.output<unsigned>()); }},
    {"copy async 16",
     [](const Buffers&
            b) { copy_async<16><<<kBlocks, kThreads, kShared>>>(b.in, b.output<unsigned>()); }},

    LOCAL("local int, same index", int, 0, 32),
    LOCAL("local int, own index", int, 1, 32),
    LOCAL("local int, 20 lanes", int, 0, 20),
    LOCAL("local byte, same index", unsigned char, 0, 32),
    LOCAL("local byte, own index", unsigned char, 1, 32),
    LOCAL("local short, own index", short, 1, 32),
    LOCAL("local double, same index", double, 0, 32),
    LOCAL("local double, own index", double, 1, 32),
    LOCAL("local uint4, same index", uint4, 0, 32),
    LOCAL("local uint4, own index", uint4, 1, 32),
    SHARED_CASE("shared load 64 odd lanes, packed", load_shared<8, grouped<2, 8>, 0xaaaaaaaa>),
    SHARED_CASE("shared load 128 odd lanes, packed", load_shared<16, grouped<2, 16>, 0xaaaaaaaa>),
    SHARED_CASE("shared load 128 pairs in one half", load_shared<16, pairs_in_one_half, kAll>),
    SHARED_CASE("shared load 128 pairs of two kinds", load_shared<16, pairs_of_two_kinds, kAll>),
    SHARED_CASE("shared atom, uneven", atomic_shared_uneven),
    SHARED_ATOMIC("shared atom int, 4 words", int, atomic_shared_result<Op::Add, int, 4>),
    SHARED_ATOMIC("shared atom max, 4 words", int, atomic_shared_result<Op::Max, int, 4>),
    SHARED_ATOMIC("shared atom exch, 4 words", int, atomic_shared_result<Op::Exchange, int, 4>),
    SHARED_ATOMIC("shared atom cas, 4 words", int, atomic_shared_result<Op::Swap, int, 4>),
    SHARED_ATOMIC("shared atom cas 64, 32 words", unsigned long long,
                  atomic_shared_result<Op::Swap, unsigned long long, 32>),
    SHARED_ATOMIC("shared atom exch 64, 8 words", unsigned long long,
                  atomic_shared_result<Op::Exchange, unsigned long long, 8>),
    CASE("red max, uneven, side by side", reduce_uneven<1>, b.counter<unsigned>()),
    CASE("red max, uneven, apart", reduce_uneven<64>, b.counter<unsigned>()),
    CASE("atom long, 4 addresses", atomic_long, b.counter<unsigned long long>(),
         b.output<unsigned long long>()),
    {"copy async 8 stride 2",
     [](const Buffers&
            b) { copy_async_8<<<kBlocks, kThreads, kShared>>>(b.in, b.output<unsigned>()); }},
    {"copy async 16, even lanes",
     [](const Buffers&
            b) { copy_async_some<<<kBlocks, kThreads, kShared>>>(b.in, b.output<unsigned>()); }},
    SHARED_CASE("cluster load", far_shared<Far::Load>),
    SHARED_CASE("cluster store", far_shared<Far::Store>),
    SHARED_CASE("cluster atomic", far_shared<Far::Add>),
};

// For the test of what is written of a launch that fails.
int fail(const Buffers& b) {
  kCases[0].run(b);
  fault<<<kBlocks, kThreads>>>(nullptr, b.output<int>());
  return cudaDeviceSynchronize() == cudaSuccess ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--fail") == 0) return fail(Buffers());
  const Buffers buffers;
  for (const Case& c : kCases) {
    c.run(buffers);
    check(cudaGetLastError(), c.name);
    check(cudaDeviceSynchronize(), c.name);
    std::puts(c.name);
  }
}
