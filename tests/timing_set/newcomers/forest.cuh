// SPDX-License-Identifier: MIT
// Inference with a random forest of 32 trees: a thread per sample that follows child pointers
// through trees of uneven depth; complete trees that a block brings to shared memory one by one,
// with features in columns; a warp per sample with a tree per lane; and a classifier on features of
// a byte, whose groups of trees vote by atomics.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kForestTrees = 32, kForestFeatures = 32, kForestDepth = 7;
constexpr unsigned kForestInner = (1u << kForestDepth) - 1, kForestLeaves = 1u << kForestDepth;
constexpr unsigned kForestNever = 255;  // no feature exceeds it: what is below goes left
constexpr unsigned kForestClasses = 4, kForestGroup = 8, kForestGrain = 1024;

struct ForestSplit {
  int feature;
  float threshold;
};

struct ForestNode {
  float threshold;
  int feature;  // negative in a leaf
  int left, right;
  float value;
};

__global__ void forest_nodes(const float* x, const ForestNode* nodes, const int* roots, float* out,
                             unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned tree = 0; tree < kForestTrees; ++tree) {
    int at = roots[tree];
    while (nodes[at].feature >= 0) {
      if (x[i * kForestFeatures + nodes[at].feature] > nodes[at].threshold)
        at = nodes[at].right;
      else
        at = nodes[at].left;
    }
    sum += nodes[at].value;
  }
  out[i] = sum / kForestTrees;
}

__global__ void __launch_bounds__(128)
    forest_shared(const float* __restrict__ columns, const ForestSplit* __restrict__ splits,
                  const float* __restrict__ leaves, float* __restrict__ out, unsigned n) {
  __shared__ ForestSplit split[kForestInner];
  __shared__ float leaf[kForestLeaves];
  const unsigned i = thread_number();
  float sum = 0;
  for (unsigned tree = 0; tree < kForestTrees; ++tree) {
    __syncthreads();
    for (unsigned k = threadIdx.x; k < kForestInner; k += blockDim.x)
      split[k] = splits[tree * kForestInner + k];
    leaf[threadIdx.x] = leaves[tree * kForestLeaves + threadIdx.x];
    __syncthreads();
    if (i < n) {
      unsigned k = 0;
      for (unsigned d = 0; d < kForestDepth; ++d) {
        const ForestSplit s = split[k];
        k = 2 * k + 1 + (columns[s.feature * n + i] > s.threshold);
      }
      sum += leaf[k - kForestInner];
    }
  }
  if (i < n) out[i] = sum / kForestTrees;
}

// Node k of all trees lie side by side, so that the first levels of the lanes' walks are together.
__global__ void forest_warp(const float* __restrict__ x, const ForestSplit* __restrict__ splits,
                            const float* __restrict__ leaves, float* __restrict__ out, unsigned n) {
  const unsigned lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = thread_number() / 32; i < n; i += warps) {
    const float mine = x[i * kForestFeatures + lane];
    unsigned k = 0;
#pragma unroll
    for (unsigned d = 0; d < kForestDepth; ++d) {
      const ForestSplit s = splits[k * kForestTrees + lane];
      k = 2 * k + 1 + (__shfl_sync(kAll, mine, s.feature) > s.threshold);
    }
    const float sum = warp_sum(leaves[(k - kForestInner) * kForestTrees + lane]);
    if (lane == 0) out[i] = sum / kForestTrees;
  }
}

__global__ void forest_votes(const unsigned char* x, const uchar2* splits,
                             const unsigned char* classes, int* votes, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned char* row = x + i * kForestFeatures;
  for (unsigned j = 0; j < kForestGroup; ++j) {
    const unsigned tree = blockIdx.y * kForestGroup + j;
    unsigned k = 0;
    while (k < kForestInner) {
      const uchar2 s = splits[tree * kForestInner + k];
      k = 2 * k + (row[s.x] > s.y ? 2 : 1);
    }
    atomicAdd(&votes[i * kForestClasses + classes[tree * kForestLeaves + k - kForestInner]], 1);
  }
}

// Of tree t, node k: x is the feature and y the threshold, of features that are bytes.
inline uchar2 forest_split(unsigned tree, unsigned k) {
  const unsigned r = mixed(tree * 4099 + k);
  bool stopped = k >= 7 && r % 6 == 0;
  for (unsigned up = k; up >= 7 && !stopped; up = (up - 1) / 2)
    stopped = mixed(tree * 4099 + up) % 6 == 0;
  const unsigned threshold = stopped ? kForestNever : 64 + (r >> 8) % 128;
  return make_uchar2((r >> 20) % kForestFeatures, static_cast<unsigned char>(threshold));
}
inline unsigned forest_leaf(unsigned tree, unsigned k) {
  return mixed(tree * 131 + k + 77777) % kForestGrain;
}
inline unsigned char forest_feature(unsigned i) { return mixed(i + 12345) & 255; }

inline unsigned forest_reached(unsigned sample, unsigned tree) {
  unsigned k = 0;
  while (k < kForestInner) {
    const uchar2 s = forest_split(tree, k);
    k = 2 * k + (forest_feature(sample * kForestFeatures + s.x) > s.y ? 2 : 1);
  }
  return forest_leaf(tree, k - kForestInner);
}
inline double forest_mean(unsigned sample) {
  double sum = 0;
  for (unsigned tree = 0; tree < kForestTrees; ++tree) sum += forest_reached(sample, tree);
  return sum / kForestGrain / kForestTrees;
}

