// SPDX-License-Identifier: MIT
// What a lidar on a car sees in a street, and other clouds of points that are hard to cluster. The same
// numbers give the same points, on however many cores they are made.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace course {

struct LidarScan {
  std::vector<float4> points;  // x ahead, y left, z up, in metres from the sensor; w: reflectance
  std::vector<std::uint16_t> objects;  // what each point was seen on; 0: the ground
};
struct Street {
  int rings = 64;  // how many lasers, one above the other
  std::uint64_t seed = 1;
  double time = 0;     // seconds: cars and people move
  bool ground = true;  // false: what lies less than 20 cm above the road is left out
};
inline constexpr float kSensorHeight = 1.8f;

// Exactly n points in the order of a scan: ring by ring, each once around.
LidarScan scan_street(std::size_t n, const Street& street);

// The kinds of clouds that make_cloud() knows: the street with and without its ground, and hard cases.
std::span<const char* const> cloud_kinds();
std::vector<float4> make_cloud(const std::string& kind, std::size_t n, int rings, float eps,
                               std::uint64_t seed);
// The same points in an order without any locality.
std::vector<float4> shuffled(const std::vector<float4>& points, std::uint64_t seed);

}  // namespace course
