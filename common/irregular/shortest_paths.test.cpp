// SPDX-License-Identifier: MIT
// Shortest paths: two ways of the CPU agree, graphs are what they are called, and the judge sees every vertex.
#include "common/irregular/shortest_paths.hpp"

#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Edge;

TEST_CASE("Dijkstra's distances are those of all rounds") {
  for (const char* const kind : {"roads", "random"})
    for (const std::uint32_t vertices : {0u, 1u, 2u, 10u, 1000u}) {
      INFO(kind << ", " << vertices);
      const auto edges = course::make_graph(kind, vertices, 4);
      const auto one = course::cpu_paths(edges, 1);
      CHECK(one.size() == vertices);
      CHECK(one == course::cpu_paths(edges, 3));
      for (std::uint32_t v = 0; v < vertices; ++v)  // no edge makes a distance shorter
        for (std::uint32_t i = 0; i < course::kMostEdges && one[v] != course::kFar; ++i) {
          const Edge& e = edges[v * course::kMostEdges + i];
          REQUIRE((e.to == v || one[e.to] <= one[v] + e.length));
        }
    }
}

TEST_CASE("streets are as long in both directions, and lead everywhere") {
  const std::uint32_t vertices = 90;
  const auto edges = course::make_graph("roads", vertices, 9);
  for (std::uint32_t v = 0; v < vertices; ++v)
    for (std::uint32_t i = 0; i < course::kMostEdges; ++i) {
      const Edge& e = edges[v * course::kMostEdges + i];
      if (e.to == v) continue;
      bool back = false;
      for (std::uint32_t k = 0; k < course::kMostEdges; ++k) {
        const Edge& b = edges[e.to * course::kMostEdges + k];
        back = back || (b.to == v && b.length == e.length);
      }
      CHECK(back);
      CHECK((e.length >= 1 && e.length <= course::kLongest));
    }
  for (const std::uint32_t d : course::cpu_paths(edges, 1)) CHECK(d != course::kFar);
}

TEST_CASE("the judge of paths names the vertex") {
  const auto problem = course::make_paths({support::device(), 1600, 256, 1, {{"graph", "roads"}}});
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  auto right = course::cpu_paths(course::make_graph("roads", 100, 1), 1);
  const auto judged = [&] {
    COURSE_CHECK(cudaMemcpy(problem->task().distances, right.data(), 400, cudaMemcpyHostToDevice));
    return problem->judge(false);
  };
  CHECK(judged().verdict.ok);
  ++right[99];
  CHECK(judged().where == "the distance of vertex 99");
  problem->solve_on_cpu(2);
  CHECK(problem->judge_cpu().verdict.ok);
}
