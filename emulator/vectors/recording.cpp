// SPDX-License-Identifier: MIT
// Writes and reads the file of recorded results. All numbers are little-endian, as on every machine
// this runs on. The outputs lie together at the end, which compresses best.
#include "vectors/recording.hpp"

#include <cstring>
#include <stdexcept>

namespace emu::vectors {
namespace {

constexpr std::string_view kMagic = "WLVEC01\n";

template <class T>
void put(std::string& s, T value) {
  s.append(reinterpret_cast<const char*>(&value), sizeof value);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::string_view take(std::size_t n) {
    if (n > bytes_.size()) throw std::runtime_error("the file of recorded vectors ends early");
    const std::string_view part = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return part;
  }
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace

std::string to_bytes(const Recording& recording) {
  std::string s(kMagic);
  put(s, static_cast<std::uint32_t>(recording.device.size()));
  s += recording.device;
  put(s, static_cast<std::uint32_t>(recording.by_kernel.size()));
  for (const auto& [kernel, r] : recording.by_kernel) {
    put(s, kernel);
    put(s, static_cast<std::uint32_t>(r.output.size()));
    put(s, static_cast<std::uint32_t>(r.problem.size()));
  }
  for (const auto& [kernel, r] : recording.by_kernel) {
    s.append(reinterpret_cast<const char*>(r.output.data()), r.output.size());
    s += r.problem;
  }
  return s;
}

Recording from_bytes(std::string_view bytes) {
  Reader in(bytes);
  if (in.take(kMagic.size()) != kMagic)
    throw std::runtime_error("this is not a file of recorded vectors");
  Recording recording;
  recording.device = in.take(in.get<std::uint32_t>());
  struct Entry {
    std::uint64_t kernel;
    std::uint32_t output, problem;
  };
  std::vector<Entry> entries;
  const auto count = in.get<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) {
    Entry e;
    e.kernel = in.get<std::uint64_t>();
    e.output = in.get<std::uint32_t>();
    e.problem = in.get<std::uint32_t>();
    entries.push_back(e);
  }
  for (const Entry& e : entries) {
    Recorded& r = recording.by_kernel[e.kernel];
    const std::string_view output = in.take(e.output);
    r.output.resize(output.size());
    if (!output.empty()) std::memcpy(r.output.data(), output.data(), output.size());
    r.problem = in.take(e.problem);
  }
  if (!in.empty()) throw std::runtime_error("the file of recorded vectors is too long");
  return recording;
}

}  // namespace emu::vectors
