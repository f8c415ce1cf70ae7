// SPDX-License-Identifier: MIT
// Objects of the program that live as long as a graph refers to them.
#pragma once

#include <cuda_runtime_api.h>

namespace emu::cudart {

void retain_user_object(cudaUserObject_t object, unsigned int count);
void release_user_object(cudaUserObject_t object, unsigned int count);

}  // namespace emu::cudart
