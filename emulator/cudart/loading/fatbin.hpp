// SPDX-License-Identifier: MIT
// The container nvcc puts device code in: a wrapper in the program's data, one or more fatbins
// behind it, entries of PTX and machine code (SASS) in each. Nothing here executes or parses PTX.
//
// Damaged data gives a FatbinError and never reads past the sizes it was given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace emu::cudart {

struct FatbinError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct FatbinEntry {
  enum class Kind : std::uint16_t { Ptx = 1, Sass = 2, Other = 0 };
  enum class Packing : std::uint8_t { Plain, Lz4, Zstd };

  Kind kind = Kind::Other;
  Packing packing = Packing::Plain;
  std::uint32_t sm = 0;  // 90 for sm_90
  char suffix = 0;  // 'a': that GPU alone (sm_90a); 'f': that family alone (sm_100f); 0: it and all
                    // later ones
  std::uint64_t unpacked_bytes = 0;    // of packed entries
  std::span<const std::byte> payload;  // without padding

  std::string arch() const;  // "sm_90a"
};

// One fatbin: header, then entries. Bytes behind the size in the header are ignored.
std::vector<FatbinEntry> read_fatbin(std::span<const std::byte> fatbin);

// What a wrapper points to.
struct FatbinWrapper {
  bool relocatable = false;  // built with -rdc=true: the fatbins are to be linked together
  std::vector<std::span<const std::byte>> fatbins;  // of v1: one; of v2: the parts of the link
};
// A wrapper gives pointers without sizes: the sizes in the fatbins' own headers are trusted up to a
// limit.
FatbinWrapper read_wrapper(const void* wrapper);

// The text of a PTX entry.
std::string unpack_ptx(const FatbinEntry& entry);

// The entry to run on a GPU of compute capability `sm`: the newest PTX it can take. Without one,
// `why` is a whole sentence.
struct PtxChoice {
  std::optional<FatbinEntry> entry;
  std::string why;
};
PtxChoice choose_ptx(std::span<const FatbinEntry> entries, std::uint32_t sm);

}  // namespace emu::cudart
