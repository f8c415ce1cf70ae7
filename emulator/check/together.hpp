// SPDX-License-Identifier: MIT
// Two observers of one launch: one that counts, and one that checks.
#pragma once

#include "machine/observer.hpp"

namespace emu::check {

class Together : public observe::Observer {
 public:
  Together(observe::Observer& counts, observe::Observer& checks)
      : counts_(counts), checks_(checks) {}

  observe::Passes* passes(const exec::Code& code) override {
    observe::Passes* const of = counts_.passes(code);
    sums_ = of != nullptr;
    return of;
  }
  bool wants_each(const exec::Code& code) override { return checks_.wants_each(code); }
  void kernel_begin(const exec::Grid& g) override {
    counts_.kernel_begin(g), checks_.kernel_begin(g);
    follows = checks_.follows;
  }
  void kernel_end(const exec::Grid& g) override { counts_.kernel_end(g), checks_.kernel_end(g); }
  void kernel_failed(const exec::Grid& g) override {
    counts_.kernel_failed(g), checks_.kernel_failed(g);
  }
  void instruction(const exec::Warp& w, const exec::Instr& in, observe::LaneMask active,
                   observe::LaneMask on) override {
    if (!sums_) counts_.instruction(w, in, active, on);
    checks_.instruction(w, in, active, on);
    follows = checks_.follows;
  }
  void branch(const exec::Warp& w, const exec::Instr& in, observe::LaneMask taken,
              observe::LaneMask fell) override {
    if (!sums_) counts_.branch(w, in, taken, fell);
  }
  void memory(const exec::Warp& w, const exec::Instr& in, const observe::MemoryAccess& a) override {
    counts_.memory(w, in, a), checks_.memory(w, in, a);
    follows = checks_.follows;
  }
  void exchanged(const exec::Warp& w, const exec::Instr& in, observe::LaneMask lanes) override {
    counts_.exchanged(w, in, lanes), checks_.exchanged(w, in, lanes);
  }
  void barrier(const exec::Warp& w, const exec::Instr& in, std::uint32_t id) override {
    counts_.barrier(w, in, id), checks_.barrier(w, in, id);
  }
  void block_end(const exec::Block& b) override {
    counts_.block_end(b), checks_.block_end(b);
    follows = checks_.follows;
  }
  // What orders threads concerns the checks alone.
  void block_begin(const exec::Block& b) override { checks_.block_begin(b); }
  void met(const exec::Warp& w, const exec::Instr& in, const observe::Meeting& m) override {
    checks_.met(w, in, m);
  }
  void arrived(const exec::Warp& w, const exec::Instr& in, observe::LaneMask lanes,
               std::uint32_t id) override {
    checks_.arrived(w, in, lanes, id);
  }
  void completed(const exec::Block& b, std::uint32_t id) override { checks_.completed(b, id); }
  void left(const exec::Warp& w, observe::LaneMask lanes, std::uint32_t id) override {
    checks_.left(w, lanes, id);
  }
  void fenced(const exec::Warp& w, const exec::Instr& in, observe::LaneMask lanes) override {
    counts_.fenced(w, in, lanes), checks_.fenced(w, in, lanes);
  }
  void mbarrier(const exec::Warp& w, const exec::Instr& in,
                const observe::MbarrierUse& use) override {
    checks_.mbarrier(w, in, use);
  }
  std::uint64_t copying(const exec::Warp& w, const exec::Instr& in,
                        const observe::AsyncCopy& copy) override {
    return checks_.copying(w, in, copy);
  }
  void copy_waited(const exec::Warp& w, std::uint64_t copy, bool read) override {
    checks_.copy_waited(w, copy, read);
  }
  void copy_counted(const exec::Block& b, std::uint32_t offset, bool phase,
                    std::uint64_t copy) override {
    checks_.copy_counted(b, offset, phase, copy);
  }

 private:
  observe::Observer &counts_, &checks_;
  bool sums_ = false;  // the engine adds up for the one that counts
};

}  // namespace emu::check
