// SPDX-License-Identifier: MIT
// Reads wrappers, headers and entries, and unpacks PTX. All numbers are little-endian.
#include "cudart/loading/fatbin.hpp"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "cudart/loading/lz4.hpp"

namespace emu::cudart {

namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kFatbinMagic = 0xba55ed50;
constexpr std::size_t kFatbinHeader = 16;
constexpr std::size_t kEntryHeader = 64;  // what is read of it; the header itself may be longer
constexpr std::uint64_t kLargestFatbin = std::uint64_t{4} << 30;
constexpr std::uint64_t kLargestText = std::uint64_t{512} << 20;
constexpr std::size_t kMostFatbins = 65536;

constexpr std::uint64_t kFlagLz4 = 0x2000, kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagArchSpecific = 0x10'0000, kFlagFamilySpecific = 0x20'0000;

template <class T>
T load(std::span<const std::byte> bytes, std::size_t at) {
  if (at > bytes.size() || sizeof(T) > bytes.size() - at)
    throw FatbinError("the fatbin ends early");
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// A fatbin in memory, its length as its header says.
std::span<const std::byte> fatbin_at(const void* address) {
  if (!address) throw FatbinError("the fatbin wrapper holds no address");
  const std::span header(static_cast<const std::byte*>(address), kFatbinHeader);
  if (load<std::uint32_t>(header, 0) != kFatbinMagic)
    throw FatbinError("the data behind the fatbin wrapper is not a fatbin");
  const auto header_bytes = load<std::uint16_t>(header, 6);
  const auto body = load<std::uint64_t>(header, 8);
  if (header_bytes < kFatbinHeader || body > kLargestFatbin)
    throw FatbinError("the fatbin's header gives a size that cannot be");
  return {header.data(), static_cast<std::size_t>(header_bytes + body)};
}

FatbinEntry read_entry(std::span<const std::byte> header, std::span<const std::byte> payload) {
  FatbinEntry entry;
  switch (load<std::uint16_t>(header, 0)) {
    case 1:
      entry.kind = FatbinEntry::Kind::Ptx;
      break;
    case 2:
      entry.kind = FatbinEntry::Kind::Sass;
      break;
    default:
      entry.kind = FatbinEntry::Kind::Other;  // LTO IR and whatever comes later: no use to us
  }
  const auto packed_bytes = load<std::uint32_t>(header, 16);
  entry.sm = load<std::uint32_t>(header, 28);
  const auto flags = load<std::uint64_t>(header, 40);
  entry.unpacked_bytes = load<std::uint64_t>(header, 56);
  if (flags & kFlagArchSpecific) entry.suffix = 'a';
  if (flags & kFlagFamilySpecific) entry.suffix = 'f';
  if (flags & kFlagZstd) {
    entry.packing = FatbinEntry::Packing::Zstd;
  } else if (flags & kFlagLz4) {
    entry.packing = FatbinEntry::Packing::Lz4;
  }
  if (entry.packing != FatbinEntry::Packing::Plain) {
    if (packed_bytes > payload.size())
      throw FatbinError("an entry of the fatbin is longer than its place");
    payload = payload.first(packed_bytes);
  }
  entry.payload = payload;
  return entry;
}

std::string unpack_zstd(std::span<const std::byte> packed, std::size_t size) {
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                       ZSTD_freeDStream);
  if (!stream) throw std::bad_alloc();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::string out;
  std::vector<char> chunk(ZSTD_DStreamOutSize());
  for (;;) {
    ZSTD_outBuffer part{chunk.data(), chunk.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream.get(), &part, &in);
    if (ZSTD_isError(left)) {
      throw FatbinError(std::string("the fatbin's zstd data is damaged (") +
                        ZSTD_getErrorName(left) + ")");
    }
    if (part.pos > size - out.size())
      throw FatbinError("the fatbin's zstd data is longer than its header says");
    out.append(chunk.data(), part.pos);
    if (left == 0) return out;
    if (in.pos == in.size && part.pos < chunk.size())
      throw FatbinError("the fatbin's zstd data ends early");
  }
}

// Does PTX of this entry run on a GPU of that compute capability?
bool runs_on(const FatbinEntry& entry, std::uint32_t sm) {
  switch (entry.suffix) {
    case 'a':
      return entry.sm == sm;
    case 'f':
      return entry.sm <= sm && entry.sm / 10 == sm / 10;
    default:
      return entry.sm <= sm;
  }
}

}  // namespace

std::string FatbinEntry::arch() const {
  std::string text = "sm_" + std::to_string(sm);
  if (suffix) text += suffix;
  return text;
}

