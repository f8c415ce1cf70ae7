// SPDX-License-Identifier: MIT
// One step after the other that needs the one before: by a warp alone, and by as many as there is room for.
#include "families.hpp"
#include "step.cuh"

namespace timing_set {
namespace {

template <class Step>
__global__ void steps(const float* table, float* out, unsigned rounds) {
  __shared__ float shared[288];
  for (unsigned i = threadIdx.x; i < 288; i += blockDim.x) shared[i] = table[i % 32];
  __syncthreads();
  const Steps s = {table, shared, threadIdx.x % 32};
  float x = 1 + static_cast<float>(threadIdx.x % 32) / 64;
  for (unsigned k = 0; k < rounds; ++k) x = Step::go(x, s, k);
  __syncthreads();
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

// A thread begins with what its number in the block says. Only sums by atomics depend on an order.
bool every_block_found_the_same(const std::vector<float>& found, unsigned threads) {
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!near(found[i], found[i % threads], 1e-3)) return false;
  return true;
}

std::function<Problem(unsigned)> problem(void (*kernel)(const float*, float*, unsigned),
                                         unsigned blocks, unsigned threads) {
  return [=](unsigned rounds) {
    auto table = uniform(kTable, 3);
    auto out = room<float>(static_cast<std::size_t>(blocks) * threads);
    return Problem{[=] { kernel<<<blocks, threads>>>(table->data(), out->data(), rounds); },
                   [=] { return every_block_found_the_same(out->device.download(), threads); }};
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
