// SPDX-License-Identifier: MIT
// The test kernels behind the recorded vectors: for each row of the instruction table, PTX text with
// its inputs. The recorder runs them on a GPU, the replay runs the same text on the emulator.
// This part depends on the standard library only, so that the recorder builds wherever there is a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vectors/values.hpp"

namespace emu::vectors {

// How a result is compared with the recorded one.
enum class Rule { Exact, Approximate };

struct Variant {
  std::string row;   // its id in the instruction table
  std::string text;  // the instruction, or a title: no two are the same
  std::string ptx;   // a whole module with the kernel `k(in, out)`
  std::vector<std::byte> input;
  std::size_t output_bytes = 0;   // compared
  std::size_t scratch_bytes = 0;  // behind the output, not compared
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1}, cluster{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
  Rule rule = Rule::Exact;
  // Of a variant with one element for each lane: what its operands and results are.
  std::vector<Family> operands, results;
  std::size_t lanes = 0;

  // Changes with anything the result depends on: a recording of another kernel is not compared.
  std::uint64_t fingerprint() const;
};

const std::vector<Variant>& catalogue();

// ---- for the catalogue_*.cpp

struct Lanes {
  std::size_t n = 0;  // 0: as many as the number of operands asks for
  Rule rule = Rule::Exact;
};
struct Raw {
  std::string body;         // may use what kernel_text.cpp declares
  std::string module = {};  // declarations before the kernel
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1}, cluster{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
};

class Builder {
 public:
  // One element for each lane: operands %a %b %c %e %g, results %d and %q; %cell is the address of
  // 16 bytes of global memory of this lane alone.
  void lanes(const std::string& row, const std::string& text, const std::vector<Family>& results,
             const std::vector<Family>& operands, const Lanes& how = {});
  // A whole kernel body with an input of so many seeded bytes and an output of words.
  void raw(const std::string& row, const std::string& title, const Raw& raw,
           std::size_t output_bytes, std::size_t input_bytes = 256);
  std::vector<Variant> variants;
};

std::string lane_kernel(const std::string& text, const std::vector<Family>& results,
                        const std::vector<Family>& operands, std::size_t n);
std::string raw_kernel(const Raw& raw);

void add_integer(Builder& b);
void add_bits(Builder& b);
void add_float(Builder& b);
void add_approximate(Builder& b);
void add_half(Builder& b);
void add_compare(Builder& b);
void add_logic(Builder& b);
void add_convert(Builder& b);
void add_move(Builder& b);
void add_memory(Builder& b);
void add_atomic(Builder& b);
void add_warp(Builder& b);
void add_async(Builder& b);
void add_control(Builder& b);

}  // namespace emu::vectors
