// SPDX-License-Identifier: MIT
// Describes a texel. Arrays and textures themselves are not supported; this needs neither.
#include "cudart/calls/call.hpp"

EMU_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                    cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
