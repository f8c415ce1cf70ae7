// SPDX-License-Identifier: MIT
// Runs kernels of the catalogue on the emulator and compares with what a GPU gave.
#include "vectors/replay.hpp"

#include <zstd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "devices/profile.hpp"
#include "engine/launch.hpp"
#include "engine/report.hpp"
#include "memory/address_space.hpp"
#include "ptx/module.hpp"

namespace emu::vectors {
namespace {

class Buffer {
 public:
  explicit Buffer(std::size_t bytes)
      : buffer_(memory::AddressSpace::instance().allocate(bytes, memory::Kind::Device, 0)) {
    std::memset(buffer_.bytes, 0, bytes);
  }
  ~Buffer() { memory::AddressSpace::instance().release(buffer_.address); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::uint64_t address() const { return buffer_.address; }
  void* bytes() const { return buffer_.bytes; }

 private:
  memory::Allocation& buffer_;
};

std::string hex(std::uint64_t value, std::size_t bytes) {
  std::string s;
  for (std::size_t i = 2 * bytes; i-- > 0;) s += "0123456789abcdef"[value >> (4 * i) & 15];
  return "0x" + s;
}

constexpr std::size_t kMostShown = 6;

}  // namespace

std::vector<std::byte> run_emulated(const Variant& variant) {
  const exec::Program program({ptx::parse(variant.ptx)}, 0);
  const Buffer in(variant.input.size()), out(variant.output_bytes + variant.scratch_bytes);
  std::memcpy(in.bytes(), variant.input.data(), variant.input.size());
  exec::LaunchRequest request;
  request.kernel = program.kernel("k");
  request.params.resize(request.kernel->param_bytes);
  const std::uint64_t addresses[] = {in.address(), out.address()};
  std::memcpy(request.params.data(), addresses, sizeof addresses);
  request.grid = {variant.grid[0], variant.grid[1], variant.grid[2]};
  request.block = {variant.block[0], variant.block[1], variant.block[2]};
  request.cluster = {variant.cluster[0], variant.cluster[1], variant.cluster[2]};
  request.dynamic_shared = variant.dynamic_shared;
  request.profile = devices::find("h200");
  request.resident_blocks = request.profile->multiprocessors;
  request.instruction_limit = 2'000'000;
  try {
    exec::launch(request);
  } catch (const exec::KernelError& error) {
    throw std::runtime_error(error.report);
  }
  std::vector<std::byte> result(variant.output_bytes);
  std::memcpy(result.data(), out.bytes(), result.size());
  return result;
}

Recording load_recording(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  const std::string packed{std::istreambuf_iterator<char>(file), {}};
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    return from_bytes(packed);  // as the recorder on the GPU writes it
  if (size > (std::uint64_t{256} << 20)) throw std::runtime_error("the recording is too large");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t n = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(n) || n != bytes.size())
    throw std::runtime_error("the recording is damaged: " + path.string());
  return from_bytes(bytes);
}

void save_recording(const Recording& recording, const std::filesystem::path& path) {
  const std::string bytes = to_bytes(recording);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t n =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), ZSTD_maxCLevel());
  if (ZSTD_isError(n)) throw std::runtime_error(ZSTD_getErrorName(n));
  std::ofstream file(path, std::ios::binary);
  file.write(packed.data(), static_cast<std::streamsize>(n));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::filesystem::path committed_recording() {
  return std::filesystem::path(__FILE__).parent_path() / "testdata" / "h200.vectors.zst";
}

std::uint64_t element(const std::vector<Family>& families, std::size_t lanes,
                      const std::vector<std::byte>& bytes, std::size_t k, std::size_t lane) {
  std::size_t offset = 0;
  for (std::size_t j = 0; j < k; ++j) offset += (lanes * bytes_of(families[j]) + 15) / 16 * 16;
  const std::size_t size = bytes_of(families[k]);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset + lane * size, size < 8 ? size : 8);
  return value;
}

std::uint64_t hash_of_output(const std::vector<std::byte>& output) {
  return hash_of({reinterpret_cast<const char*>(output.data()), output.size()});
}

std::string difference(const Variant& v, const std::vector<std::byte>& got,
                       const std::vector<std::byte>& want) {
  if (got == want) return "";
  if (got.size() != want.size()) return "another number of bytes";
  std::string s;
  std::size_t found = 0;
  if (v.lanes == 0) {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != want[i] && ++found <= kMostShown)
        s += "\n    byte " + std::to_string(i) + ": emulator " +
             hex(std::to_integer<std::uint64_t>(got[i]), 1) + ", GPU " +
             hex(std::to_integer<std::uint64_t>(want[i]), 1);
    return std::to_string(found) + " bytes differ" + s;
  }
  for (std::size_t lane = 0; lane < v.lanes; ++lane)
    for (std::size_t k = 0; k < v.results.size(); ++k) {
      const std::size_t size = bytes_of(v.results[k]);
      const auto a = element(v.results, v.lanes, got, k, lane),
                 b = element(v.results, v.lanes, want, k, lane);
      if (a == b && size < 16) continue;
      if (size == 16) {  // the upper half may be what differs
        const std::size_t at = lane * 16;
        if (std::memcmp(got.data() + at, want.data() + at, 16) == 0) continue;
      }
      if (++found > kMostShown) continue;
      s += "\n    lane " + std::to_string(lane) + ", operands";
      for (std::size_t j = 0; j < v.operands.size(); ++j)
        s += " " + hex(element(v.operands, v.lanes, v.input, j, lane), bytes_of(v.operands[j]));
      s += ": result " + std::to_string(k) + " of the emulator " + hex(a, size) + ", of the GPU " +
           hex(b, size);
    }
  return std::to_string(found) + " elements differ" + s;
}

}  // namespace emu::vectors
