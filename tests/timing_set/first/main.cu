// SPDX-License-Identifier: MIT
// The kernels that the modelled time is learned from (scripts/timing_set.py). Those that it is judged by are in unseen.
#include "../program.cuh"
#include "atomics.cuh"
#include "axis.cuh"
#include "banks.cuh"
#include "batched.cuh"
#include "bodies.cuh"
#include "chance.cuh"
#include "compact.cuh"
#include "convolution.cuh"
#include "dot.cuh"
#include "fractal.cuh"
#include "gather.cuh"
#include "graph.cuh"
#include "hash.cuh"
#include "histogram.cuh"
#include "latency.cuh"
#include "local.cuh"
#include "lookup.cuh"
#include "matvec.cuh"
#include "normalise.cuh"
#include "product.cuh"
#include "rounds.cuh"
#include "scan.cuh"
#include "sort.cuh"
#include "sparse.cuh"
#include "stencil.cuh"
#include "stream.cuh"
#include "strided.cuh"
#include "transpose.cuh"
#include "uneven.cuh"
#include "units.cuh"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  TIMING_SET_FAMILY(stream);
  TIMING_SET_FAMILY(strided);
  TIMING_SET_FAMILY(transpose);
  TIMING_SET_FAMILY(product);
  TIMING_SET_FAMILY(stencil);
  TIMING_SET_FAMILY(histogram);
  TIMING_SET_FAMILY(scan);
  TIMING_SET_FAMILY(gather);
  TIMING_SET_FAMILY(sparse);
  TIMING_SET_FAMILY(normalise);
  TIMING_SET_FAMILY(bodies);
  TIMING_SET_FAMILY(fractal);
  TIMING_SET_FAMILY(sort);
  TIMING_SET_FAMILY(dot);
  TIMING_SET_FAMILY(compact);
  TIMING_SET_FAMILY(matvec);
  TIMING_SET_FAMILY(hash);
  TIMING_SET_FAMILY(chance);
  TIMING_SET_FAMILY(axis);
  TIMING_SET_FAMILY(convolution);
  TIMING_SET_FAMILY(graph);
  TIMING_SET_FAMILY(batched);
  TIMING_SET_FAMILY(uneven);
  TIMING_SET_FAMILY(latency);
  TIMING_SET_FAMILY(atomics);
  TIMING_SET_FAMILY(units);
  TIMING_SET_FAMILY(banks);
  TIMING_SET_FAMILY(local);
  TIMING_SET_FAMILY(rounds);
  TIMING_SET_FAMILY(lookup);
  return timing_set::program(kernels, argc, argv);
}
