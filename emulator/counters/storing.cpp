// SPDX-License-Identifier: MIT
#include "counters/storing.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace emu::observe {
namespace {

struct Point {
  double x, y;
};

// Between the points of a curve.
double on_curve(std::span<const Point> points, double x) {
  if (x <= points.front().x) return points.front().y;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (const auto [end, value] = points[i]; x <= end) {
      const auto [begin, before] = points[i - 1];
      return before + (value - before) * (x - begin) / (end - begin);
    }
  return points.back().y;
}

}  // namespace

double go_together(double lines, const Storing& how) {
  constexpr std::array<Point, 11> kCrowded{{{3, 0.95},
                                            {4, 0.85},
                                            {5, 0.72},
                                            {6, 0.65},
                                            {7, 0.42},
                                            {8, 0.26},
                                            {9, 0.18},
                                            {12, 0.14},
                                            {16, 0.04},
                                            {28, 0.02},
                                            {29, 0}}};
  constexpr std::array<Point, 4> kOnTheirOwn{{{12, 0.97}, {16, 0.75}, {28, 0.75}, {29, 0}}};
  constexpr double kFew = 700, kMany = 1500;  // lines of a multiprocessor
  const double all = how.warps * how.lines_each;
  const double crowd = how.reads ? std::clamp((all - kFew) / (kMany - kFew), 0.0, 1.0) : 1;
  const double alone = on_curve(kOnTheirOwn, lines);
  return alone + crowd * (on_curve(kCrowded, lines) - alone);
}

NotFound not_found_right_behind(double lines, double warps) {
  constexpr double kHardly = 2, kFull = 32;  // warps
  constexpr std::array<Point, 9> kFewStored{{{1, 1.0 / 8},
                                             {2, 0.08},
                                             {6, 0.08},
                                             {7, 0.12},
                                             {8, 0.2},
                                             {9, 0.1},
                                             {16, 0.1},
                                             {20, 0},
                                             {28, 0}}};
  constexpr std::array<Point, 9> kManyStored{{{1, 1.0 / 8},
                                              {2, 0.05},
                                              {6, 0.06},
                                              {7, 0.28},
                                              {8, 0.5},
                                              {9, 0.13},
                                              {10, 0.07},
                                              {20, 0},
                                              {28, 0}}};
  constexpr std::array<Point, 7> kFewRead{
      {{6, 0}, {7, 0.03}, {8, 0.15}, {9, 0.05}, {16, 0.15}, {20, 0.04}, {28, 0.02}}};
  constexpr std::array<Point, 7> kManyRead{
      {{6, 0.05}, {7, 0.15}, {8, 0.2}, {9, 0.1}, {12, 0.08}, {20, 0.04}, {28, 0.03}}};
  constexpr double kAll = 28.5;
  if (lines > kAll) {  // of nearly as many lines as lanes
    if (warps <= kHardly) return {1, 1};
    return warps < kFull ? NotFound{1.0 / 8, 0.5} : NotFound{1.0 / 24, 1.0 / 24};
  }
  if (warps <= kHardly) return {0, lines > 16 ? 0.0 : 0.04};
  const bool many = warps >= kFull;
  return {on_curve(many ? std::span<const Point>(kManyStored) : kFewStored, lines),
          on_curve(many ? std::span<const Point>(kManyRead) : kFewRead, lines)};
}

}  // namespace emu::observe