inline int forest_grow(unsigned tree, unsigned k, std::vector<ForestNode>& nodes) {
  const int at = static_cast<int>(nodes.size());
  nodes.push_back({0, -1, 0, 0, 0});
  if (k >= kForestInner || forest_split(tree, k).y == kForestNever) {
    while (k < kForestInner) k = 2 * k + 1;
    nodes[at].value = float(forest_leaf(tree, k - kForestInner)) / kForestGrain;
    return at;
  }
  const uchar2 s = forest_split(tree, k);
  const int left = forest_grow(tree, 2 * k + 1, nodes);
  const int right = forest_grow(tree, 2 * k + 2, nodes);
  nodes[at] = {s.y / 256.0f, s.x, left, right, 0};
  return at;
}

inline Shared<float> forest_rows(unsigned n) {
  return array<float>(std::size_t(n) * kForestFeatures,
                      [](unsigned i) { return forest_feature(i) / 256.0f; });
}
// Trees one after the other, or side by side.
inline Shared<ForestSplit> forest_splits(bool beside) {
  return array<ForestSplit>(kForestTrees * kForestInner, [=](unsigned i) {
    const uchar2 s = beside ? forest_split(i % kForestTrees, i / kForestTrees)
                            : forest_split(i / kForestInner, i % kForestInner);
    return ForestSplit{s.x, s.y / 256.0f};
  });
}
inline Shared<float> forest_leaves(bool beside) {
  return array<float>(kForestTrees * kForestLeaves, [=](unsigned i) {
    const unsigned leaf = beside ? forest_leaf(i % kForestTrees, i / kForestTrees)
                                 : forest_leaf(i / kForestLeaves, i % kForestLeaves);
    return float(leaf) / kForestGrain;
  });
}

inline Problem forest_nodes_problem(unsigned n) {
  std::vector<ForestNode> grown;
  std::vector<int> starts;
  for (unsigned tree = 0; tree < kForestTrees; ++tree)
    starts.push_back(forest_grow(tree, 0, grown));
  auto nodes = array(std::move(grown));
  auto roots = array(std::move(starts));
  auto x = forest_rows(n);
  auto out = room<float>(n);
  return Problem{[=] {
                   forest_nodes<<<blocks_of(n), kBlock>>>(x->data(), nodes->data(), roots->data(),
                                                          out->data(), n);
                 },
                 [=] { return agrees(out, forest_mean); }};
}

inline Problem forest_shared_problem(unsigned n) {
  auto columns = array<float>(std::size_t(n) * kForestFeatures, [n](unsigned i) {
    return forest_feature(i % n * kForestFeatures + i / n) / 256.0f;
  });
  auto splits = forest_splits(false);
  auto leaves = forest_leaves(false);
  auto out = room<float>(n);
  return Problem{[=] {
                   forest_shared<<<blocks_of(n, 128), 128>>>(columns->data(), splits->data(),
                                                             leaves->data(), out->data(), n);
                 },
                 [=] { return agrees(out, forest_mean); }};
}

inline Problem forest_warp_problem(unsigned n) {
  auto x = forest_rows(n);
  auto splits = forest_splits(true);
  auto leaves = forest_leaves(true);
  auto out = room<float>(n);
  return Problem{[=] {
                   forest_warp<<<std::min(blocks_of(n, 8), 528u), 256>>>(
                       x->data(), splits->data(), leaves->data(), out->data(), n);
                 },
                 [=] { return agrees(out, forest_mean); }};
}

inline Problem forest_votes_problem(unsigned n) {
  auto x = array<unsigned char>(std::size_t(n) * kForestFeatures, forest_feature);
  auto splits = array<uchar2>(kForestTrees * kForestInner, [](unsigned i) {
    return forest_split(i / kForestInner, i % kForestInner);
  });
  auto classes = array<unsigned char>(kForestTrees * kForestLeaves, [](unsigned i) {
    return forest_leaf(i / kForestLeaves, i % kForestLeaves) % kForestClasses;
  });
  auto votes = room<int>(n * kForestClasses);
  clear(votes);
  return Problem{
      [=] {
        const dim3 grid(blocks_of(n, 512), kForestTrees / kForestGroup);
        forest_votes<<<grid, 512>>>(x->data(), splits->data(), classes->data(), votes->data(), n);
      },
      [=] {
        return agrees(votes, [](unsigned i) {
          int count = 0;
          for (unsigned tree = 0; tree < kForestTrees; ++tree)
            count +=
                forest_reached(i / kForestClasses, tree) % kForestClasses == i % kForestClasses;
          return count;
        });
      },
      [=] { clear(votes); }};
}

inline void add_forest(Set& set) {
  const std::vector<unsigned> sizes = {900, 15000, 200003};  // samples
  set.add("forest_nodes", sizes, forest_nodes_problem);
  set.add("forest_shared", sizes, forest_shared_problem);
  set.add("forest_warp", sizes, forest_warp_problem);
  set.add("forest_votes", sizes, forest_votes_problem);
}

}  // namespace timing_set
