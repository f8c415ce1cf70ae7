// SPDX-License-Identifier: MIT
// Kernels, copies and fills of two devices against each other: needs two of them. See streams.cu.
#pragma once

#include "things.cuh"

// The last element of an array is a flag.
__device__ void raise_word(int* words) {
  __threadfence_system();
  *static_cast<volatile int*>(words + kN - 1) = 1;
}
__device__ void wait_for_word(int* words) {
  while (*static_cast<volatile int*>(words + kN - 1) == 0) {
  }
}
__global__ void give(int* words) { raise_word(words); }
__global__ void take(int* words) {
  wait_for_word(words);
  __threadfence_system();
}
__global__ void take_without_a_fence(int* words) { wait_for_word(words); }
__global__ void take_and_add(int* words, const int* a, int* b) {
  wait_for_word(words);
  __threadfence_system();
  b[threadIdx.x] = a[threadIdx.x] + 1;
}
__global__ void put_and_give(int* a, int* words) {
  a[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 0) raise_word(words);
}
__global__ void wait_for_the_host(volatile int* word) {
  while (*word == 0) {
  }
}

// While one lives, calls go to the second device.
struct There {
  There() { cudaSetDevice(1); }
  ~There() { cudaSetDevice(0); }
};

inline void zero_words(Things& t) {
  cudaMemset(t.words, 0, kBytes);
  cudaDeviceSynchronize();
}

// ---- two kernels

void far_kernels_racy(Things& t) {
  run_put(t.a, t.first);
  const There there;
  run_add(t.a, t.far_b, t.far);
}
void far_default_streams_racy(Things& t) {
  run_put(t.a, nullptr);
  const There there;
  run_add(t.a, t.far_b, nullptr);
}
void far_event_between(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  const There there;
  cudaStreamWaitEvent(t.far, t.event);
  run_add(t.a, t.far_b, t.far);
}
void far_host_between(Things& t) {
  run_put(t.a, t.first);
  cudaStreamSynchronize(t.first);
  const There there;
  run_add(t.a, t.far_b, t.far);
}
void far_host_waits_for_the_wrong_device_racy(Things& t) {
  run_put(t.a, t.first);
  const There there;
  cudaDeviceSynchronize();
  run_add(t.a, t.far_b, t.far);
}
void far_own_memory(Things& t) {
  run_put(t.a, t.first);
  const There there;
  run_put(t.far_b, t.far);
}

// ---- copies and fills

void far_copy_of_what_is_written_racy(Things& t) {
  run_put(t.a, t.first);
  const There there;
  cudaMemcpyPeerAsync(t.far_b, 1, t.a, 0, kBytes, t.far);
}
void far_copy_behind_the_event(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  const There there;
  cudaStreamWaitEvent(t.far, t.event);
  cudaMemcpyPeerAsync(t.far_b, 1, t.a, 0, kBytes, t.far);
}
void far_copy_not_waited_for_racy(Things& t) {
  cudaMemcpyPeerAsync(t.far_b, 1, t.a, 0, kBytes, t.first);
  const There there;
  run_add(t.far_b, t.far_c, t.far);
}
void far_copy_waited_for(Things& t) {
  cudaMemcpyPeerAsync(t.far_b, 1, t.a, 0, kBytes, t.first);
  cudaStreamSynchronize(t.first);
  const There there;
  run_add(t.far_b, t.far_c, t.far);
}
void far_two_copies_racy(Things& t) {
  cudaMemcpyPeerAsync(t.far_b, 1, t.a, 0, kBytes, t.first);
  const There there;
  cudaMemcpyAsync(t.far_b, t.far_c, kBytes, cudaMemcpyDeviceToDevice, t.far);
}
void far_fill_racy(Things& t) {
  run_put(t.far_b, t.first);
  const There there;
  cudaMemsetAsync(t.far_b, 0, kBytes, t.far);
}
void far_fill_behind_the_event(Things& t) {
  run_put(t.far_b, t.first);
  cudaEventRecord(t.event, t.first);
  const There there;
  cudaStreamWaitEvent(t.far, t.event);
  cudaMemsetAsync(t.far_b, 0, kBytes, t.far);
}

// ---- what a flag passes on

// All that comes before a kernel comes before the flag that it raises.
void far_kernel_before_the_giver(Things& t) {
  zero_words(t);
  run_put(t.a, t.first);
  give<<<1, 1, 0, t.first>>>(t.words);
  const There there;
  take_and_add<<<1, 32, 0, t.far>>>(t.words, t.a, t.far_b);
}
void far_kernel_beside_the_giver_racy(Things& t) {
  zero_words(t);
  run_put(t.a, t.apart);
  give<<<1, 1, 0, t.first>>>(t.words);
  const There there;
  take_and_add<<<1, 32, 0, t.far>>>(t.words, t.a, t.far_b);
}
void far_copy_before_the_giver(Things& t) {
  zero_words(t);
  cudaMemsetAsync(t.a, 0, kBytes, t.first);
  give<<<1, 1, 0, t.first>>>(t.words);
  const There there;
  take_and_add<<<1, 32, 0, t.far>>>(t.words, t.a, t.far_b);
}
void far_copy_beside_the_giver_racy(Things& t) {
  zero_words(t);
  cudaMemsetAsync(t.a, 0, kBytes, t.apart);
  give<<<1, 1, 0, t.first>>>(t.words);
  const There there;
  take_and_add<<<1, 32, 0, t.far>>>(t.words, t.a, t.far_b);
}
// All that a kernel has heard comes before what is behind it.
void far_copy_behind_the_taker(Things& t) {
  zero_words(t);
  {
    const There there;
    take<<<1, 1, 0, t.far>>>(t.words);
    cudaMemcpyPeerAsync(t.far_b, 1, t.a, 0, 32 * sizeof(int), t.far);
  }
  put_and_give<<<1, 32, 0, t.first>>>(t.a, t.words);
}
void far_copy_behind_a_taker_without_a_fence_racy(Things& t) {
  zero_words(t);
  {
    const There there;
    take_without_a_fence<<<1, 1, 0, t.far>>>(t.words);
    cudaMemcpyPeerAsync(t.far_b, 1, t.a, 0, 32 * sizeof(int), t.far);
  }
  put_and_give<<<1, 32, 0, t.first>>>(t.a, t.words);
}
void far_kernel_behind_the_taker(Things& t) {
  zero_words(t);
  {
    const There there;
    take<<<1, 1, 0, t.far>>>(t.words);
    add<<<1, 32, 0, t.far>>>(t.a, t.far_b);
  }
  put_and_give<<<1, 32, 0, t.first>>>(t.a, t.words);
}
void far_kernel_beside_the_taker_racy(Things& t) {
  zero_words(t);
  put_and_give<<<1, 32, 0, t.first>>>(t.a, t.words);
  const There there;
  take<<<1, 1, 0, t.far>>>(t.words);
  add<<<1, 32, 0, t.far_apart>>>(t.a, t.far_b);
}