std::vector<FatbinEntry> read_fatbin(std::span<const std::byte> fatbin) {
  if (load<std::uint32_t>(fatbin, 0) != kFatbinMagic) throw FatbinError("this is not a fatbin");
  const auto version = load<std::uint16_t>(fatbin, 4);
  const auto header_bytes = load<std::uint16_t>(fatbin, 6);
  const auto body_bytes = load<std::uint64_t>(fatbin, 8);
  if (version != 1)
    throw FatbinError("the fatbin has version " + std::to_string(version) + ", known is 1");
  if (header_bytes < kFatbinHeader || header_bytes > fatbin.size())
    throw FatbinError("the fatbin ends early");
  if (body_bytes > fatbin.size() - header_bytes) throw FatbinError("the fatbin ends early");
  auto body = fatbin.subspan(header_bytes, static_cast<std::size_t>(body_bytes));

  std::vector<FatbinEntry> entries;
  while (!body.empty()) {
    const auto entry_header = load<std::uint32_t>(body, 4);
    const auto payload_bytes = load<std::uint64_t>(body, 8);
    if (entry_header < kEntryHeader || entry_header > body.size())
      throw FatbinError("an entry of the fatbin has no whole header");
    if (payload_bytes > body.size() - entry_header)
      throw FatbinError("an entry of the fatbin is longer than the fatbin");
    const auto payload = body.subspan(entry_header, static_cast<std::size_t>(payload_bytes));
    entries.push_back(read_entry(body.first(entry_header), payload));
    body = body.subspan(entry_header + payload.size());
  }
  return entries;
}

FatbinWrapper read_wrapper(const void* wrapper) {
  struct Raw {
    std::uint32_t magic, version;
    const void* data;
    const void* const* parts;
  } raw;
  if (!wrapper) throw FatbinError("the program registered no fatbin");
  std::memcpy(&raw, wrapper, sizeof raw);
  if (raw.magic != kWrapperMagic)
    throw FatbinError("what the program registered is not a fatbin wrapper");
  FatbinWrapper result;
  if (raw.version == 1) {
    result.fatbins.push_back(fatbin_at(raw.data));
  } else if (raw.version == 2) {
    // `data` holds linked machine code; the parts it was linked from hold the PTX.
    result.relocatable = true;
    for (const void* const* part = raw.parts; part && *part; ++part) {
      if (result.fatbins.size() == kMostFatbins)
        throw FatbinError("the fatbin wrapper's list of parts has no end");
      result.fatbins.push_back(fatbin_at(*part));
    }
    if (result.fatbins.empty()) result.fatbins.push_back(fatbin_at(raw.data));
  } else {
    throw FatbinError("the fatbin wrapper has version " + std::to_string(raw.version) +
                      ", known are 1 and 2");
  }
  return result;
}

std::string unpack_ptx(const FatbinEntry& entry) {
  if (entry.packing == FatbinEntry::Packing::Plain) {
    if (entry.payload.size() > kLargestText)
      throw FatbinError("the PTX in the fatbin is longer than 512 MiB");
    std::string text(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size());
    return text.substr(0, text.find('\0'));  // padded with zeros
  }
  if (entry.unpacked_bytes > kLargestText)
    throw FatbinError("the PTX in the fatbin is longer than 512 MiB");
  const auto size = static_cast<std::size_t>(entry.unpacked_bytes);
  std::string text;
  if (entry.packing == FatbinEntry::Packing::Zstd) {
    text = unpack_zstd(entry.payload, size);
  } else {
    auto decoded = lz4_decode(entry.payload, size);
    if (!decoded) throw FatbinError("the fatbin's LZ4 data is damaged");
    text = std::move(*decoded);
  }
  if (text.size() != size)
    throw FatbinError("the PTX in the fatbin is shorter than its header says");
  return text.substr(0, text.find('\0'));
}

PtxChoice choose_ptx(std::span<const FatbinEntry> entries, std::uint32_t sm) {
  PtxChoice choice;
  const FatbinEntry *best = nullptr, *later = nullptr;
  bool has_own_code = false;
  std::vector<std::string> ptx, sass;
  const auto note = [](std::vector<std::string>& list, const std::string& arch) {
    if (std::find(list.begin(), list.end(), arch) == list.end()) list.push_back(arch);
  };
  for (const FatbinEntry& entry : entries) {
    if (entry.kind == FatbinEntry::Kind::Sass) {
      note(sass, entry.arch());
      has_own_code |= entry.sm / 10 == sm / 10 && runs_on(entry, sm);
    }
    if (entry.kind != FatbinEntry::Kind::Ptx) continue;
    note(ptx, entry.arch());
    if (!runs_on(entry, sm)) {
      if (entry.sm > sm && !entry.suffix && (!later || entry.sm < later->sm)) later = &entry;
      continue;
    }
    // Of two for the same GPU the specific one (sm_90a) says more.
    if (!best || entry.sm > best->sm || (entry.sm == best->sm && entry.suffix && !best->suffix))
      best = &entry;
  }
  // -arch=all-major: machine code for each GPU, PTX for the last one only. The GPU would take its
  // machine code; the same source compiled for a later GPU is the nearest to it.
  if (!best && has_own_code) best = later;
  if (best) {
    choice.entry = *best;
    return choice;
  }
  const auto join = [](const std::vector<std::string>& list) {
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ", ") + item;
    return text;
  };
  const std::string number = std::to_string(sm);
  if (!ptx.empty()) {
    choice.why = "the program holds PTX for " + join(ptx) + ", the modelled GPU is sm_" + number +
                 "; build it with -arch=sm_" + number +
                 " or choose another GPU with WARPLADDER_DEVICE";
  } else if (!sass.empty()) {
    choice.why = "the program holds machine code for " + join(sass) +
                 " only and no PTX, which is what the emulator runs; build it with -arch=sm_" +
                 number + " (or add -gencode arch=compute_" + number + ",code=compute_" + number +
                 ")";
  } else {
    choice.why = "the program holds no device code; build it with -arch=sm_" + number;
  }
  return choice;
}

}  // namespace emu::cudart
