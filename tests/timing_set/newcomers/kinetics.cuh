// SPDX-License-Identifier: MIT
// Chemical kinetics, a thread per cell of gas: three species with Runge-Kutta steps of a fixed
// length, with steps that are as long as the error allows (threads of a warp differ), the stiff
// case with implicit steps and Newton's method in double, and a network of sixteen species from a
// table, whose concentrations are kept in shared memory.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr int kKineticsSteps = 20, kKineticsImplicitSteps = 5, kKineticsNetworkSteps = 3;
constexpr float kKineticsEnd = 4, kKineticsTolerance = 1e-4f;

template <class T>
struct KineticsMix {
  T a, b, c;
};
using KineticsFloat = KineticsMix<float>;
using KineticsDouble = KineticsMix<double>;
template <class T>
struct KineticsCell {
  KineticsMix<T> x;
  T temperature;
};

// A -> B, B + B -> C + B, B + C -> A + C
template <class T>
__host__ __device__ inline KineticsMix<T> kinetics_change(KineticsMix<T> x, KineticsMix<T> k) {
  const T one = k.a * x.a, two = k.b * x.b * x.b, three = k.c * x.b * x.c;
  return {three - one, one - two - three, two};
}
template <class T>
__host__ __device__ inline KineticsMix<T> kinetics_rates(T temperature) {
  return {2 * exp(-1 / temperature), 20 * exp(-2 / temperature), 8 * exp(T(-1.5) / temperature)};
}
template <class T>
__host__ __device__ inline KineticsMix<T> kinetics_plus(KineticsMix<T> x, T h, KineticsMix<T> d) {
  return {x.a + h * d.a, x.b + h * d.b, x.c + h * d.c};
}
template <class T>
__host__ __device__ inline KineticsMix<T> kinetics_runge(KineticsMix<T> x, KineticsMix<T> k, T end,
                                                         int steps) {
  const T h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const KineticsMix<T> d1 = kinetics_change(x, k);
    const KineticsMix<T> d2 = kinetics_change(kinetics_plus(x, h / 2, d1), k);
    const KineticsMix<T> d3 = kinetics_change(kinetics_plus(x, h / 2, d2), k);
    const KineticsMix<T> d4 = kinetics_change(kinetics_plus(x, h, d3), k);
    x = kinetics_plus(kinetics_plus(x, h / 6, d1), h / 3, d2);
    x = kinetics_plus(kinetics_plus(x, h / 3, d3), h / 6, d4);
  }
  return x;
}

__global__ void kinetics_fixed(KineticsCell<float>* cells, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const KineticsFloat k = kinetics_rates(cells[i].temperature);
  cells[i].x = kinetics_runge(cells[i].x, k, kKineticsEnd / 4, kKineticsSteps);
}

// Bogacki and Shampine's method of third order, with one of second order to tell the error.
__global__ void __launch_bounds__(128)
    kinetics_adaptive(const float* a, const float* b, const float* c, const float* temperature,
                      float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const KineticsFloat k = kinetics_rates(temperature[i]);
  KineticsFloat x = {a[i], b[i], c[i]}, d1 = kinetics_change(x, k);
  float t = 0, h = 0.05f;
  for (int tried = 0; t < kKineticsEnd && tried < 1000; ++tried) {
    h = fminf(h, kKineticsEnd - t);
    const KineticsFloat d2 = kinetics_change(kinetics_plus(x, h / 2, d1), k);
    const KineticsFloat d3 = kinetics_change(kinetics_plus(x, h * 0.75f, d2), k);
    const KineticsFloat next =
        kinetics_plus(kinetics_plus(kinetics_plus(x, h * 2 / 9, d1), h / 3, d2), h * 4 / 9, d3);
    const KineticsFloat d4 = kinetics_change(next, k);
    const auto error = [&](float p, float q, float r, float s) {
      return fabsf(h * (p * (-5.0f / 72) + q / 12 + r / 9 - s / 8));
    };
    const float worst = fmaxf(error(d1.a, d2.a, d3.a, d4.a),
                              fmaxf(error(d1.b, d2.b, d3.b, d4.b), error(d1.c, d2.c, d3.c, d4.c)));
    if (worst <= kKineticsTolerance) {
      t += h;
      x = next;
      d1 = d4;
    }
    h *= fminf(4.0f, fmaxf(0.2f, 0.9f * cbrtf(kKineticsTolerance / (worst + 1e-12f))));
  }
  out[i] = x.a;
  out[n + i] = x.b;
  out[2 * n + i] = x.c;
}

