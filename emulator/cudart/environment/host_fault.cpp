// SPDX-License-Identifier: MIT
// The host program reads or writes device memory: on a GPU machine that is a bare segmentation
// fault, here it is said first. The program still ends by the signal.
#include "cudart/environment/host_fault.hpp"

#include <signal.h>

#include <string>

#include "cudart/environment/host_watch.hpp"
#include "cudart/environment/say.hpp"
#include "memory/address_space.hpp"

namespace emu::cudart {
namespace {

// The fault comes from one access of the program, outside the emulator, so it is safe to allocate
// and to lock here. On return the access is repeated and ends the program.
void on_fault(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<memory::Address>(info->si_addr);
  if (is_watched_fault(address)) return;
  signal(SIGSEGV, SIG_DFL);
  const auto& space = memory::AddressSpace::instance();
  if (!space.in_device_range(address)) return;
  say("the host program touches device memory: " + space.describe(address, 1) +
      "; only kernels can use it (cudaMemcpy copies it, cudaMallocManaged makes memory for both)");
}

}  // namespace

void watch_host_faults() {
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace emu::cudart
