// SPDX-License-Identifier: MIT
// Runs litmus shapes under many seeds and prints what came out of each. One kernel interprets them all, so that a shape
// is a line of data and costs no compilation: check_litmus.py writes the lines, from shapes.txt.
//
//   litmus FILE
//   FILE: per shape  blocks warps cluster seeds threads, per thread  block warp lane count, per operation
//         kind order scope place value value            (numbers, as in the enumerations below)
//   out:  per shape and outcome  shape count value ...  (what each thread read, in order; x y z at the end)
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#define CHECK_CUDA(call)                                                  \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (false)

constexpr int kThreads = 4, kOps = 8, kWords = 6, kReads = 8;
constexpr int kStride = 32;  // words of a test are far from each other

enum Kind {
  kRead,
  kWrite,
  kAdd,
  kExchange,
  kCompare,
  kFence,
  kBlockBarrier,
  kWarpBarrier,
  kCluster
};
enum Order { kWeak, kRelaxed, kAcquire, kRelease, kAcqRel, kSc, kVolatile };

struct Op {
  int kind, order, scope, place;
  int values[2];  // from 10 on: what the thread read as number value - 10
};
struct Thread {
  int block, warp, lane, count;
  Op ops[kOps];
};
struct Shape {
  int blocks, warps, cluster, seeds, threads;
  Thread thread[kThreads];
};

// In constant memory, which no other thread can change: reading it is no step of the schedule.
__constant__ Shape shape;
__device__ int words[3 * kStride];
__device__ int results[kThreads * kReads];

#define FOR_SCOPES(DO, order, name) \
  DO(order, 0, name ".cta")         \
  DO(order, 1, name ".cluster")     \
  DO(order, 2, name ".gpu")         \
  DO(order, 3, name ".sys")
#define CASE(order, scope, body) \
  case order * 4 + scope:        \
    body;                        \
    break;

__device__ int read(int* p, int order, int scope) {
  int v = 0;
#define LOAD(order, scope, name) \
  CASE(order, scope, asm volatile("ld" name ".u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"))
  switch (order * 4 + scope) {
    LOAD(kWeak, 3, "")
    LOAD(kVolatile, 3, ".volatile")
    FOR_SCOPES(LOAD, kRelaxed, ".relaxed")
    FOR_SCOPES(LOAD, kAcquire, ".acquire")
    default:
      __trap();
  }
  return v;
}

