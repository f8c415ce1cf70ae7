// SPDX-License-Identifier: MIT
// Where is the robot? Poses are scored by where the beams of a laser scan would end on a map: a
// thread per pose on a map of floats; a block per pose with a thread per beam; a thread per pose
// on a map of bytes in tiles of a cache line, with poses in clusters. And the other way round:
// beams are drawn into the map, cell by cell with atomics.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kLidarBeams = 90;
constexpr unsigned kLidarTileWide = 16, kLidarTileHigh = 8;  // 128 bytes
constexpr unsigned kLidarThreads = 128;                      // of a block per pose
constexpr int kLidarHit = 5;

struct LidarPose {
  float x, y, heading;
};

static __constant__ float2 kLidarScan[kLidarBeams];

__global__ void lidar_pose(const float* map, int side, const LidarPose* poses, const float2* beams,
                           float* score, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const LidarPose pose = poses[i];
  const float c = cosf(pose.heading), s = sinf(pose.heading);
  float sum = 0;
  for (unsigned k = 0; k < kLidarBeams; ++k) {
    const int x = static_cast<int>(floorf(pose.x + c * beams[k].x - s * beams[k].y));
    const int y = static_cast<int>(floorf(pose.y + s * beams[k].x + c * beams[k].y));
    if (x >= 0 && x < side && y >= 0 && y < side) sum += map[y * side + x];
  }
  score[i] = sum;
}

__global__ void lidar_beam(const float* map, int side, const LidarPose* poses, const float* angles,
                           const float* ranges, float* score) {
  __shared__ float parts[kLidarThreads];
  const unsigned k = threadIdx.x;
  const LidarPose pose = poses[blockIdx.x];
  parts[k] = 0;
  if (k < kLidarBeams) {
    float s, c;
    sincosf(pose.heading + angles[k], &s, &c);
    const int x = static_cast<int>(floorf(pose.x + ranges[k] * c));
    const int y = static_cast<int>(floorf(pose.y + ranges[k] * s));
    if (x >= 0 && x < side && y >= 0 && y < side) parts[k] = map[y * side + x];
  }
  __syncthreads();
  for (unsigned half = kLidarThreads / 2; half > 0; half /= 2) {
    if (k < half) parts[k] += parts[k + half];
    __syncthreads();
  }
  if (k == 0) score[blockIdx.x] = parts[0];
}

__global__ void lidar_tiled(const unsigned char* __restrict__ map, unsigned across, unsigned down,
                            const float* __restrict__ xs, const float* __restrict__ ys,
                            const float* __restrict__ headings, unsigned* __restrict__ score,
                            unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float px = xs[i], py = ys[i];
  float s, c;
  __sincosf(headings[i], &s, &c);
  unsigned sum = 0;
#pragma unroll 6
  for (unsigned k = 0; k < kLidarBeams; ++k) {
    const float2 beam = kLidarScan[k];
    const int x = __float2int_rd(px + c * beam.x - s * beam.y);
    const int y = __float2int_rd(py + s * beam.x + c * beam.y);
    const unsigned column = static_cast<unsigned>(x) / kLidarTileWide;  // huge for negative ones
    const unsigned row = static_cast<unsigned>(y) / kLidarTileHigh;
    if (column < across && row < down)
      sum += map[(row * across + column) * (kLidarTileWide * kLidarTileHigh) +
                 y % kLidarTileHigh * kLidarTileWide + x % kLidarTileWide];
  }
  score[i] = sum;
}

// Bresenham's line, from cell to cell.
struct LidarLine {
  int x, y, dx, dy, sx, sy, error;
  __host__ __device__ void step() {
    const int twice = 2 * error;
    if (twice >= dy) {
      error += dy;
      x += sx;
    }
    if (twice <= dx) {
      error += dx;
      y += sy;
    }
  }
};

