// SPDX-License-Identifier: MIT
// The emulator's side of the recorded vectors: run a kernel of the catalogue, read the committed
// recording, compare.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vectors/catalogue.hpp"
#include "vectors/recording.hpp"

namespace emu::vectors {

// The output of a kernel on the emulator. Throws with the emulator's report if it is refused.
std::vector<std::byte> run_emulated(const Variant& variant);

// As committed: compressed with zstd.
Recording load_recording(const std::filesystem::path& path);
void save_recording(const Recording& recording, const std::filesystem::path& path);
std::filesystem::path committed_recording();

// "" if they are the same; else the first elements that differ, with their operands.
std::string difference(const Variant& variant, const std::vector<std::byte>& got,
                       const std::vector<std::byte>& want);

// Element `lane` of operand or result number `k` of a variant with lanes, from its input or output.
std::uint64_t element(const std::vector<Family>& families, std::size_t lanes,
                      const std::vector<std::byte>& bytes, std::size_t k, std::size_t lane);

std::uint64_t hash_of_output(const std::vector<std::byte>& output);

// Rows for which a vector makes no sense, with the reason; the unit test of the row covers them.
const std::vector<std::pair<std::string, std::string>>& rows_without_vectors();

// Where PTX leaves the result open, or the manual and the machine disagree: the text of the variant
// and why the emulator keeps its own.
const std::vector<std::pair<std::string, std::string>>& known_differences();

}  // namespace emu::vectors
