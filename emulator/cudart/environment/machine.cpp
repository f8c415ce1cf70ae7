// SPDX-License-Identifier: MIT
#include "cudart/environment/machine.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace emu::cudart {
namespace {

std::optional<std::uint64_t> number(std::string_view text, std::uint64_t least,
                                    std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    return std::nullopt;
  return value;
}

std::vector<std::string_view> parts(std::string_view text, char by) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(by, at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

void take_gpus(Machine& m, const std::string& text) {
  std::vector<const devices::Profile*> gpus;
  for (const std::string_view id : parts(text, ',')) {
    gpus.push_back(devices::find(id));
    if (gpus.back()) continue;
    std::string known;
    for (const auto& p : devices::all()) known += (known.empty() ? "" : ", ") + std::string(p.id);
    m.wrong = "WARPLADDER_DEVICE=" + std::string(id) +
              " names no GPU the emulator knows; there are " + known;
    return;
  }
  if (gpus.size() > kMostDevices) {
    m.wrong =
        "WARPLADDER_DEVICE=" + text + " names more than " + std::to_string(kMostDevices) + " GPUs";
    return;
  }
  m.gpus = gpus;
}

// Where more are asked for than are named, the names are used again from the first on.
void take_count(Machine& m, const std::string& text) {
  const auto count = number(text, 1, kMostDevices);
  if (!count) {
    m.wrong = "WARPLADDER_DEVICES=" + text + " is not a number of GPUs from 1 to " +
              std::to_string(kMostDevices);
    return;
  }
  const auto named = m.gpus;
  m.gpus.clear();
  for (std::size_t i = 0; i < *count; ++i) m.gpus.push_back(named[i % named.size()]);
}

void take_peers(Machine& m, const std::string& text) {
  if (text == "all") return;
  m.all_peers = false;
  if (text == "none") return;
  for (const std::string_view pair : parts(text, ',')) {
    const auto ends = parts(pair, '-');
    const auto a = number(ends.front(), 0, m.gpus.size() - 1);
    const auto b = number(ends.back(), 0, m.gpus.size() - 1);
    if (ends.size() != 2 || !a || !b || *a == *b) {
      m.wrong = "WARPLADDER_PEERS=" + text + " is neither all, none nor pairs of two of the " +
                std::to_string(m.gpus.size()) + " GPUs, as 0-1,2-3";
      return;
    }
    m.pairs.emplace_back(static_cast<int>(*a), static_cast<int>(*b));
  }
}

void take_failure(Machine& m, const std::string& text) {
  const auto words = parts(text, ':');
  const auto device = number(words.front(), 0, m.gpus.size() - 1);
  const auto launch = words.size() == 2 ? number(words.back(), 1, ~std::uint64_t{0})
                                        : std::optional<std::uint64_t>(1);
  if (words.size() > 2 || !device || !launch) {
    m.wrong = "WARPLADDER_FAIL=" + text + " is not DEVICE or DEVICE:LAUNCH, with one of the " +
              std::to_string(m.gpus.size()) + " GPUs and a launch from 1 on";
    return;
  }
  m.failing_device = static_cast<int>(*device);
  m.failing_launch = *launch;
}

}  // namespace

bool Machine::peers(int a, int b) const {
  if (a == b) return false;
  return all_peers || std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) {
           return p == std::pair{a, b} || p == std::pair{b, a};
         });
}

Machine read_machine(const std::string& device, const std::string& devices,
                     const std::string& peers, const std::string& fail) {
  Machine m;
  if (!device.empty()) take_gpus(m, device);
  if (m.wrong.empty() && !devices.empty()) take_count(m, devices);
  if (m.wrong.empty() && !peers.empty()) take_peers(m, peers);
  if (m.wrong.empty() && !fail.empty()) take_failure(m, fail);
  return m;
}

}  // namespace emu::cudart
