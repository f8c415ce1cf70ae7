// SPDX-License-Identifier: MIT
#include "common/irregular/street.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>

#include "common/input.hpp"
#include "common/parallel.hpp"

namespace course {

namespace {

constexpr float kRange = 80, kGround = -kSensorHeight;
constexpr float kLowest = -25, kHighest = 3;  // degrees: the lowest and the highest ring

// A random number in [0, 1) that belongs to these two.
float chance(std::uint64_t seed, std::uint64_t index) {
  return static_cast<float>(random_bits(seed, index) >> 40) * 0x1p-24f;
}
// About normal: four uniform ones, of variance 1.
float bell(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = random_bits(seed, index);
  float sum = -2;
  for (int i = 0; i < 4; ++i) sum += static_cast<float>(bits >> 16 * i & 0xffff) * (1.0f / 0x10000);
  return sum * 1.7320508f;
}

// Everything is a box along the axes or an upright cylinder.
struct Body {
  bool round = false;
  float x = 0, y = 0;            // the middle
  float half_x = 0, half_y = 0;  // of a cylinder both are the radius
  float low = 0, high = 0;
  float reflectance = 0.5f;
  std::uint16_t object = 0;
};

std::vector<Body> furnish(const Street& street) {
  std::vector<Body> bodies;
  std::uint16_t object = 0;
  std::uint64_t draw = 0;
  const auto any = [&](float from, float to) {
    return from + (to - from) * chance(street.seed + 0x5eed, draw++);
  };
  const auto box = [&](float x, float y, float length, float width, float low, float high,
                       float reflectance) {
    bodies.push_back(
        {false, x, y, length / 2, width / 2, kGround + low, kGround + high, reflectance, object});
  };
  // A loop around the street's 160 metres.
  const auto moved = [&](float x, float speed) {
    const double at = std::fmod(x + 80 + speed * street.time, 160.0);
    return static_cast<float>(at < 0 ? at + 80 : at - 80);
  };
  const auto car = [&](float x, float y) {
    ++object;
    box(x, y, 4.4f, 1.8f, 0.25f, 0.9f, 0.7f);
    box(x - 0.2f, y, 2.2f, 1.6f, 0.9f, 1.5f, 0.3f);
  };
  for (const float side : {-1.0f, 1.0f}) {
    for (float x = -80; x < 80;) {  // houses, with gaps between some of them
      const float length = any(8, 18), gap = any(0, 1) < 0.4f ? any(1.5f, 4) : 0.0f;
      ++object;
      box(x + length / 2, side * (9.5f + any(0, 1) + 4), length, 8, 0, any(6, 15), 0.4f);
      x += length + gap;
    }
    for (float x = -78; x < 78; x += 6.6f)  // cars at the kerb
      if (any(0, 1) < 0.65f) car(x + any(-0.4f, 0.4f), side * 4.8f + any(-0.1f, 0.1f));
    for (int i = 0; i < 4; ++i)  // cars that drive, each side its own way
      car(moved(any(-80, 80), side < 0 ? any(7, 13) : -any(7, 13)), side * 1.9f);
    for (int i = 0; i < 18; ++i) {  // people
      const float x = moved(any(-60, 60), any(-1.6f, 1.6f)), y = side * any(6.4f, 8.4f);
      ++object;
      bodies.push_back(
          {true, x, y, 0.24f, 0.24f, kGround, kGround + any(1.5f, 1.9f), 0.6f, object});
    }
    for (float x = -70; x < 75; x += 17) {  // trees
      ++object;
      bodies.push_back({true, x, side * 6.0f, 0.14f, 0.14f, kGround, kGround + 3, 0.3f, object});
      bodies.push_back(
          {true, x, side * 6.0f, 1.1f, 1.1f, kGround + 2.6f, kGround + 5, 0.2f, object});
    }
  }
  return bodies;
}

// Where a ray that starts at the sensor meets a body; infinity: nowhere.
float distance_to(const Body& body, float dx, float dy, float dz) {
  constexpr float kNever = std::numeric_limits<float>::infinity();
  float t = kNever;
  if (body.round) {
    const float along = dx * body.x + dy * body.y, flat = dx * dx + dy * dy;
    const float inside =
        along * along - flat * (body.x * body.x + body.y * body.y - body.half_x * body.half_x);
    if (inside < 0) return kNever;
    t = (along - std::sqrt(inside)) / flat;
  } else {
    float near = 0, far = kNever;
    const auto slab = [&](float middle, float half, float d) {
      const float a = (middle - half) / d, b = (middle + half) / d;
      near = std::max(near, std::min(a, b));
      far = std::min(far, std::max(a, b));
    };
    slab(body.x, body.half_x, dx);
    slab(body.y, body.half_y, dy);
    slab((body.low + body.high) / 2, (body.high - body.low) / 2, dz);
    return near > 0 && near <= far ? near : kNever;
  }
  const float z = t * dz;
  return t > 0 && z >= body.low && z <= body.high ? t : kNever;
}

// All rays of one column of the scan, one for each ring; the objects are those of some columns around.
class Column {
 public:
  Column(const Street& street, std::size_t columns, std::span<const Body> bodies)
      : street_(street), columns_(columns), bodies_(bodies) {}

