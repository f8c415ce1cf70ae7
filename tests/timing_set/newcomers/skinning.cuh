// SPDX-License-Identifier: MIT
// Skeletal animation: every vertex of a mesh is moved by up to four bones (3x4 matrices) with
// weights. With an array of structs and one product per bone; with planes of coordinates and the
// bones in constant memory; with bones in shared memory, weights in half precision and a grid-
// stride loop; and a crowd, where many figures share a mesh and each has bones of its own.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSkinningBones = 72;
constexpr unsigned kSkinningMesh = 1250;       // vertices of a figure of the crowd
constexpr unsigned kSkinningFigureBones = 40;  // its bones

struct SkinningMatrix {
  float4 row[3];
};
struct SkinningVertex {
  float position[3], normal[3], weight[4];
  unsigned char bone[4];
};

static __constant__ SkinningMatrix kSkinningPose[kSkinningBones];

__host__ __device__ inline float skinning_dot(float4 row, float x, float y, float z, float w) {
  return row.x * x + row.y * y + row.z * z + row.w * w;
}

__device__ inline float4 skinning_blend(float4 a, float4 b, float4 c, float4 d, float4 w) {
  return {
      a.x * w.x + b.x * w.y + c.x * w.z + d.x * w.w, a.y * w.x + b.y * w.y + c.y * w.z + d.y * w.w,
      a.z * w.x + b.z * w.y + c.z * w.z + d.z * w.w, a.w * w.x + b.w * w.y + c.w * w.z + d.w * w.w};
}

__global__ void skinning_plain(const SkinningVertex* vertices, const SkinningMatrix* bones,
                               float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float sum[6] = {};
  for (int k = 0; k < 4; ++k) {
    const float weight = vertices[i].weight[k];
    if (weight == 0) continue;  // most vertices have fewer than four bones
    const SkinningMatrix& bone = bones[vertices[i].bone[k]];
    const float *p = vertices[i].position, *q = vertices[i].normal;
    for (int axis = 0; axis < 3; ++axis) {
      sum[axis] += weight * skinning_dot(bone.row[axis], p[0], p[1], p[2], 1);
      sum[3 + axis] += weight * skinning_dot(bone.row[axis], q[0], q[1], q[2], 0);
    }
  }
  for (int k = 0; k < 6; ++k) out[6 * i + k] = sum[k];
}

__global__ void __launch_bounds__(512)
    skinning_constant(const float* __restrict__ planes, const float4* __restrict__ weights,
                      const uchar4* __restrict__ bones, float* __restrict__ out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 w = weights[i];
  const uchar4 b = bones[i];
  const float x = planes[i], y = planes[n + i], z = planes[2 * n + i];
  const float u = planes[3 * n + i], v = planes[4 * n + i], t = planes[5 * n + i];
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const float4 row =
        skinning_blend(kSkinningPose[b.x].row[axis], kSkinningPose[b.y].row[axis],
                       kSkinningPose[b.z].row[axis], kSkinningPose[b.w].row[axis], w);
    out[axis * n + i] = skinning_dot(row, x, y, z, 1);
    out[(3 + axis) * n + i] = skinning_dot(row, u, v, t, 0);
  }
}

__global__ void skinning_shared(const float4* __restrict__ points,
                                const uint2* __restrict__ weights, const uchar4* __restrict__ bones,
                                const float4* __restrict__ matrices, float4* __restrict__ out,
                                unsigned n) {
  __shared__ float4 rows[3 * kSkinningBones];
  for (unsigned k = threadIdx.x; k < 3 * kSkinningBones; k += blockDim.x) rows[k] = matrices[k];
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const float4 p = points[2 * i], q = points[2 * i + 1];
    uint2 packed = weights[i];
    const float2 low = __half22float2(*reinterpret_cast<__half2*>(&packed.x));
    const float2 high = __half22float2(*reinterpret_cast<__half2*>(&packed.y));
    const float4 w = make_float4(low.x, low.y, high.x, high.y);
    const uchar4 b = bones[i];
    float moved[3], turned[3];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const float4 row = skinning_blend(rows[3 * b.x + axis], rows[3 * b.y + axis],
                                        rows[3 * b.z + axis], rows[3 * b.w + axis], w);
      moved[axis] = skinning_dot(row, p.x, p.y, p.z, 1);
      turned[axis] = skinning_dot(row, q.x, q.y, q.z, 0);
    }
    out[2 * i] = make_float4(moved[0], moved[1], moved[2], 1);
    out[2 * i + 1] = make_float4(turned[0], turned[1], turned[2], 0);
  }
}

