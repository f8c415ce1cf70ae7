// SPDX-License-Identifier: MIT
// The table of profiles, read from the .def files.
#include "devices/profile.hpp"

#include <array>

namespace emu::devices {

namespace {

#define FIELD(field, value) p.field = value;

constexpr Profile h200() {
  Profile p;
#include "devices/h200.def"
  return p;
}

constexpr Profile a100() {
  Profile p;
#include "devices/a100.def"
  return p;
}

constexpr Profile rtx4090() {
  Profile p;
#include "devices/rtx4090.def"
  return p;
}

constexpr Profile t4() {
  Profile p;
#include "devices/t4.def"
  return p;
}

#undef FIELD

// The first one is the default.
constexpr std::array kProfiles = {h200(), a100(), rtx4090(), t4()};

}  // namespace

std::span<const Profile> all() { return kProfiles; }

std::uint64_t resident_clusters(const Profile& gpu, std::uint64_t size, std::uint64_t blocks) {
  if (size <= 2 || gpu.cluster_groups[0] == 0) return gpu.multiprocessors * blocks / size;
  // A group that has fewer multiprocessors than the cluster blocks takes none, even if several
  // blocks fit on each.
  std::uint64_t clusters = 0;
  for (const std::uint64_t group : gpu.cluster_groups)
    if (group >= size) clusters += group * blocks / size;
  return clusters;
}

const Profile* find(std::string_view id) {
  for (const Profile& p : kProfiles)
    if (p.id == id) return &p;
  return nullptr;
}

}  // namespace emu::devices
