// SPDX-License-Identifier: MIT
// The LZ4 block format, decoding only: what `nvcc --compress-mode=speed` packs PTX with.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace emu::cudart {

// Bytes of one block, or nothing if the block is damaged or would become longer than `limit`.
std::optional<std::string> lz4_decode(std::span<const std::byte> block, std::size_t limit);

}  // namespace emu::cudart
