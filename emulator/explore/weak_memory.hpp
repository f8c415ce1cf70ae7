// SPDX-License-Identifier: MIT
// The weak memory mode (WARPLADDER_MEMORY=weak): a load may return an older value unless the program
// has ordered it, so that a missing acquire, release or fence, or a too narrow scope, shows.
//
// Memory itself always holds the newest value. For each aligned 8 bytes written in this launch the
// last stores are kept beside it, and every thread has a view: how old a store it may still read.
// A load that picks an older one sees memory as it was, for the length of that one instruction.
// Launches of several devices that are under way together share one such memory. docs/emulator.md ("Weak memory")
// says what is modelled.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "explore/weak_order.hpp"
#include "explore/weak_view.hpp"

namespace emu::exec {

struct MemorySpec;

class WeakMemory {
 public:
  // `several`: for launches of several devices, for which the scope of a GPU is narrower than that of the system.
  explicit WeakMemory(std::uint64_t seed, bool several = false);
  ~WeakMemory();

  // A launch begins, and knows all that those knew which have ended on its device, and what the host knows; it ends.
  void begin(const Grid& grid);
  void end(const Grid& grid);
  // A stream of one device has waited for one of another; the host has waited for a device.
  void device_waits(int device, int other) { ended_[device].join(ended_[other]); }
  void host_waits(int device) { host_.join(ended_[device]); }

  // Executes in.fn for the lanes, one after the other.
  void run(Warp& warp, const Instr& in, LaneMask lanes);

  // Lanes that meet in __syncwarp() know afterwards what any of them knew.
  void meet(const Warp& warp, LaneMask lanes);
  // Barriers of the block, and of the cluster (kClusterBarrier): what arrives is collected, and
  // given to those who leave.
  static constexpr std::uint32_t kClusterBarrier = 16;
  void arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier);
  View complete(const Block& block, std::uint32_t barrier);
  void leave(const Warp& warp, LaneMask lanes, const View& known);

  // Of so many words at most the history is kept. When there are more, those that nobody has touched
  // for longest are forgotten: their newest value is then all that can be read.
  static constexpr std::size_t kMostPlaces = 1 << 15;
  std::size_t places() const { return places_.size(); }

 private:
  static constexpr std::size_t kHistory = 16;  // stores kept of one place
  static constexpr Time kTimeGap = 16;         // between stores, so that others fit between them
  static constexpr std::uint64_t kGranule = 8;
  struct Origin;
  struct Store;
  struct Place;
  struct Piece;
  struct Patches;
  struct Thread;
  struct OfBlock;
  struct OfGrid;

  OfBlock& of_block(const Block& block);
  OfGrid& of_grid(const Grid& grid);
  void retire(const OfBlock& block);
  const Order& order(const Instr& in, const Grid& grid);
  Thread& thread(const Warp& warp, int lane);
  std::uint64_t random();

  void access(Warp& warp, const Instr& in, const Order& order, int lane);
  bool locate(Warp& warp, const Instr& in, int lane, std::uint64_t& address, std::byte*& host,
              std::uint64_t& low, std::uint64_t& high);
  std::vector<Piece>& pieces(std::uint64_t address, std::byte* host, std::uint64_t low,
                             std::uint64_t high, std::uint32_t bytes, bool create);
  Place& new_place(std::uint64_t key);
  void forget_places();
  void load(Warp& warp, const Instr& in, const Order& order, int lane, Thread& t);
  void modify(Warp& warp, const Instr& in, const Order& order, int lane, Thread& t);
  bool continues(Thread& t, const Piece& piece, const Order& order);
  void push(Thread& t, const Piece& piece, const Order& order, const Store* read);
  static bool same_bytes(const Piece& piece, std::uint64_t bits);
  static void put_back(const Piece& piece);
  bool fits_before(const Thread& t, const Piece& piece) const;
  const Store& choose(Thread& t, const Piece& piece, Time oldest);
  Time oldest_of(const Thread& t, const Piece& piece) const;
  Time oldest_of_atomic(const Thread& t, const Piece& piece, const Order& order) const;
  void observe(Thread& t, std::size_t slot, const Origin* origin, const Order& order);
  static void take(Thread& t, const Message& message, Scope scope);
  void fence(Thread& t, const Order& order);
  std::shared_ptr<const Origin> origin_of(Thread& t, std::size_t slot, const Origin* before,
                                          const Order& order);

  std::uint64_t random_;
  bool several_;
  std::unordered_map<const Grid*, std::unique_ptr<OfGrid>> grids_;
  std::uint64_t next_block_ = 0;         // number of the next launch's first block
  std::unordered_map<int, View> ended_;  // by device: what the threads knew that have ended
  View host_;                            // what was known of them when the host waited
  std::unordered_map<const Instr*, Order> orders_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Place>> places_;  // by address / 8
  std::uint64_t touches_ = 0;  // accesses so far: when a place was last touched
  std::size_t next_slot_ = 0;  // of a view
  // Slots of forgotten places, and the first time that nobody has a view of.
  std::vector<std::pair<std::size_t, Time>> free_slots_;
  std::unordered_map<const Block*, std::unique_ptr<OfBlock>> blocks_;
  // What the fences of sequential consistency of a domain have seen.
  std::unordered_map<Domain, View> sequential_;
  std::vector<Piece> pieces_;
};

}  // namespace emu::exec
