// SPDX-License-Identifier: MIT
// A block is a row of sequences: token, literals, distance back (2 bytes), match. The last one ends
// after its literals.
#include "cudart/loading/lz4.hpp"

#include <cstdint>

namespace emu::cudart {

namespace {

constexpr std::size_t kShortestMatch = 4;
constexpr std::size_t kLongField = 15;  // a nibble of 15 goes on in further bytes

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }
  std::optional<std::uint8_t> byte() {
    if (bytes_.empty()) return std::nullopt;
    const auto value = std::to_integer<std::uint8_t>(bytes_.front());
    bytes_ = bytes_.subspan(1);
    return value;
  }
  std::span<const std::byte> take(std::size_t n) {
    const auto part = bytes_.first(n);
    bytes_ = bytes_.subspan(n);
    return part;
  }
  // A length that begins in a nibble. Bounded by `limit`, so that no row of 255s can overflow it.
  std::optional<std::size_t> length(std::size_t nibble, std::size_t limit) {
    std::size_t value = nibble;
    if (nibble != kLongField) return value;
    for (;;) {
      const auto more = byte();
      if (!more) return std::nullopt;
      value += *more;
      if (value > limit) return std::nullopt;
      if (*more != 255) return value;
    }
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::optional<std::string> lz4_decode(std::span<const std::byte> block, std::size_t limit) {
  Reader in(block);
  std::string out;
  while (in.left() > 0) {
    const std::uint8_t token = *in.byte();
    const auto literals = in.length(token >> 4, limit);
    if (!literals || *literals > in.left() || *literals > limit - out.size()) return std::nullopt;
    const auto text = in.take(*literals);
    out.append(reinterpret_cast<const char*>(text.data()), text.size());
    if (in.left() == 0) return out;

    const auto low = in.byte();
    const auto high = in.byte();
    if (!low || !high) return std::nullopt;
    const std::size_t distance = *low | std::size_t{*high} << 8;
    if (distance == 0 || distance > out.size()) return std::nullopt;
    const auto extra = in.length(token & 15, limit);
    if (!extra || *extra + kShortestMatch > limit - out.size()) return std::nullopt;
    // Byte by byte: a match may reach into what it is just writing.
    for (std::size_t n = *extra + kShortestMatch; n > 0; --n)
      out.push_back(out[out.size() - distance]);
  }
  // A block ends with literals, never with a match or with nothing.
  return std::nullopt;
}

}  // namespace emu::cudart
