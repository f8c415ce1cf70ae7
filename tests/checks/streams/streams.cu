// SPDX-License-Identifier: MIT
// Races between streams, copies, graphs and the host, each beside its cure. `streams NAME` runs one case; without a
// name they are listed. A racy one ends in _racy. Each must be found by one run of its own.
#include <cstdio>
#include <cstring>

#include "far.cuh"
#include "places.cuh"
#include "things.cuh"

__global__ void count(int* a) { atomicAdd(a, 1); }
__global__ void raise_flag(int* data, volatile int* flag) {
  data[0] = 1;
  __threadfence_system();
  *flag = 1;
}

// ---- two kernels

void two_streams_racy(Things& t) {
  run_put(t.a, t.first);
  run_add(t.a, t.b, t.second);
}
void one_stream(Things& t) {
  run_put(t.a, t.first);
  run_add(t.a, t.b, t.first);
}
void event_between(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  cudaStreamWaitEvent(t.second, t.event);
  run_add(t.a, t.b, t.second);
}
void event_too_early_racy(Things& t) {
  cudaEventRecord(t.event, t.first);
  run_put(t.a, t.first);
  cudaStreamWaitEvent(t.second, t.event);
  run_add(t.a, t.b, t.second);
}
void event_not_waited_racy(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  run_add(t.a, t.b, t.second);
}
void host_between(Things& t) {
  run_put(t.a, t.first);
  cudaStreamSynchronize(t.first);
  run_add(t.a, t.b, t.second);
}
void host_waits_for_another_racy(Things& t) {
  run_put(t.a, t.first);
  cudaStreamSynchronize(t.second);
  run_add(t.a, t.b, t.second);
}
void host_waits_for_the_event(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  cudaEventSynchronize(t.event);
  run_add(t.a, t.b, t.second);
}
void both_read(Things& t) {
  run_add(t.a, t.b, t.first);
  run_add(t.a, t.managed, t.second);
}
void both_write_racy(Things& t) {
  put<<<kN / 128, 128, 0, t.first>>>(t.a, 7);
  put<<<kN / 128, 128, 0, t.second>>>(t.a, 8);
}
void halves(Things& t) {
  put<<<4, 128, 0, t.first>>>(t.a, 7);
  put<<<4, 128, 0, t.second>>>(t.a + 512, 8);
}
void halves_overlap_racy(Things& t) {
  put<<<4, 128, 0, t.first>>>(t.a, 7);
  put<<<4, 128, 0, t.second>>>(t.a + 511, 8);
}
void both_count(Things& t) {
  count<<<4, 32, 0, t.first>>>(t.a);
  count<<<4, 32, 0, t.second>>>(t.a);
}
void count_and_put_racy(Things& t) {
  count<<<4, 32, 0, t.first>>>(t.a);
  put<<<1, 32, 0, t.second>>>(t.a, 3);
}
void by_way_of_a_third(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  cudaStreamWaitEvent(t.apart, t.event);
  cudaEventRecord(t.event, t.apart);
  cudaStreamWaitEvent(t.second, t.event);
  run_add(t.a, t.b, t.second);
}

// What one stream has waited for, a third one has not.
void known_to_the_second_only_racy(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  cudaStreamWaitEvent(t.second, t.event);
  run_put(t.b, t.second);
  run_add(t.a, t.managed, t.apart);
}
void known_to_the_third_too(Things& t) {
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  cudaStreamWaitEvent(t.second, t.event);
  run_put(t.b, t.second);
  cudaStreamWaitEvent(t.apart, t.event);
  run_add(t.a, t.managed, t.apart);
}

// ---- the default stream

void default_stream_waits(Things& t) {
  run_put(t.a, t.first);
  run_add(t.a, t.b, nullptr);
}
void behind_the_default_stream(Things& t) {
  run_put(t.a, nullptr);
  run_add(t.a, t.b, t.first);
}
void apart_from_the_default_stream_racy(Things& t) {
  run_put(t.a, t.apart);
  run_add(t.a, t.b, nullptr);
}
void default_stream_between(Things& t) {
  run_put(t.a, t.first);
  run_put(t.managed, nullptr);
  run_add(t.a, t.b, t.second);
}
void per_thread_stream_racy(Things& t) {
  run_put(t.a, cudaStreamPerThread);
  run_add(t.a, t.b, t.first);
}
void per_thread_stream(Things& t) {
  run_put(t.a, cudaStreamPerThread);
  run_add(t.a, t.b, cudaStreamPerThread);
}

// ---- copies and fills