__global__ void skinning_crowd(const SkinningVertex* mesh, const SkinningMatrix* bones,
                               float* out) {
  const unsigned i = thread_number(), figure = blockIdx.y;
  if (i >= kSkinningMesh) return;
  const SkinningVertex vertex = mesh[i];
  const float x = vertex.position[0], y = vertex.position[1], z = vertex.position[2];
  float sum[3] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float4* rows = bones[figure * kSkinningFigureBones + vertex.bone[k]].row;
    for (int axis = 0; axis < 3; ++axis)
      sum[axis] += vertex.weight[k] * skinning_dot(__ldg(&rows[axis]), x, y, z, 1);
  }
  for (int axis = 0; axis < 3; ++axis) out[3 * (figure * kSkinningMesh + i) + axis] = sum[axis];
}

// Neighbours in a mesh mostly hang on the same bones.
inline SkinningVertex skinning_vertex(unsigned i, unsigned bones) {
  SkinningVertex vertex;
  unsigned bits = mixed(i + 77);
  const int used = bits % 3 == 0 ? 2 : bits % 3 == 1 ? 3 : 4;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    bits = mixed(bits + 1);
    vertex.weight[k] = k < used ? 1 + bits % 64 : 0;
    vertex.bone[k] = static_cast<unsigned char>((i / 53 + (bits >> 8) % 5) % bones);
    sum += vertex.weight[k];
  }
  for (float& weight : vertex.weight) weight /= sum;
  for (int axis = 0; axis < 3; ++axis) {
    bits = mixed(bits + 2);
    vertex.position[axis] = (bits >> 16) / 65536.0f;
    vertex.normal[axis] = (bits & 0xffff) / 65536.0f - 0.5f;
  }
  return vertex;
}
inline Shared<SkinningVertex> skinning_vertices(unsigned n, unsigned bones) {
  return array<SkinningVertex>(n, [=](unsigned i) { return skinning_vertex(i, bones); });
}
inline Shared<SkinningMatrix> skinning_matrices(unsigned n) {
  return array<SkinningMatrix>(n, [](unsigned i) {
    const auto part = [i](unsigned k) { return (mixed(12 * i + k) >> 16) / 65536.0f - 0.5f; };
    SkinningMatrix made;
    for (unsigned r = 0; r < 3; ++r)
      made.row[r] = make_float4(part(4 * r), part(4 * r + 1), part(4 * r + 2), part(4 * r + 3));
    return made;
  });
}
// Component 0 to 5 of what becomes of a vertex.
inline float skinning_wanted(const SkinningVertex& vertex, const SkinningMatrix* bones, int which) {
  const float* p = which < 3 ? vertex.position : vertex.normal;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += vertex.weight[k] *
           skinning_dot(bones[vertex.bone[k]].row[which % 3], p[0], p[1], p[2], which < 3 ? 1 : 0);
  return sum;
}

inline Problem skinning_plain_problem(unsigned n) {
  auto vertices = skinning_vertices(n, kSkinningBones);
  auto bones = skinning_matrices(kSkinningBones);
  auto out = room<float>(6 * n);
  const auto wanted = [=](unsigned i) {
    return skinning_wanted(vertices->host[i / 6], bones->host.data(), i % 6);
  };
  return Problem{[=] {
                   skinning_plain<<<blocks_of(n, 128), 128>>>(vertices->data(), bones->data(),
                                                              out->data(), n);
                 },
                 [=] { return agrees(out, wanted); }};
}