__device__ void write(int* p, int order, int scope, int v) {
#define STORE(order, scope, name) \
  CASE(order, scope, asm volatile("st" name ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"))
  switch (order * 4 + scope) {
    STORE(kWeak, 3, "")
    STORE(kVolatile, 3, ".volatile")
    FOR_SCOPES(STORE, kRelaxed, ".relaxed")
    FOR_SCOPES(STORE, kRelease, ".release")
    default:
      __trap();
  }
}

template <int kKind>
__device__ int change(int* p, int order, int scope, int a, int b) {
  int v = 0;
#define CHANGE(order, scope, name)                                                               \
  CASE(order, scope,                                                                             \
       if constexpr (kKind == kAdd) asm volatile("atom" name ".add.u32 %0, [%1], %2;"            \
                                                 : "=r"(v)                                       \
                                                 : "l"(p), "r"(a)                                \
                                                 : "memory");                                    \
       else if constexpr (kKind == kExchange) asm volatile("atom" name ".exch.b32 %0, [%1], %2;" \
                                                           : "=r"(v)                             \
                                                           : "l"(p), "r"(a)                      \
                                                           : "memory");                          \
       else asm volatile("atom" name ".cas.b32 %0, [%1], %2, %3;"                                \
                         : "=r"(v)                                                               \
                         : "l"(p), "r"(a), "r"(b)                                                \
                         : "memory"))
  switch (order * 4 + scope) {
    FOR_SCOPES(CHANGE, kRelaxed, ".relaxed")
    FOR_SCOPES(CHANGE, kAcquire, ".acquire")
    FOR_SCOPES(CHANGE, kRelease, ".release")
    FOR_SCOPES(CHANGE, kAcqRel, ".acq_rel")
    default:
      __trap();
  }
  return v;
}

__device__ void fence(int order, int scope) {
#define FENCE(order, scope, name) CASE(order, scope, asm volatile("fence" name ";" ::: "memory"))
  switch (order * 4 + scope) {
    FOR_SCOPES(FENCE, kAcqRel, ".acq_rel")
    FOR_SCOPES(FENCE, kSc, ".sc")
    default:
      __trap();
  }
}

// Barriers count all threads, so that lanes which have no part of the shape take part in those of
// the first thread of their warp.
__device__ void barrier(int kind) {
  if (kind == kBlockBarrier) {
    asm volatile("barrier.sync 0;" ::: "memory");
  } else if (kind == kWarpBarrier) {
    __syncwarp();
  } else if (kind == kCluster) {
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  }
}

__global__ void run() {
  __shared__ int near[3 * kStride];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int me = -1, like = -1;
  for (int t = shape.threads - 1; t >= 0; --t) {
    if (shape.thread[t].block != blockIdx.x || shape.thread[t].warp != warp) continue;
    like = t;
    if (shape.thread[t].lane == lane) me = t;
  }
  if (threadIdx.x < 3) near[threadIdx.x * kStride] = 0;
  __syncthreads();
  int read_values[kReads] = {}, reads = 0;
  const Thread& mine = shape.thread[me >= 0 ? me : like >= 0 ? like : 0];
  for (int i = 0; i < mine.count; ++i) {
    const Op& op = mine.ops[i];
    // A warp that has no thread of the shape keeps the others company at barriers of the cluster.
    if (op.kind >= kBlockBarrier) {
      if (like >= 0 || op.kind == kCluster) barrier(op.kind);
      continue;
    }
    if (me < 0) continue;
    int* const p = op.place < 3 ? words + op.place * kStride : near + (op.place - 3) * kStride;
    const int a = op.values[0] < 10 ? op.values[0] : read_values[op.values[0] - 10];
    const int b = op.values[1] < 10 ? op.values[1] : read_values[op.values[1] - 10];
    switch (op.kind) {
      case kRead:
        read_values[reads++] = read(p, op.order, op.scope);
        break;
      case kWrite:
        write(p, op.order, op.scope, a);
        break;
      case kAdd:
        read_values[reads++] = change<kAdd>(p, op.order, op.scope, a, b);
        break;
      case kExchange:
        read_values[reads++] = change<kExchange>(p, op.order, op.scope, a, b);
        break;
      case kCompare:
        read_values[reads++] = change<kCompare>(p, op.order, op.scope, a, b);
        break;
      default:
        fence(op.order, op.scope);
    }
  }
  if (me < 0) return;
  for (int i = 0; i < reads; ++i) results[me * kReads + i] = read_values[i];
}

// ---- the host

bool number(FILE* file, int& value) { return std::fscanf(file, "%d", &value) == 1; }

bool next_shape(FILE* file, Shape& s) {
  s = {};
  if (!number(file, s.blocks)) return false;
  bool good = number(file, s.warps) && number(file, s.cluster) && number(file, s.seeds) &&
              number(file, s.threads) && s.threads <= kThreads;
  for (int t = 0; good && t < s.threads; ++t) {
    Thread& thread = s.thread[t];
    good = number(file, thread.block) && number(file, thread.warp) && number(file, thread.lane) &&
           number(file, thread.count) && thread.count <= kOps;
    for (int i = 0; good && i < thread.count; ++i) {
      Op& op = thread.ops[i];
      good = number(file, op.kind) && number(file, op.order) && number(file, op.scope) &&
             number(file, op.place) && number(file, op.values[0]) && number(file, op.values[1]) &&
             op.place < kWords;
    }
  }
  if (!good) {
    std::fprintf(stderr, "a line is no shape\n");
    std::exit(2);
  }
  return true;
}

using Outcome = std::vector<int>;

Outcome run_once(const Shape& s) {
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(s.cluster), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = s.blocks;
  config.blockDim = 32 * s.warps;
  config.attrs = &cluster;
  config.numAttrs = s.cluster > 1;
  const int zeros[3 * kStride] = {};
  CHECK_CUDA(cudaMemcpyToSymbol(words, zeros, sizeof(zeros)));
  CHECK_CUDA(cudaLaunchKernelEx(&config, run));
  int left[3 * kStride], read[kThreads * kReads];
  CHECK_CUDA(cudaMemcpyFromSymbol(left, words, sizeof(left)));
  CHECK_CUDA(cudaMemcpyFromSymbol(read, results, sizeof(read)));
  Outcome outcome;
  for (int t = 0; t < s.threads; ++t) {
    int reads = 0;
    for (int i = 0; i < s.thread[t].count; ++i)
      reads += s.thread[t].ops[i].kind <= kCompare && s.thread[t].ops[i].kind != kWrite;
    outcome.insert(outcome.end(), read + t * kReads, read + t * kReads + reads);
  }
  for (int w = 0; w < 3; ++w) outcome.push_back(left[w * kStride]);
  return outcome;
}

int main(int argc, char** argv) {
  FILE* const file = argc == 2 ? std::fopen(argv[1], "r") : nullptr;
  if (!file) {
    std::fprintf(stderr, "usage: litmus FILE\n");
    return 2;
  }
  Shape s;
  for (int number = 0; next_shape(file, s); ++number) {
    CHECK_CUDA(cudaMemcpyToSymbol(shape, &s, sizeof(s)));
    std::map<Outcome, int> seen;
    for (int seed = 1; seed <= s.seeds; ++seed) {
      // The emulator reads it at every launch; a GPU chooses for itself.
      const std::string schedule = (seed % 4 ? "random:" : "pct:") + std::to_string(seed);
      setenv("WARPLADDER_SCHEDULE", schedule.c_str(), 1);
      ++seen[run_once(s)];
    }
    for (const auto& [outcome, count] : seen) {
      std::printf("%d %d", number, count);
      for (const int value : outcome) std::printf(" %d", value);
      std::printf("\n");
    }
  }
  std::fclose(file);
  return 0;
}