  // Calls hit(ring, point, object).
  template <class Hit>
  void trace(std::size_t column, Hit hit) {
    const double turn =
        2 * std::numbers::pi * static_cast<double>(column) / static_cast<double>(columns_);
    const auto c = static_cast<float>(std::cos(turn)), s = static_cast<float>(std::sin(turn));
    const auto rings = static_cast<std::uint64_t>(street_.rings);
    const auto moment = static_cast<std::uint64_t>(std::llround(street_.time * 1000));
    const std::uint64_t seed = street_.seed + 0x9e37 * moment;
    choose(c, s);
    for (std::uint64_t ring = 0; ring < rings; ++ring) {
      const std::uint64_t ray = column * rings + ring;
      const float up =
          kLowest + (kHighest - kLowest) * static_cast<float>(ring) / static_cast<float>(rings - 1);
      const float angle = up * std::numbers::pi_v<float> / 180;
      const float flat = std::cos(angle), dx = flat * c, dy = flat * s, dz = std::sin(angle);
      float t = dz < 0 ? kGround / dz : std::numeric_limits<float>::infinity();
      const Body* on = nullptr;
      for (const Body* const body : chosen_)
        if (const float there = distance_to(*body, dx, dy, dz); there < t) t = there, on = body;
      const float lost =
          0.02f + 0.1f * t / kRange;  // the further away, the more often nothing returns
      if (!(t < kRange) || chance(seed + 1, ray) < lost) continue;
      t += 0.015f * bell(seed + 2, ray);
      if (chance(seed + 3, ray) < 0.001f) t *= chance(seed + 4, ray);  // rain, dust, birds
      const float4 point{t * dx, t * dy, t * dz, on ? on->reflectance : 0.15f};
      if (!street_.ground && point.z < kGround + 0.2f) continue;
      hit(ring, point, on ? on->object : std::uint16_t{0});
    }
  }

