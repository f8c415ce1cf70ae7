// SPDX-License-Identifier: MIT
// User objects: a counted pointer with a destructor, which graphs can hold.
#include "cudart/graphs/user_object.hpp"

#include "cudart/calls/call.hpp"
#include "cudart/graphs/graph.hpp"

namespace emu::cudart {

namespace {

struct UserObject {
  cudaUserObject_t handle = nullptr;
  void* pointer = nullptr;
  cudaHostFn_t destroy = nullptr;
  unsigned int references = 0;
};

using ObjectTable = HandleTable<cudaUserObject_t, UserObject>;

}  // namespace

void retain_user_object(cudaUserObject_t handle, unsigned int count) {
  if (auto object = ObjectTable::instance().find(handle)) object->references += count;
}

void release_user_object(cudaUserObject_t handle, unsigned int count) {
  auto object = ObjectTable::instance().find(handle);
  if (!object) return;
  object->references -= count < object->references ? count : object->references;
  if (object->references != 0) return;
  ObjectTable::instance().remove(handle);
  ApiUnlock unlocked;
  object->destroy(object->pointer);
}

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* pointer, cudaHostFn_t destroy,
                                         unsigned int references, unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (!out || !destroy || references == 0 || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    auto object = std::make_shared<UserObject>();
    object->pointer = pointer;
    object->destroy = destroy;
    object->references = references;
    *out = ObjectTable::instance().add(object);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return call([&]() -> cudaError_t {
    if (!ObjectTable::instance().find(object) || count == 0) return cudaErrorInvalidValue;
    retain_user_object(object, count);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return call([&]() -> cudaError_t {
    if (!ObjectTable::instance().find(object) || count == 0) return cudaErrorInvalidValue;
    release_user_object(object, count);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                              unsigned int count, unsigned int flags) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !ObjectTable::instance().find(object) || count == 0 ||
        (flags & ~cudaGraphUserObjectMove))
      return cudaErrorInvalidValue;
    if (!(flags & cudaGraphUserObjectMove)) retain_user_object(object, count);
    graph->user_objects[object] += count;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                               unsigned int count) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    auto it = graph ? graph->user_objects.find(object) : decltype(graph->user_objects.end()){};
    if (!graph || it == graph->user_objects.end() || count == 0 || count > it->second)
      return cudaErrorInvalidValue;
    it->second -= count;
    if (it->second == 0) graph->user_objects.erase(it);
    release_user_object(object, count);
    return cudaSuccess;
  });
}
