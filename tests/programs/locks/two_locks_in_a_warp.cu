// env: WARPLADDER_SCHEDULE=random:1
// Lanes of one warp come with two locks, and half of the warps begin with the other one. Whoever
// takes the first lane's lock for all of them lets two warps work on the same counter: additions are
// lost, on a GPU now and then, on the emulator in another order of the threads than its usual one.
#include "../../../lessons/06_lock_free/spin_lock.cuh"
#include "../check.cuh"

constexpr int kWarps = 8, kRounds = 4;

template <class Lock>
__global__ void add(Lock first, Lock second, int* counts) {
  const unsigned warp = threadIdx.x / 32, which = (threadIdx.x + warp) % 2;
  Lock lock = which == 0 ? first : second;
  for (int round = 0; round < kRounds; ++round)
    lesson06::with_lock_per_warp(lock, [&] { counts[which] = counts[which] + 1; });
}

template <class Lock>
void try_lock(const char* name) {
  const int words = static_cast<int>(Lock::bytes() / sizeof(int));
  int* memory = upload(std::vector<int>(2 * words));
  int* counts = upload(std::vector<int>(2));
  add<<<1, 32 * kWarps>>>(Lock(memory), Lock(memory + words), counts);
  CHECK_KERNEL();
  report(name, download(counts, 2), std::vector<int>(2, kWarps * kRounds * 16));
}

int main() {
  try_lock<lesson06::TestAndSetLock<>>("test-and-set");
  try_lock<lesson06::BackoffLock<>>("back-off");
  try_lock<lesson06::TicketLock<>>("ticket");
  return finish();
}
