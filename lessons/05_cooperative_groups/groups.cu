// SPDX-License-Identifier: MIT
// Shows every kind of group: who is in it, with which rank, and what its members found out
// together, beside what the CPU says. Program 05_cooperative_groups.groups; exit code 1 if one is
// wrong.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "lessons/05_cooperative_groups/one_launch.cuh"

namespace {

namespace cg = cooperative_groups;

constexpr int kThreads = 64;  // a block of two warps: small enough to print
constexpr int kWarp = 32;

bool all_ok = true;

// Prints the headline of a demonstration with its verdict, and remembers the verdict.
void verdict(const char* title, bool ok) {
  std::printf("\n%s: %s\n", title, ok ? "ok" : "FAIL");
  all_ok &= ok;
}

// ---- groups inside a block

// What a thread knows about its group. `size` 0: the thread is in none.
struct Seat {
  int first;  // the block's rank of the group's rank 0: names the group
  int size, rank;
  int sum;  // of what the members brought; thread i of the block brings i
};

// For the groups that are at most a warp. cg::reduce gives the result to every member.
template <class Group>
__device__ Seat seat_in(const Group& group, int me) {
  return {group.shfl(me, 0), static_cast<int>(group.size()), static_cast<int>(group.thread_rank()),
          cg::reduce(group, me, cg::plus<int>())};
}

// The whole block. It has no shuffle and no cg::reduce: its members meet in shared memory.
struct WholeBlock {
  __device__ static Seat take(const cg::thread_block& block) {
    __shared__ int sum;
    if (block.thread_rank() == 0) sum = 0;
    block.sync();
    atomicAdd(&sum, static_cast<int>(block.thread_rank()));
    block.sync();
    return {0, static_cast<int>(block.size()), static_cast<int>(block.thread_rank()), sum};
  }
};

// Neighbouring threads, a power of two of them. The size is part of the type.
template <int kSize>
struct Tile {
  __device__ static Seat take(const cg::thread_block& block) {
    const auto tile = cg::tiled_partition<kSize>(block);
    return seat_in(tile, static_cast<int>(block.thread_rank()));
  }
};

// Whoever is here. Threads that did not take the branch are in no group.
constexpr int kEvery = 3;
struct Coalesced {
  __device__ static Seat take(const cg::thread_block& block) {
    const int me = static_cast<int>(block.thread_rank());
    Seat seat{};
    if (me % kEvery == 0) {
      const auto here = cg::coalesced_threads();
      seat = seat_in(here, me);
    }
    return seat;
  }
};

// The threads of a warp that have the same label. Each may be in another group; all 32 take part in
// the partition.
constexpr int kLabels = 3;
struct Labeled {
  __device__ static Seat take(const cg::thread_block& block) {
    const int me = static_cast<int>(block.thread_rank());
    const auto warp = cg::tiled_partition<kWarp>(block);
    return seat_in(cg::labeled_partition(warp, me % kLabels), me);
  }
};

// The threads of a warp that say yes, and those that say no.
constexpr int kYes = 8;
struct Binary {
  __device__ static Seat take(const cg::thread_block& block) {
    const int me = static_cast<int>(block.thread_rank());
    const auto warp = cg::tiled_partition<kWarp>(block);
    return seat_in(cg::binary_partition(warp, me % kYes == 0), me);
  }
};

template <class Kind>
__global__ void take_seats(Seat* seats) {
  const auto block = cg::this_thread_block();
  seats[block.thread_rank()] = Kind::take(block);
}

using Groups = std::map<int, std::vector<int>>;  // the group's first thread: all its threads

Groups groups_of(const std::vector<Seat>& seats) {
  Groups groups;
  for (int i = 0; i < kThreads; ++i)
    if (seats[i].size > 0) groups[seats[i].first].push_back(i);
  return groups;
}

// True for any way of dividing threads into groups: ranks count the members in the order of the
// block's ranks, all agree on the size, and the sum is that of the members.
bool consistent(const std::vector<Seat>& seats, const Groups& groups) {
  bool ok = true;
  for (const auto& [first, members] : groups) {
    const int sum = std::accumulate(members.begin(), members.end(), 0);
    for (int rank = 0; rank < static_cast<int>(members.size()); ++rank) {
      const Seat& seat = seats[members[rank]];
      ok &= seat.rank == rank && seat.size == static_cast<int>(members.size()) && seat.sum == sum;
    }
    ok &= first == members.front();
  }
  return ok;
}

// "0-7", "0 3 6 9", "1-7 9-15": neighbours are drawn together.
std::string list(const std::vector<int>& threads) {
  std::string text;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    text += (text.empty() ? "" : " ") + std::to_string(threads[i]);
    if (last > i) text += "-" + std::to_string(threads[last]);
    i = last + 1;
  }
  return text;
}