__host__ __device__ inline LidarLine lidar_line(short2 from, short2 to) {
  const int dx = abs(to.x - from.x), dy = -abs(to.y - from.y);
  return {from.x, from.y, dx, dy, to.x > from.x ? 1 : -1, to.y > from.y ? 1 : -1, dx + dy};
}

__global__ void lidar_update(int* map, int side, const short2* places, const short2* ends,
                             unsigned beams) {
  const unsigned i = thread_number();
  if (i >= beams) return;
  const short2 end = ends[i];
  LidarLine line = lidar_line(places[i / kLidarBeams], end);
  while (line.x != end.x || line.y != end.y) {
    atomicAdd(&map[line.y * side + line.x], -1);
    line.step();
  }
  atomicAdd(&map[end.y * side + end.x], kLidarHit);
}

inline unsigned lidar_side(unsigned poses) {
  return poses < 1000 ? 400 : poses < 20000 ? 1504 : 3184;  // whole tiles
}
// A room's walls and some noise, in cells.
inline float lidar_range(unsigned k) {
  return 50 + 40 * std::sin(k * 0.21f) + mixed(k + 3) % 1000 / 50.0f;
}
inline float lidar_angle(unsigned k) { return k * (6.2831853f / kLidarBeams); }
inline float2 lidar_end(unsigned k) {
  return make_float2(lidar_range(k) * std::cos(lidar_angle(k)),
                     lidar_range(k) * std::sin(lidar_angle(k)));
}
inline LidarPose lidar_anywhere(unsigned i, unsigned side) {
  const auto part = [i](unsigned k) { return (mixed(3 * i + k) >> 8) / 16777216.0f; };
  return {part(0) * side, part(1) * side, part(2) * 6.28f};
}
// Smooth, because a beam that ends at a cell's border may fall on either side of it.
inline float lidar_cell(unsigned x, unsigned y) {
  return 0.5f + 0.24f * std::sin(x * 0.05f) + 0.24f * std::cos(y * 0.04f);
}
template <class Value>
double lidar_wanted(LidarPose pose, unsigned side, Value value) {
  double sum = 0;
  const double c = std::cos(double(pose.heading)), s = std::sin(double(pose.heading));
  for (unsigned k = 0; k < kLidarBeams; ++k) {
    const float2 beam = lidar_end(k);
    const double x = std::floor(pose.x + c * beam.x - s * beam.y);
    const double y = std::floor(pose.y + s * beam.x + c * beam.y);
    if (x >= 0 && x < side && y >= 0 && y < side)
      sum += value(static_cast<unsigned>(x), static_cast<unsigned>(y));
  }
  return sum;
}

// launch(map, side, poses, score)
template <class Launch>
Problem lidar_problem(unsigned n, Launch launch) {
  const unsigned side = lidar_side(n);
  auto map = array<float>(side * side, [=](unsigned i) { return lidar_cell(i % side, i / side); });
  auto poses = array<LidarPose>(n, [=](unsigned i) { return lidar_anywhere(i, side); });
  auto score = room<float>(n);
  const auto wanted = [=](unsigned i) { return lidar_wanted(poses->host[i], side, lidar_cell); };
  return Problem{[=] { launch(map->data(), side, poses->data(), score->data()); },
                 [=] { return agrees(score, wanted, 2e-3); }};
}

inline Problem lidar_pose_problem(unsigned n) {
  auto beams = array<float2>(kLidarBeams, lidar_end);
  return lidar_problem(n, [=](const float* map, int side, const LidarPose* poses, float* score) {
    lidar_pose<<<blocks_of(n, 128), 128>>>(map, side, poses, beams->data(), score, n);
  });
}

inline Problem lidar_beam_problem(unsigned n) {
  auto angles = array<float>(kLidarBeams, lidar_angle);
  auto ranges = array<float>(kLidarBeams, lidar_range);
  return lidar_problem(n, [=](const float* map, int side, const LidarPose* poses, float* score) {
    lidar_beam<<<n, kLidarThreads>>>(map, side, poses, angles->data(), ranges->data(), score);
  });
}