inline Problem skinning_constant_problem(unsigned n) {
  auto vertices = skinning_vertices(n, kSkinningBones);
  const auto& all = vertices->host;
  auto pose = skinning_matrices(kSkinningBones);
  COURSE_CHECK(cudaMemcpyToSymbol(kSkinningPose, pose->host.data(), sizeof kSkinningPose));
  auto planes = array<float>(6 * n, [&](unsigned i) {
    const SkinningVertex& vertex = all[i % n];
    return i / n < 3 ? vertex.position[i / n] : vertex.normal[i / n - 3];
  });
  auto weights = array<float>(4 * n, [&](unsigned i) { return all[i / 4].weight[i % 4]; });
  auto bones = array<unsigned char>(4 * n, [&](unsigned i) { return all[i / 4].bone[i % 4]; });
  auto out = room<float>(6 * n);
  const auto wanted = [=](unsigned i) {
    return skinning_wanted(vertices->host[i % n], pose->host.data(), i / n);
  };
  return Problem{[=] {
                   skinning_constant<<<blocks_of(n, 512), 512>>>(
                       planes->data(), reinterpret_cast<const float4*>(weights->data()),
                       reinterpret_cast<const uchar4*>(bones->data()), out->data(), n);
                 },
                 [=] { return agrees(out, wanted); }};
}

inline Problem skinning_shared_problem(unsigned n) {
  auto vertices = skinning_vertices(n, kSkinningBones);
  auto& all = vertices->host;
  auto weights = array<__half>(4 * n, [&](unsigned i) { return __half(all[i / 4].weight[i % 4]); });
  for (unsigned i = 0; i < 4 * n; ++i) all[i / 4].weight[i % 4] = __half2float(weights->host[i]);
  auto pose = skinning_matrices(kSkinningBones);
  auto points = array<float4>(2 * n, [&](unsigned i) {
    const float* p = i % 2 == 0 ? all[i / 2].position : all[i / 2].normal;
    return make_float4(p[0], p[1], p[2], 0);
  });
  auto bones = array<unsigned char>(4 * n, [&](unsigned i) { return all[i / 4].bone[i % 4]; });
  auto out = room<float>(8 * n);
  const auto wanted = [=](unsigned i) {
    const int normal = i / 4 % 2;
    if (i % 4 == 3) return 1.0f - normal;
    return skinning_wanted(vertices->host[i / 8], pose->host.data(), i % 4 + 3 * normal);
  };
  return Problem{[=] {
                   skinning_shared<<<std::min(blocks_of(n), 528u), kBlock>>>(
                       points->data(), reinterpret_cast<const uint2*>(weights->data()),
                       reinterpret_cast<const uchar4*>(bones->data()),
                       reinterpret_cast<const float4*>(pose->data()),
                       reinterpret_cast<float4*>(out->data()), n);
                 },
                 [=] { return agrees(out, wanted); }};
}

inline Problem skinning_crowd_problem(unsigned n) {
  const unsigned figures = n / kSkinningMesh;
  auto mesh = skinning_vertices(kSkinningMesh, kSkinningFigureBones);
  auto bones = skinning_matrices(figures * kSkinningFigureBones);
  auto out = room<float>(3 * figures * kSkinningMesh);
  const auto wanted = [=](unsigned i) {
    const unsigned figure = i / 3 / kSkinningMesh;
    return skinning_wanted(mesh->host[i / 3 % kSkinningMesh],
                           &bones->host[figure * kSkinningFigureBones], i % 3);
  };
  return Problem{[=] {
                   skinning_crowd<<<dim3(blocks_of(kSkinningMesh, 192), figures), 192>>>(
                       mesh->data(), bones->data(), out->data());
                 },
                 [=] { return agrees(out, wanted); }};
}

inline void add_skinning(Set& set) {
  const std::vector<unsigned> sizes = {5000, 200000, 1500000};  // multiples of the crowd's mesh
  set.add("skinning_plain", sizes, skinning_plain_problem);
  set.add("skinning_constant", sizes, skinning_constant_problem);
  set.add("skinning_shared", sizes, skinning_shared_problem);
  set.add("skinning_crowd", sizes, skinning_crowd_problem);
}

}  // namespace timing_set