// The CPU's division: threads with the same key belong together, a negative key means no group.
// `exactly`: each of those must be one group. Otherwise a group need only lie inside one.
template <class Kind, class Key>
void show(const char* title, Key key, bool exactly = true) {
  course::DeviceBuffer<Seat> device(kThreads);
  take_seats<Kind><<<1, kThreads>>>(device.data());
  COURSE_CHECK(cudaGetLastError());
  const std::vector<Seat> seats = device.download();
  const Groups groups = groups_of(seats);

  bool ok = consistent(seats, groups);
  std::map<int, int> groups_with_key;
  for (const auto& [first, members] : groups) {
    for (const int i : members) ok &= key(i) == key(first);
    ++groups_with_key[key(first)];
  }
  for (int i = 0; i < kThreads; ++i) ok &= (seats[i].size > 0) == (key(i) >= 0);
  for (const auto& [k, count] : groups_with_key) ok &= !exactly || count == 1;

  verdict(title, ok);
  for (const auto& [first, members] : groups)
    std::printf("  size %2d, ranks 0-%-2d = threads %s, sum %d\n", seats[first].size,
                seats[members.back()].rank, list(members).c_str(), seats[first].sum);
}

void show_groups_of_a_block() {
  show<WholeBlock>("thread_block: all threads of the block", [](int) { return 0; });
  show<Tile<32>>("tiled_partition<32>: warps", [](int i) { return i / 32; });
  show<Tile<8>>("tiled_partition<8>: eight neighbours", [](int i) { return i / 8; });
  // Nothing promises that all who took the branch come to this line at the same time. A warp may
  // form two groups here, and a program must be right then too.
  show<Coalesced>(
      "coalesced_threads in `if (rank % 3 == 0)`: whoever is here",
      [](int i) { return i % kEvery == 0 ? i / kWarp : -1; }, false);
  show<Labeled>("labeled_partition by rank % 3: same warp, same label",
                [](int i) { return i / kWarp * kLabels + i % kLabels; });
  show<Binary>("binary_partition by rank % 8 == 0: a warp's yes and no",
               [](int i) { return i / kWarp * 2 + (i % kYes == 0 ? 1 : 0); });
}

// ---- four groups, four maxima

__global__ void maxima_of_eights(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto eight = cg::tiled_partition<8>(block);
  const int largest = cg::reduce(eight, in[block.thread_rank()], cg::greater<int>());
  if (eight.thread_rank() == 0) out[eight.meta_group_rank()] = largest;
}

void show_four_maxima() {
  std::vector<int> in(kWarp);
  for (int i = 0; i < kWarp; ++i) in[i] = i * 13 % 17 - 20;  // all negative: 0 is nobody's maximum
  course::DeviceBuffer<int> from(in), to(4);
  maxima_of_eights<<<1, kWarp>>>(from.data(), to.data());
  COURSE_CHECK(cudaGetLastError());
  const std::vector<int> out = to.download();
  bool ok = true;
  for (int g = 0; g < 4; ++g)
    ok &= out[g] == *std::max_element(in.begin() + 8 * g, in.begin() + 8 * g + 8);
  verdict("four groups' maxima: one warp, four tiles of 8, four results at once", ok);
  for (int g = 0; g < 4; ++g) {
    std::printf("  group %d brings", g);
    for (int i = 8 * g; i < 8 * g + 8; ++i) std::printf(" %3d", in[i]);
    std::printf("   largest %d\n", out[g]);
  }
}

// ---- a cluster of blocks

constexpr int kBlocksPerCluster = 4, kClusters = 2;

// Every block adds up its threads' ranks in the grid, in its own shared memory. Then each looks
// into the shared memory of all four.
struct ClusterSeat {
  int size, rank;
  int of_next;  // the sum of the cluster's next block
  int sum;      // of the whole cluster
};

__global__ void look_at_neighbours(ClusterSeat* seats) {
#if __CUDA_ARCH__ >= 900
  __shared__ int mine;
  const auto cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  const int sum = lesson05::block_sum(block, static_cast<int>(cg::this_grid().thread_rank()));
  if (block.thread_rank() == 0) mine = sum;
  cluster.sync();  // all blocks have begun, and all have written: only now may others look
  if (block.thread_rank() == 0) {
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    ClusterSeat seat{static_cast<int>(cluster.num_blocks()), static_cast<int>(cluster.block_rank()),
                     *cluster.map_shared_rank(&mine, next), 0};
    for (unsigned b = 0; b < cluster.num_blocks(); ++b)
      seat.sum += *cluster.map_shared_rank(&mine, b);
    seats[blockIdx.x] = seat;
  }
  cluster.sync();  // a block that ends takes its shared memory with it: all have looked
#endif
}

