// SPDX-License-Identifier: MIT
#include "common/irregular/scene_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>

#include "common/input.hpp"
#include "common/irregular/clusters.hpp"
#include "common/program/options.hpp"

namespace course {

namespace {

constexpr std::uint8_t kPaper = 255, kGrey = 170;

// A colour that is neither pale nor dark, the same for a label every time.
std::array<std::uint8_t, 3> colour_of(std::uint32_t label) {
  if (label == kNoise) return {kGrey, kGrey, kGrey};
  const std::uint64_t bits = random_bits(77, label);
  std::array<std::uint8_t, 3> colour{static_cast<std::uint8_t>(bits % 110),
                                     static_cast<std::uint8_t>(90 + bits / 256 % 110),
                                     static_cast<std::uint8_t>(130 + bits / 65536 % 110)};
  std::rotate(colour.begin(), colour.begin() + static_cast<long>(bits >> 40) % 3, colour.end());
  return colour;
}

// Pixels with a depth: what is nearer hides what is further away.
class Canvas {
 public:
  Canvas(int width, int height)
      : picture_{width, height, std::vector<std::uint8_t>(std::size_t{3} * width * height, kPaper)},
        depths_(std::size_t{1} * width * height, std::numeric_limits<float>::infinity()) {}
  void dot(float x, float y, float depth, std::uint32_t label) {
    if (!(std::abs(x) < 1e6f && std::abs(y) < 1e6f)) return;  // NaN too
    const auto colour = colour_of(label);
    for (int dy = 0; dy < 2; ++dy)
      for (int dx = 0; dx < 2; ++dx) {
        const int px = static_cast<int>(std::floor(x)) + dx,
                  py = static_cast<int>(std::floor(y)) + dy;
        if (px < 0 || py < 0 || px >= picture_.width || py >= picture_.height) continue;
        const auto at = static_cast<std::size_t>(py) * picture_.width + px;
        if (depth >= depths_[at]) continue;
        depths_[at] = depth;
        std::copy(colour.begin(), colour.end(),
                  picture_.pixels.begin() + static_cast<long>(3 * at));
      }
  }
  Picture done() { return std::move(picture_); }

 private:
  Picture picture_;
  std::vector<float> depths_;
};

// ---- PNG: a signature, then chunks with a length, a name and a checksum

void add_number(std::string& bytes, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(v >> shift & 0xff));
}
std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
  }
  return ~crc;
}
void add_chunk(std::string& file, const char* name, const std::string& data) {
  add_number(file, static_cast<std::uint32_t>(data.size()));
  const std::string named = name + data;
  file += named;
  add_number(file, crc_of(named));
}
// A zlib stream of blocks that are stored as they are.
std::string stored(const std::string& data) {
  std::string out = "\x78\x01";
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (const char c : data) a = (a + static_cast<std::uint8_t>(c)) % 65521, b = (b + a) % 65521;
  for (std::size_t at = 0; at < data.size(); at += 65535) {
    const std::size_t size = std::min<std::size_t>(65535, data.size() - at);
    out.push_back(at + size == data.size() ? 1 : 0);
    for (const std::size_t v : {size, ~size})
      out.push_back(static_cast<char>(v & 0xff)), out.push_back(static_cast<char>(v >> 8 & 0xff));
    out += data.substr(at, size);
  }
  add_number(out, b << 16 | a);
  return out;
}

}  // namespace

// 120 by 60 metres around the sensor, ten pixels to the metre; what is higher hides what is below.
Picture picture_from_above(std::span<const float4> points, std::span<const std::uint32_t> labels) {
  Canvas canvas(1200, 600);
  for (std::size_t i = 0; i < points.size(); ++i)
    canvas.dot(600 + 10 * points[i].x, 300 - 10 * points[i].y, -points[i].z, labels[i]);
  return canvas.done();
}

// An eye 12 metres behind and 8 above the sensor looks ahead and a little down.
Picture picture_in_perspective(std::span<const float4> points,
                               std::span<const std::uint32_t> labels) {
  Canvas canvas(1200, 600);
  const float down = 0.3f, c = std::cos(down), s = std::sin(down);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float x = points[i].x + 12, z = points[i].z - 8;
    const float depth = c * x - s * z, up = s * x + c * z;
    if (depth > 1)
      canvas.dot(600 - 700 * points[i].y / depth, 250 - 700 * up / depth, depth, labels[i]);
  }
  return canvas.done();
}

void write_png(const std::string& path, const Picture& picture) {
  std::string file = "\x89PNG\r\n\x1a\n", head, rows;
  add_number(head, static_cast<std::uint32_t>(picture.width));
  add_number(head, static_cast<std::uint32_t>(picture.height));
  head += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue
  for (int y = 0; y < picture.height; ++y) {
    rows.push_back(0);  // no filter
    const auto* const row = picture.pixels.data() + std::size_t{3} * picture.width * y;
    rows.append(reinterpret_cast<const char*>(row), std::size_t{3} * picture.width);
  }
  add_chunk(file, "IHDR", head);
  add_chunk(file, "IDAT", stored(rows));
  add_chunk(file, "IEND", "");
  std::ofstream out(path, std::ios::binary);
  out << file;
  out.flush();
  if (!out) throw UsageError{path + ": it cannot be written"};
}

}  // namespace course