// ---- work that waits to be begun: what counts is when it was submitted

// The second kernel is behind one that waits, and was submitted before the host had waited for the other device. (The one
// that waits hears of that, but has no fence.)
void far_submitted_before_the_wait_racy(Things& t) {
  zero_words(t);
  take_without_a_fence<<<1, 1, 0, t.first>>>(t.words);
  run_add(t.far_b, t.b, t.first);
  const There there;
  run_put(t.far_b, t.far);
  cudaStreamSynchronize(t.far);
  give<<<1, 1, 0, t.far_apart>>>(t.words);
}
void far_submitted_behind_the_wait(Things& t) {
  zero_words(t);
  take_without_a_fence<<<1, 1, 0, t.first>>>(t.words);
  cudaSetDevice(1);
  run_put(t.far_b, t.far);
  cudaStreamSynchronize(t.far);
  cudaSetDevice(0);
  run_add(t.far_b, t.b, t.first);
  const There there;
  give<<<1, 1, 0, t.far_apart>>>(t.words);
}
// A wait is for the record that was there when it was submitted, not for the one that comes while it is held up.
void far_event_recorded_again_racy(Things& t) {
  zero_words(t);
  run_put(t.b, t.first);
  cudaEventRecord(t.event, t.first);
  cudaSetDevice(1);
  take<<<1, 1, 0, t.far>>>(t.words);
  cudaStreamWaitEvent(t.far, t.event);
  run_add(t.a, t.far_b, t.far);
  cudaSetDevice(0);
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  give<<<1, 1, 0, t.apart>>>(t.words);
}
void far_event_recorded_once(Things& t) {
  zero_words(t);
  run_put(t.b, t.first);
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  cudaSetDevice(1);
  take<<<1, 1, 0, t.far>>>(t.words);
  cudaStreamWaitEvent(t.far, t.event);
  run_add(t.a, t.far_b, t.far);
  cudaSetDevice(0);
  give<<<1, 1, 0, t.apart>>>(t.words);
}
// The host lets a kernel go on that is under way.
void far_host_raises_a_flag(Things& t) {
  t.pinned[0] = 0;
  const There there;
  wait_for_the_host<<<1, 1, 0, t.far>>>(t.pinned);
  *static_cast<volatile int*>(t.pinned) = 1;
}

// ---- launches that end otherwise than by returning, while those of the other device run

// The kernel that waits is left where it is.
void far_reset_while_it_waits(Things& t) {
  zero_words(t);
  {
    const There there;
    take<<<1, 32, 0, t.far>>>(t.words);
    cudaDeviceReset();
  }
  run_put(t.a, t.first);
  run_add(t.a, t.b, t.first);
}
__global__ void wait_and_leave_memory(int* words) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  wait_for_word(words);
  words[1 << 28] = s[threadIdx.x];
}
// One device fails while the other one waits; what that does then is looked at as before.
void far_failure_beside_it_racy(Things& t) {
  zero_words(t);
  {
    const There there;
    wait_and_leave_memory<<<2, 32, 0, t.far>>>(t.words);
    run_add(t.a, t.far_b, t.far_apart);
  }
  run_put(t.a, t.first);
  give<<<1, 1, 0, t.first>>>(t.words);
  {
    const There there;
    cudaDeviceSynchronize();
    cudaDeviceReset();
    cudaDeviceEnablePeerAccess(0, 0);
    run_add(t.a, t.b, nullptr);
  }
  run_put(t.b, t.first);
}

// ---- graphs of two devices

void run_far_graph(Things& t, bool ordered) {
  zero_words(t);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(t.apart, cudaStreamCaptureModeRelaxed);
  run_put(t.a, t.apart);
  give<<<1, 1, 0, t.apart>>>(t.words);
  cudaStreamEndCapture(t.apart, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  {
    const There there;
    if (ordered) {
      take_and_add<<<1, 32, 0, t.far>>>(t.words, t.a, t.far_b);
    } else {
      run_add(t.a, t.far_b, t.far);
    }
  }
  cudaGraphLaunch(exec, t.apart);
  cudaStreamSynchronize(t.apart);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}
void far_graph_raises_the_flag(Things& t) { run_far_graph(t, true); }
void far_graph_beside_a_kernel_racy(Things& t) { run_far_graph(t, false); }
