// SPDX-License-Identifier: MIT
// One step after the other that needs the one before: by a warp alone, and by as many as there is room for.
#include "families.hpp"

namespace timing_set {
namespace {

constexpr unsigned kTable = 1024;

struct Steps {
  const float* table;
  float* shared;  // a word for each thread of the block, and 32 more
  unsigned lane;
};

#define STEP(name, ...)                                                  \
  struct name {                                                          \
    static __device__ float go(float x, [[maybe_unused]] const Steps& s, \
                               [[maybe_unused]] unsigned k) {            \
      __VA_ARGS__                                                        \
    }                                                                    \
  }
STEP(Product, return x * 0.9f + 0.5f;);
STEP(UniformWord, return x * 0.5f + s.table[k % kTable];);
STEP(UniformFour, const float4 t = reinterpret_cast<const float4*>(s.table)[k % (kTable / 4)];
     return x * t.x + t.y + t.z + t.w;);
STEP(Follow, return s.table[static_cast<unsigned>(x) % kTable] + x * 0.25f;);
STEP(SharedFollow, return s.shared[static_cast<unsigned>(x) % 32] + x * 0.25f;);
STEP(SharedHand, s.shared[threadIdx.x] = x; __syncwarp(); x = s.shared[threadIdx.x ^ 1] * 0.9f;
     __syncwarp(); return x;);
STEP(
    UniformBranch, if ((__float_as_uint(s.table[k % 32]) & 1) != 0) {
      for (int j = 0; j < 4; ++j) x = x * 0.9f + sinf(0.25f) + s.table[j + k % 32];
    } return x + 0.5f;);
STEP(
    BranchOnValue, if (x > 1) { x = 1 / x; } return x + 0.75f;);
STEP(
    BranchOnLane, if (((s.lane + k) & 3) == 0) { x = sqrtf(x) + x / 3.3f; } return x + 0.75f;);
STEP(
    TwoWays, if (((s.lane ^ k) & 1) == 0) { x = sqrtf(x) * 1.5f; } else {
      x = 1 / (x + 1);
    } return x + 0.25f;);
STEP(RootIfSome, const float t = s.table[k % kTable]; const float y = t * x - 0.4f;
     if (y <= 0 || t < 0.1f) return x; const float w = 2 * sqrtf(y);
     return w > x ? w * 0.5f + 0.1f : x;);
STEP(Root, return sqrtf(x) + 0.5f;);
STEP(Division, return 3 / (x + 0.5f););
STEP(Exponential, return expf(-x) + 0.5f;);
STEP(Logarithm, return logf(x + 2) + 0.5f;);
STEP(Sine, return sinf(x) + 1.1f;);
STEP(Power, return powf(x + 0.5f, 0.7f););
STEP(Tangent, return tanhf(x) + 0.5f;);
STEP(Shuffle, return __shfl_xor_sync(kAll, x, 1) * 0.9f + 0.5f;);
STEP(Ballot, const unsigned b = __ballot_sync(kAll, x > 1);
     return b >> s.lane & 1 ? x * 0.5f : x + 0.75f;);
STEP(LeaderWrites, const unsigned b = __ballot_sync(kAll, x > 0.9f);
     if (s.lane == __ffs(static_cast<int>(b)) - 1u) s.shared[32 + k % 8] = x;
     return x * 0.9f + 0.3f;);
STEP(Integers, const unsigned u = __float_as_uint(x);
     return __uint_as_float(((u << 3 | u >> 29) ^ (u + k)) & 0x3fffffffu););
STEP(ConvertThereAndBack, return static_cast<float>(static_cast<int>(x * 100)) * 0.009f + 0.5f;);
STEP(Remainder, return static_cast<float>((__float_as_uint(x) + 7) % (k + 3)) * 0.001f;);
STEP(RemainderSeven, return static_cast<float>((__float_as_uint(x) + k) % 7););
STEP(Barrier, s.shared[threadIdx.x] = x; __syncthreads();
     x = s.shared[(threadIdx.x + 33) % blockDim.x]; __syncthreads(); return x * 0.9f + 0.1f;);
STEP(DoubleProduct, return static_cast<float>(static_cast<double>(x) * 0.9 + 0.5););
STEP(
    WhileLanes, unsigned j = (s.lane * 7 + k) % 8; while (j > 0) {
      x = x * 0.9f + s.shared[j];
      --j;
    } return x;);
STEP(
    Switch, switch ((s.lane + k) & 3) {
      case 0:
        return sqrtf(x) + 0.5f;
      case 1:
        return x / 1.7f + 0.3f;
      case 2:
        return expf(-x) + 0.4f;
      default:
        return s.table[static_cast<unsigned>(x * 10) % kTable] + 0.3f;
    });
STEP(SharedAtomic, atomicAdd(&s.shared[(s.lane + k) % 32 + 32], x); return x * 0.9f + 0.1f;);
STEP(SharedAtomicOne, atomicAdd(&s.shared[32 + k % 2], x); return x * 0.9f + 0.1f;);
#undef STEP

template <class Step>
__global__ void steps(const float* table, float* out, unsigned rounds) {
  __shared__ float shared[288];
  for (unsigned i = threadIdx.x; i < 288; i += blockDim.x) shared[i] = table[i % 32];
  __syncthreads();
  const Steps s = {table, shared, threadIdx.x % 32};
  float x = 1 + static_cast<float>(threadIdx.x % 32) / 64;
  for (unsigned k = 0; k < rounds; ++k) x = Step::go(x, s, k);
  out[thread_number()] = x + shared[32];
}
// The smaller half of an array that a thread keeps for itself, with places that are known when it runs.
__global__ void own_array(const float* table, float* out, unsigned rounds) {
  float own[32];
  for (unsigned i = 0; i < 32; ++i) own[i] = table[i] + static_cast<float>(threadIdx.x);
  unsigned at = threadIdx.x % 32;
  float x = 0;
  for (unsigned k = 0; k < rounds; ++k) {
    x += own[at];
    own[(at + k) % 32] = x * 0.5f;
    at = (at + static_cast<unsigned>(x)) % 32;
  }
  out[thread_number()] = x;
}

std::function<Problem(unsigned)> problem(void (*kernel)(const float*, float*, unsigned),
                                         unsigned blocks, unsigned threads) {
  return [=](unsigned rounds) {
    auto table = uniform(kTable, 3);
    auto out = room<float>(static_cast<std::size_t>(blocks) * threads);
    return Problem{[=] { kernel<<<blocks, threads>>>(table->data(), out->data(), rounds); },
                   [=] { return std::isfinite(out->device.download().back()); }};
  };
}

}  // namespace

void add_steps(std::vector<Kernel>& kernels) {
  Set alone("alone", kernels), busy("busy", kernels);
  static std::vector<std::unique_ptr<std::string>> names;
  const auto add = [&](const char* name, void (*kernel)(const float*, float*, unsigned)) {
    names.push_back(std::make_unique<std::string>(std::string("alone_") + name));
    alone.add(names.back()->c_str(), {64, 512, 4096}, problem(kernel, 4, 32));
    names.push_back(std::make_unique<std::string>(std::string("busy_") + name));
    busy.add(names.back()->c_str(), {16, 64, 256}, problem(kernel, 1056, 256));
  };
#define ADD(name, step) add(name, steps<step>)
  ADD("product", Product);
  ADD("uniform_word", UniformWord);
  ADD("uniform_four", UniformFour);
  ADD("follow", Follow);
  ADD("shared_follow", SharedFollow);
  ADD("shared_hand", SharedHand);
  ADD("uniform_branch", UniformBranch);
  ADD("branch_on_value", BranchOnValue);
  ADD("branch_on_lane", BranchOnLane);
  ADD("two_ways", TwoWays);
  ADD("root_if_some", RootIfSome);
  ADD("root", Root);
  ADD("division", Division);
  ADD("exponential", Exponential);
  ADD("logarithm", Logarithm);
  ADD("sine", Sine);
  ADD("power", Power);
  ADD("tangent", Tangent);
  ADD("shuffle", Shuffle);
  ADD("ballot", Ballot);
  ADD("leader_writes", LeaderWrites);
  ADD("integers", Integers);
  ADD("convert", ConvertThereAndBack);
  ADD("remainder", Remainder);
  ADD("remainder_seven", RemainderSeven);
  ADD("barrier", Barrier);
  ADD("double_product", DoubleProduct);
  ADD("while_lanes", WhileLanes);
  ADD("switch", Switch);
  ADD("shared_atomic", SharedAtomic);
  ADD("shared_atomic_one", SharedAtomicOne);
#undef ADD
  add("own_array", own_array);
}

}  // namespace timing_set