inline Problem lidar_tiled_problem(unsigned n) {
  const unsigned side = lidar_side(n), across = side / kLidarTileWide;
  const auto byte = [](unsigned x, unsigned y) {
    return static_cast<unsigned char>(255 * lidar_cell(x, y));
  };
  auto map = array<unsigned char>(side * side, [=](unsigned i) {
    const unsigned in = i % 128, tile = i / 128;
    return byte(tile % across * kLidarTileWide + in % kLidarTileWide,
                tile / across * kLidarTileHigh + in / kLidarTileWide);
  });
  const auto pose = [=](unsigned i) {
    const LidarPose middle = lidar_anywhere(i / 700 + 9, side), off = lidar_anywhere(i, 16);
    return LidarPose{middle.x + off.x, middle.y + off.y, middle.heading + off.heading / 30};
  };
  auto xs = array<float>(n, [=](unsigned i) { return pose(i).x; });
  auto ys = array<float>(n, [=](unsigned i) { return pose(i).y; });
  auto headings = array<float>(n, [=](unsigned i) { return pose(i).heading; });
  auto beams = array<float2>(kLidarBeams, lidar_end);
  COURSE_CHECK(cudaMemcpyToSymbol(kLidarScan, beams->host.data(), sizeof kLidarScan));
  auto score = room<unsigned>(n);
  return Problem{[=] {
                   lidar_tiled<<<blocks_of(n), kBlock>>>(map->data(), across, side / kLidarTileHigh,
                                                         xs->data(), ys->data(), headings->data(),
                                                         score->data(), n);
                 },
                 [=] {
                   return agrees(
                       score, [&](unsigned i) { return lidar_wanted(pose(i), side, byte); }, 3e-3);
                 }};
}

inline Problem lidar_update_problem(unsigned scans) {
  const unsigned side = lidar_side(12 * scans), beams = scans * kLidarBeams;
  const auto inside = [=](float x) {
    return static_cast<short>(std::min(std::max(x, 0.0f), side - 1.0f));
  };
  const auto pose = [=](unsigned i) { return lidar_anywhere(i, side); };
  auto places = array<short2>(
      scans, [=](unsigned i) { return make_short2(inside(pose(i).x), inside(pose(i).y)); });
  auto ends = array<short2>(beams, [=](unsigned i) {
    const LidarPose from = pose(i / kLidarBeams);
    const float range = lidar_range(i), angle = from.heading + lidar_angle(i % kLidarBeams);
    return make_short2(inside(from.x + range * std::cos(angle)),
                       inside(from.y + range * std::sin(angle)));
  });
  auto map = array<int>(side * side, [](unsigned i) { return int(mixed(i) % 100); });
  return Problem{[=] {
                   lidar_update<<<blocks_of(beams, 192), 192>>>(map->data(), side, places->data(),
                                                                ends->data(), beams);
                 },
                 [=] {
                   std::vector<int> wanted = map->host;
                   for (unsigned i = 0; i < beams; ++i) {
                     const short2 end = ends->host[i];
                     LidarLine line = lidar_line(places->host[i / kLidarBeams], end);
                     for (; line.x != end.x || line.y != end.y; line.step())
                       --wanted[line.y * side + line.x];
                     wanted[end.y * side + end.x] += kLidarHit;
                   }
                   return map->device.download() == wanted;
                 },
                 [=] { map->restore(); }};
}

inline void add_lidar(Set& set) {
  const std::vector<unsigned> sizes = {200, 6000, 50000};
  set.add("lidar_pose", sizes, lidar_pose_problem);
  set.add("lidar_beam", sizes, lidar_beam_problem);
  set.add("lidar_tiled", sizes, lidar_tiled_problem);
  set.add("lidar_update", {20, 400, 4000}, lidar_update_problem);
}

}  // namespace timing_set