// A step of Euler's backward method: Newton's method until it moves no more.
__host__ __device__ inline KineticsDouble kinetics_backward(KineticsDouble old, KineticsDouble k,
                                                            double h) {
  KineticsDouble x = old;
  for (int i = 0; i < 12; ++i) {
    const KineticsDouble d = kinetics_change(x, k);
    const double ra = old.a + h * d.a - x.a, rb = old.b + h * d.b - x.b, rc = old.c + h * d.c - x.c;
    const double m00 = 1 + h * k.a, m01 = -h * k.c * x.c, m02 = -h * k.c * x.b, m10 = -h * k.a;
    const double m21 = -2 * h * k.b * x.b, f = m10 / m00;
    const double m11 = 1 - m21 - m01 - f * m01, m12 = -m02 - f * m02;
    const double sb = rb - f * ra, g = m21 / m11;
    const double dc = (rc - g * sb) / (1 - g * m12), db = (sb - m12 * dc) / m11;
    const double da = (ra - m01 * db - m02 * dc) / m00;
    x = {x.a + da, x.b + db, x.c + dc};
    if (fabs(da) + fabs(db) + fabs(dc) < 1e-11) break;
  }
  return x;
}
__host__ __device__ inline KineticsDouble kinetics_stiff(KineticsCell<double> cell) {
  const KineticsDouble k = {0.04 * cell.temperature, 3e7, 1e4 / cell.temperature};
  double h = 1e-3;
  for (int i = 0; i < kKineticsImplicitSteps; ++i, h *= 8) cell.x = kinetics_backward(cell.x, k, h);
  return cell.x;
}

__global__ void kinetics_implicit(KineticsCell<double>* cells, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x)
    cells[i].x = kinetics_stiff(cells[i]);
}

constexpr unsigned kKineticsSpecies = 16, kKineticsReactions = 24, kKineticsBlock = 64;

struct KineticsNetwork {
  unsigned char part[kKineticsReactions][4];  // two that react, two that come of it
  float rate[kKineticsReactions];
};
constexpr KineticsNetwork kinetics_network_made() {
  KineticsNetwork network = {};
  for (unsigned r = 0; r < kKineticsReactions; ++r) {
    for (unsigned k = 0; k < 4; ++k)
      network.part[r][k] = static_cast<unsigned char>(mixed(4 * r + k + 1) % kKineticsSpecies);
    network.rate[r] = 0.5f + r / 16.0f;
  }
  return network;
}
static __constant__ KineticsNetwork kKineticsNetwork = kinetics_network_made();

// One Euler step of a cell; its concentrations are stride apart.
__host__ __device__ inline void kinetics_euler(const KineticsNetwork& network, float* x, float* d,
                                               unsigned stride, float h) {
  for (unsigned s = 0; s < kKineticsSpecies; ++s) d[s * stride] = 0;
  for (unsigned r = 0; r < kKineticsReactions; ++r) {
    const unsigned char* part = network.part[r];
    const float speed = network.rate[r] * x[part[0] * stride] * x[part[1] * stride];
    for (int k = 0; k < 4; ++k) d[part[k] * stride] += k < 2 ? -speed : speed;
  }
  for (unsigned s = 0; s < kKineticsSpecies; ++s) x[s * stride] += h * d[s * stride];
}

__global__ void __launch_bounds__(kKineticsBlock) kinetics_network(float* species, unsigned n) {
  __shared__ float x[kKineticsSpecies * kKineticsBlock], d[kKineticsSpecies * kKineticsBlock];
  const unsigned i = thread_number(), t = threadIdx.x;
  if (i >= n) return;  // a thread uses nothing but its own column
  for (unsigned s = 0; s < kKineticsSpecies; ++s) x[s * kKineticsBlock + t] = species[s * n + i];
  for (int step = 0; step < kKineticsNetworkSteps; ++step)
    kinetics_euler(kKineticsNetwork, x + t, d + t, kKineticsBlock, 0.02f);
  for (unsigned s = 0; s < kKineticsSpecies; ++s) species[s * n + i] = x[s * kKineticsBlock + t];
}