void copy_on_another_stream_racy(Things& t) {
  run_put(t.a, t.first);
  cudaMemcpyAsync(t.pinned, t.a, kBytes, cudaMemcpyDeviceToHost, t.second);
}
void copy_on_the_same_stream(Things& t) {
  run_put(t.a, t.first);
  cudaMemcpyAsync(t.pinned, t.a, kBytes, cudaMemcpyDeviceToHost, t.first);
}
void kernel_before_the_copy_ends_racy(Things& t) {
  cudaMemcpyAsync(t.a, t.pinned, kBytes, cudaMemcpyHostToDevice, t.first);
  run_add(t.a, t.b, t.second);
}
void kernel_behind_the_copy(Things& t) {
  cudaMemcpyAsync(t.a, t.pinned, kBytes, cudaMemcpyHostToDevice, t.first);
  cudaEventRecord(t.event, t.first);
  cudaStreamWaitEvent(t.second, t.event);
  run_add(t.a, t.b, t.second);
}
void fill_on_another_stream_racy(Things& t) {
  run_add(t.a, t.b, t.first);
  cudaMemsetAsync(t.a, 1, kBytes, t.second);
}
void fill_behind_the_kernel(Things& t) {
  run_add(t.a, t.b, t.first);
  cudaMemsetAsync(t.a, 1, kBytes, t.first);
}
void two_copies_racy(Things& t) {
  cudaMemcpyAsync(t.a, t.pinned, kBytes, cudaMemcpyHostToDevice, t.first);
  cudaMemcpyAsync(t.b, t.a, kBytes, cudaMemcpyDeviceToDevice, t.second);
}
void two_copies_apart(Things& t) {
  cudaMemcpyAsync(t.a, t.pinned, kBytes / 2, cudaMemcpyHostToDevice, t.first);
  cudaMemcpyAsync(t.a + kN / 2, t.pinned + kN / 2, kBytes / 2, cudaMemcpyHostToDevice, t.second);
}
void plain_copy_waits(Things& t) {
  run_put(t.a, t.first);
  cudaMemcpy(t.host, t.a, kBytes, cudaMemcpyDeviceToHost);
  run_add(t.a, t.b, t.second);
}
void plain_copy_of_a_stream_apart_racy(Things& t) {
  run_put(t.a, t.apart);
  cudaMemcpy(t.host, t.a, kBytes, cudaMemcpyDeviceToHost);
}

// ---- the host

void host_reads_too_early_racy(Things& t) {
  run_put(t.managed, t.first);
  t.host[0] = t.managed[5];
}
void host_reads_after_waiting(Things& t) {
  run_put(t.managed, t.first);
  cudaDeviceSynchronize();
  t.host[0] = t.managed[5];
}
void host_writes_too_early_racy(Things& t) {
  run_add(t.managed, t.b, t.first);
  t.managed[5] = 1;
}
void host_only_reads(Things& t) {
  run_add(t.managed, t.b, t.first);
  t.host[0] = t.managed[5];
}
void host_uses_the_other_half(Things& t) {
  put<<<4, 128, 0, t.first>>>(t.managed, 1);
  t.managed[700] = 1;
}
void host_waits_for_the_wrong_stream_racy(Things& t) {
  run_put(t.managed, t.first);
  cudaStreamSynchronize(t.second);
  t.host[0] = t.managed[5];
}
void host_reads_a_copy_too_early_racy(Things& t) {
  cudaMemcpyAsync(t.pinned, t.a, kBytes, cudaMemcpyDeviceToHost, t.first);
  t.host[0] = t.pinned[5];
}
void host_reads_a_copy_later(Things& t) {
  cudaMemcpyAsync(t.pinned, t.a, kBytes, cudaMemcpyDeviceToHost, t.first);
  cudaStreamSynchronize(t.first);
  t.host[0] = t.pinned[5];
}
void host_waits_for_a_flag(Things& t) {
  t.pinned[0] = 0;
  raise_flag<<<1, 1, 0, t.first>>>(t.managed, t.pinned);
  while (*static_cast<volatile int*>(t.pinned) == 0) {
  }
  t.host[0] = t.managed[0];
}

// ---- graphs

void run_graph(Things& t, bool ordered) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(t.first, cudaStreamCaptureModeGlobal);
  cudaEventRecord(t.event, t.first);
  if (!ordered) cudaStreamWaitEvent(t.second, t.event);
  run_put(t.a, t.first);
  cudaEventRecord(t.event, t.first);
  if (ordered) cudaStreamWaitEvent(t.second, t.event);
  run_add(t.a, t.b, t.second);
  cudaEventRecord(t.event, t.second);
  cudaStreamWaitEvent(t.first, t.event);
  cudaStreamEndCapture(t.first, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, t.first);
  cudaGraphLaunch(exec, t.first);
  cudaStreamSynchronize(t.first);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}
void graph_without_an_edge_racy(Things& t) { run_graph(t, false); }
void graph_with_an_edge(Things& t) { run_graph(t, true); }