 private:
  // The bodies that this direction may meet.
  void choose(float c, float s) {
    chosen_.clear();
    for (const Body& body : bodies_) {
      const float along = body.x * c + body.y * s, across = body.x * s - body.y * c;
      const float reach = std::hypot(body.half_x, body.half_y);
      if (along > -reach && std::abs(across) <= reach) chosen_.push_back(&body);
    }
  }
  const Street& street_;
  std::size_t columns_;
  std::span<const Body> bodies_;
  std::vector<const Body*> chosen_;
};

struct Hits {
  std::vector<std::vector<float4>> points;  // for each ring
  std::vector<std::vector<std::uint16_t>> objects;
};

// A scan with so many columns, on all cores: each takes a share of the columns.
std::vector<Hits> trace_all(std::size_t columns, const Street& street,
                            const std::vector<Body>& bodies) {
  const std::size_t shares = std::min<std::size_t>(columns, cpu_threads());
  const auto rings = static_cast<std::size_t>(street.rings);
  std::vector<Hits> all(shares);
  std::vector<std::jthread> workers;
  for (std::size_t k = 0; k < shares; ++k)
    workers.emplace_back([&, k] {
      Hits& hits = all[k];
      hits.points.resize(rings), hits.objects.resize(rings);
      Column one(street, columns, bodies);
      for (std::size_t c = columns * k / shares; c < columns * (k + 1) / shares; ++c)
        one.trace(c, [&](std::uint64_t ring, float4 point, std::uint16_t object) {
          hits.points[ring].push_back(point);
          hits.objects[ring].push_back(object);
        });
    });
  return workers.clear(), all;  // all have ended
}

}  // namespace

LidarScan scan_street(std::size_t n, const Street& street) {
  const std::vector<Body> bodies = furnish(street);
  const auto rings = static_cast<std::size_t>(street.rings);
  LidarScan scan;
  if (n == 0) return scan;
  // More rays than points: of those that return, every so many-th is left out.
  for (std::size_t columns = n * (street.ground ? 5 : 9) / 4 / rings + 8;; columns *= 2) {
    const std::vector<Hits> all = trace_all(columns, street, bodies);
    std::size_t hits = 0;
    for (const Hits& some : all)
      for (const auto& ring : some.points) hits += ring.size();
    if (hits < n) continue;
    scan.points.reserve(n), scan.objects.reserve(n);
    std::size_t number = 0;
    for (std::size_t ring = 0; ring < rings; ++ring)
      for (const Hits& some : all)
        for (std::size_t i = 0; i < some.points[ring].size(); ++i, ++number)
          if ((number + 1) * n / hits != number * n / hits) {
            scan.points.push_back(some.points[ring][i]);
            scan.objects.push_back(some.objects[ring][i]);
          }
    return scan;
  }
}

namespace {

constexpr const char* kKinds[] = {"street", "objects", "blobs",  "cell", "line",
                                  "copies", "lattice", "sparse", "bad"};

float4 normal_point(std::uint64_t seed, std::uint64_t i, float around) {
  return {around * bell(seed, 3 * i), around * bell(seed, 3 * i + 1),
          around * bell(seed, 3 * i + 2), 0};
}
float4 point_in_box(std::uint64_t seed, std::uint64_t i, float edge) {
  return {edge * chance(seed, 3 * i), edge * chance(seed, 3 * i + 1),
          edge * chance(seed, 3 * i + 2), 0};
}
float4 sum(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, 0}; }

// A cloud whose point i depends on i alone.
float4 hard_point(const std::string& kind, std::size_t i, std::size_t n, float eps,
                  std::uint64_t seed) {
  const auto f = [](std::size_t whole) { return static_cast<float>(whole); };
  if (kind == "blobs") {  // forty points to a blob, some of them far out; every eighth anywhere
    const std::size_t blobs = n / 40 + 1, blob = random_bits(seed, i) % (blobs + blobs / 8 + 1);
    const float edge = 3 * eps * std::cbrt(f(blobs));
    if (blob >= blobs) return point_in_box(seed + 1, i, edge);
    return sum(point_in_box(seed + 2, blob, edge), normal_point(seed + 3, i, 0.45f * eps));
  }
  if (kind == "cell")  // so near each other that one cell holds them, however small cells are
    return sum({0.1f * eps, 0.1f * eps, 0.1f * eps, 0}, point_in_box(seed, i, 0.1f * eps));
  if (kind == "line")  // lines of 20,000 points, seventeen of them within eps of each
    return {eps / 8 * f(i % 20000), 3 * eps * f(i / 20000), 0, 0};
  if (kind == "copies")  // every point about fifty times
    return point_in_box(seed, random_bits(seed, i) % (n / 50 + 1), eps * std::cbrt(f(n / 50 + 1)));
  if (kind == "lattice") {  // neighbours are exactly eps / 2, eps and so on away
    const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(f(n)))) + 1;
    return {eps / 2 * f(i % side), eps / 2 * f(i / side % side), eps / 2 * f(i / side / side), 0};
  }
  return point_in_box(seed, i, 2 * eps * std::cbrt(f(n)));  // sparse: hardly two in a cell
}

}  // namespace

std::span<const char* const> cloud_kinds() { return kKinds; }

std::vector<float4> make_cloud(const std::string& kind, std::size_t n, int rings, float eps,
                               std::uint64_t seed) {
  if (kind == "street" || kind == "objects" || kind == "bad") {
    auto points = scan_street(n, {rings, seed, 0, kind != "objects"}).points;
    if (kind != "bad") return points;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float values[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity, 1e30f,
                            eps * 16384};
    for (std::size_t i = 0; i < n; i += 3) {  // one coordinate of every third point
      const std::uint64_t bits = random_bits(seed + 9, i);
      float4& p = points[i];
      (bits % 3 == 0 ? p.x : bits % 3 == 1 ? p.y : p.z) = values[bits / 3 % 5];
    }
    return points;
  }
  std::vector<float4> points(n);
  for (std::size_t i = 0; i < n; ++i) points[i] = hard_point(kind, i, n, eps, seed);
  return points;
}

std::vector<float4> shuffled(const std::vector<float4>& points, std::uint64_t seed) {
  std::vector<float4> mixed = points;
  for (std::size_t i = mixed.size(); i > 1; --i)
    std::swap(mixed[i - 1], mixed[random_bits(seed + 17, i) % i]);
  return mixed;
}

}  // namespace course