inline float kinetics_part(unsigned i, unsigned k) { return (mixed(4 * i + k) >> 16) / 65536.0f; }
inline float kinetics_temperature(unsigned i) {
  return 0.4f + 5 * std::pow(kinetics_part(i, 3), 3.0f);
}
// A problem in place: launch(cells), and what becomes of a cell.
template <class T, class Launch, class Wanted>
Problem kinetics_cells_problem(unsigned n, Launch launch, Wanted wanted, double tolerance) {
  auto cells = array<KineticsCell<T>>(n, [](unsigned i) {
    const T a = 1 - kinetics_part(i, 0) / 4;
    return KineticsCell<T>{{a, 0, 1 - a}, kinetics_temperature(i)};
  });
  return Problem{
      [=] { launch(cells->data()); },
      [=] {
        const std::vector<KineticsCell<T>> got = cells->device.download();
        for (unsigned i = 0; i < n; i += (n - 1 - i) / 1000 + 1) {
          const KineticsCell<T> old = cells->host[i];
          const KineticsDouble x = wanted({{old.x.a, old.x.b, old.x.c}, old.temperature});
          if (!near(got[i].x.a, x.a, tolerance) || !near(got[i].x.b, x.b, tolerance) ||
              !near(got[i].x.c, x.c, tolerance) || got[i].temperature != old.temperature)
            return false;
        }
        return true;
      },
      [=] { cells->restore(); }};
}

inline Problem kinetics_fixed_problem(unsigned n) {
  const auto launch = [=](KineticsCell<float>* cells) {
    kinetics_fixed<<<blocks_of(n), kBlock>>>(cells, n);
  };
  const auto wanted = [](KineticsCell<double> cell) {
    const KineticsDouble k = kinetics_rates(cell.temperature);
    return kinetics_runge<double>(cell.x, k, kKineticsEnd / 4, kKineticsSteps);
  };
  return kinetics_cells_problem<float>(n, launch, wanted, 1e-5);
}

inline Problem kinetics_implicit_problem(unsigned n) {
  const auto launch = [=](KineticsCell<double>* cells) {
    kinetics_implicit<<<std::min(blocks_of(n, 64), 1056u), 64>>>(cells, n);
  };
  return kinetics_cells_problem<double>(n, launch, kinetics_stiff, 1e-9);
}

inline Problem kinetics_adaptive_problem(unsigned n) {
  auto a = uniform(n, 3), b = uniform(n, 4), c = uniform(n, 5);
  auto temperature = array<float>(n, kinetics_temperature);
  auto out = room<float>(3 * n);
  const auto wanted = [=](unsigned i) {
    const auto k = kinetics_rates<double>(temperature->host[i % n]);
    const KineticsDouble start = {a->host[i % n], b->host[i % n], c->host[i % n]};
    const KineticsDouble x = kinetics_runge<double>(start, k, kKineticsEnd, 400);
    return i / n == 0 ? x.a : i / n == 1 ? x.b : x.c;
  };
  return Problem{[=] {
                   kinetics_adaptive<<<blocks_of(n, 128), 128>>>(
                       a->data(), b->data(), c->data(), temperature->data(), out->data(), n);
                 },
                 [=] { return agrees(out, wanted, 1e-3); }};
}

inline Problem kinetics_network_problem(unsigned n) {
  auto species = uniform(kKineticsSpecies * std::size_t{n}, 6);
  const auto wanted = [=](unsigned i) {
    float x[kKineticsSpecies], d[kKineticsSpecies];
    for (unsigned s = 0; s < kKineticsSpecies; ++s) x[s] = species->host[s * n + i % n];
    for (int step = 0; step < kKineticsNetworkSteps; ++step)
      kinetics_euler(kinetics_network_made(), x, d, 1, 0.02f);
    return x[i / n];
  };
  const unsigned block = kKineticsBlock;
  return Problem{[=] { kinetics_network<<<blocks_of(n, block), block>>>(species->data(), n); },
                 [=] { return agrees(species, wanted, 1e-5); }, [=] { species->restore(); }};
}

inline void add_kinetics(Set& set) {
  const std::vector<unsigned> sizes = {1900, 60000, 800000};
  set.add("kinetics_fixed", sizes, kinetics_fixed_problem);
  set.add("kinetics_adaptive", sizes, kinetics_adaptive_problem);
  set.add("kinetics_implicit", sizes, kinetics_implicit_problem);
  set.add("kinetics_network", sizes, kinetics_network_problem);
}

}  // namespace timing_set