#define CASE(name) \
  { #name, name }
const struct {
  const char* name;
  void (*run)(Things&);
} kCases[] = {
    CASE(two_streams_racy),
    CASE(one_stream),
    CASE(event_between),
    CASE(event_too_early_racy),
    CASE(event_not_waited_racy),
    CASE(host_between),
    CASE(host_waits_for_another_racy),
    CASE(host_waits_for_the_event),
    CASE(both_read),
    CASE(both_write_racy),
    CASE(halves),
    CASE(halves_overlap_racy),
    CASE(both_count),
    CASE(count_and_put_racy),
    CASE(by_way_of_a_third),
    CASE(known_to_the_second_only_racy),
    CASE(known_to_the_third_too),
    CASE(default_stream_waits),
    CASE(behind_the_default_stream),
    CASE(apart_from_the_default_stream_racy),
    CASE(default_stream_between),
    CASE(per_thread_stream_racy),
    CASE(per_thread_stream),
    CASE(copy_on_another_stream_racy),
    CASE(copy_on_the_same_stream),
    CASE(kernel_before_the_copy_ends_racy),
    CASE(kernel_behind_the_copy),
    CASE(fill_on_another_stream_racy),
    CASE(fill_behind_the_kernel),
    CASE(two_copies_racy),
    CASE(two_copies_apart),
    CASE(plain_copy_waits),
    CASE(plain_copy_of_a_stream_apart_racy),
    CASE(host_reads_too_early_racy),
    CASE(host_reads_after_waiting),
    CASE(host_writes_too_early_racy),
    CASE(host_only_reads),
    CASE(host_uses_the_other_half),
    CASE(host_waits_for_the_wrong_stream_racy),
    CASE(host_reads_a_copy_too_early_racy),
    CASE(host_reads_a_copy_later),
    CASE(host_waits_for_a_flag),
    CASE(graph_without_an_edge_racy),
    CASE(graph_with_an_edge),
    CASE(rows_left_and_right),
    CASE(rows_overlap_racy),
    CASE(kernel_between_the_rows),
    CASE(kernel_in_the_rows_racy),
    CASE(filled_rows_apart),
    CASE(variable_on_another_stream_racy),
    CASE(variable_on_one_stream),
    CASE(taken_back_too_early_racy),
    CASE(taken_back_behind_the_event),
    CASE(used_before_it_is_given_out_racy),
    CASE(used_when_it_is_given_out),
    CASE(given_out_and_taken_back),
    CASE(far_kernels_racy),
    CASE(far_default_streams_racy),
    CASE(far_event_between),
    CASE(far_host_between),
    CASE(far_host_waits_for_the_wrong_device_racy),
    CASE(far_own_memory),
    CASE(far_copy_of_what_is_written_racy),
    CASE(far_copy_behind_the_event),
    CASE(far_copy_not_waited_for_racy),
    CASE(far_copy_waited_for),
    CASE(far_two_copies_racy),
    CASE(far_fill_racy),
    CASE(far_fill_behind_the_event),
    CASE(far_kernel_before_the_giver),
    CASE(far_kernel_beside_the_giver_racy),
    CASE(far_copy_before_the_giver),
    CASE(far_copy_beside_the_giver_racy),
    CASE(far_copy_behind_the_taker),
    CASE(far_copy_behind_a_taker_without_a_fence_racy),
    CASE(far_kernel_behind_the_taker),
    CASE(far_kernel_beside_the_taker_racy),
    CASE(far_submitted_before_the_wait_racy),
    CASE(far_submitted_behind_the_wait),
    CASE(far_event_recorded_again_racy),
    CASE(far_event_recorded_once),
    CASE(far_host_raises_a_flag),
    CASE(far_reset_while_it_waits),
    CASE(far_failure_beside_it_racy),
    CASE(far_graph_raises_the_flag),
    CASE(far_graph_beside_a_kernel_racy),
};

// Those of two devices begin with far_.
bool is_far(const char* name) { return std::strncmp(name, "far_", 4) == 0; }

void prepare_far(Things& t) {
  cudaDeviceEnablePeerAccess(1, 0);
  cudaMalloc(&t.words, kBytes);
  const There there;
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMalloc(&t.far_b, kBytes);
  cudaMalloc(&t.far_c, kBytes);
  cudaStreamCreate(&t.far);
  cudaStreamCreateWithFlags(&t.far_apart, cudaStreamNonBlocking);
}

bool finish_far() {
  const There there;
  return cudaDeviceSynchronize() == cudaSuccess;
}

int main(int argc, char** argv) {
  for (const auto& c : kCases) {
    if (argc < 2) std::puts(c.name);
    if (argc < 2 || std::strcmp(argv[1], c.name) != 0) continue;
    static Things t;
    cudaMalloc(&t.a, kBytes);
    cudaMalloc(&t.b, kBytes);
    cudaMallocManaged(&t.managed, kBytes);
    cudaMallocHost(&t.pinned, kBytes);
    cudaStreamCreate(&t.first);
    cudaStreamCreate(&t.second);
    cudaStreamCreateWithFlags(&t.apart, cudaStreamNonBlocking);
    cudaEventCreate(&t.event);
    if (is_far(c.name)) prepare_far(t);
    c.run(t);
    if (is_far(c.name) && !finish_far()) return 1;
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
  }
  return argc < 2 ? 0 : 2;
}
