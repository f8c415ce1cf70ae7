// SPDX-License-Identifier: MIT
// Rows of micro: barriers of a grid and of clusters, and where the blocks of a cluster are put.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "micro_kernels.cuh"
#include "micro_work.cuh"

namespace model {

inline void record_grids(Recorder& r, Work& w) {
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

inline void record_placement(Recorder& r, int size, int blocks, int threads, int shared) {
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

inline void record_clusters(Recorder& r, Work& w) {
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

}  // namespace model