void show_cluster(const course::Device& device) {
  const char* const title = "cluster: four blocks that read each other's shared memory";
  if (device.sm < 90) {
    std::printf("\n%s: skipped, it needs compute capability 9.0 and this is %d.%d\n", title,
                device.sm / 10, device.sm % 10);
    return;
  }
  constexpr int kBlocks = kClusters * kBlocksPerCluster;
  course::DeviceBuffer<ClusterSeat> seats_on_device(kBlocks);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {kBlocksPerCluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  COURSE_CHECK(cudaLaunchKernelEx(&config, look_at_neighbours, seats_on_device.data()));
  const std::vector<ClusterSeat> seats = seats_on_device.download();

  const auto sum_of = [](int first_block, int blocks) {
    int sum = 0;
    for (int i = first_block * kThreads; i < (first_block + blocks) * kThreads; ++i) sum += i;
    return sum;
  };
  bool ok = true;
  for (int b = 0; b < kBlocks; ++b) {
    const int rank = b % kBlocksPerCluster, first = b - rank;
    ok &= seats[b].size == kBlocksPerCluster && seats[b].rank == rank &&
          seats[b].of_next == sum_of(first + (rank + 1) % kBlocksPerCluster, 1) &&
          seats[b].sum == sum_of(first, kBlocksPerCluster);
  }
  verdict(title, ok);
  for (int b = 0; b < kBlocks; ++b)
    std::printf(
        "  block %d: rank %d of %d in cluster %d, its next one's sum %5d, cluster's sum %d\n", b,
        seats[b].rank, seats[b].size, b / kBlocksPerCluster, seats[b].of_next, seats[b].sum);
}

// ---- the grid

// Every block leaves a word, all blocks wait for all, and every block reads the word of the block
// that is opposite. Without the barrier some would read before it was written.
__global__ void ask_opposite(int* words, int* answers) {
  const auto grid = cg::this_grid();
  const int opposite = static_cast<int>(gridDim.x - 1 - blockIdx.x);
  if (threadIdx.x == 0) words[blockIdx.x] = static_cast<int>(1000 + blockIdx.x);
  grid.sync();
  if (threadIdx.x == 0) answers[blockIdx.x] = words[opposite];
}

cudaError_t launch_ask_opposite(unsigned blocks, int* words, int* answers) {
  void* arguments[] = {&words, &answers};
  return cudaLaunchCooperativeKernel(ask_opposite, blocks, kThreads, arguments);
}

void show_grid(const course::Device& device) {
  const int most = static_cast<int>(lesson05::resident_blocks(ask_opposite, kThreads, device));
  const std::vector<int> nothing(most + 1, -1);
  course::DeviceBuffer<int> words(nothing), answers(nothing);

  COURSE_CHECK(launch_ask_opposite(most, words.data(), answers.data()));
  std::vector<int> got = answers.download();
  bool ok = got[most] == -1;
  for (int b = 0; b < most; ++b) ok &= got[b] == 1000 + most - 1 - b;
  verdict("grid: every block reads, after grid.sync(), what the opposite block wrote", ok);
  std::printf(
      "  %d multiprocessors hold %d blocks of %d threads of this kernel: so many take part\n",
      device.multiprocessors, most, kThreads);
  for (const int b : {0, 1, most - 1})
    std::printf("  block %4d: opposite is %4d, read %d\n", b, most - 1 - b, got[b]);

  // One block too many. The launch is refused; the kernel does not begin, so nothing can hang.
  answers.upload(nothing);
  const cudaError_t error = launch_ask_opposite(most + 1, words.data(), answers.data());
  const cudaError_t last = cudaGetLastError();   // the same error; asking for it also clears it
  const cudaError_t after = cudaGetLastError();  // so this is a success again
  got = answers.download();
  verdict("grid, one block too many: the cooperative launch says no",
          error == cudaErrorCooperativeLaunchTooLarge && last == error && after == cudaSuccess &&
              got == nothing);
  std::printf("  %d blocks: %s (%s)\n  then: %s, and no block wrote anything\n", most + 1,
              cudaGetErrorName(error), cudaGetErrorString(error), cudaGetErrorName(after));
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"05_cooperative_groups", "groups",
                              "Every kind of group: who is in it, and what it can find out."};
  info.takes_json = false;
  return course::run_experiment(info, argc, argv, [](course::Experiment& e) {
    std::printf("A block of %d threads; thread i brings the value i.\n", kThreads);
    show_groups_of_a_block();
    show_four_maxima();
    show_cluster(e.device);
    show_grid(e.device);
    return all_ok;
  });
}
