// SPDX-License-Identifier: MIT
// What the replay does not ask of the emulator, with reasons.
#include "vectors/replay.hpp"

namespace emu::vectors {

const std::vector<std::pair<std::string, std::string>>& rows_without_vectors() {
  static const std::vector<std::pair<std::string, std::string>> rows{
      {"prefetch", "a hint without a result (rows_memory)"},
      {"prefetchu", "a hint without a result (rows_memory)"},
      {"applypriority", "a hint without a result (rows_memory)"},
      {"discard", "makes memory undefined: there is nothing to compare (rows_memory)"},
      {"createpolicy", "its result is opaque and only a hint (rows_memory)"},
      {"cp_async_bulk_prefetch", "a hint without a result (rows_async)"},
      {"trap", "ends the kernel with an error (rows_control)"},
      {"brkpt", "ends the kernel with an error (rows_control)"},
      {"membar", "orders memory and has no result (rows_sync)"},
      {"fence", "orders memory and has no result (rows_sync)"},
      {"fence_proxy",
       "orders memory and has no result; the vectors of cp.async.bulk use it (rows_sync)"},
      {"fence_mbarrier_init",
       "orders memory and has no result; the vectors of st.async use it (rows_sync)"},
      {"activemask", "which lanes run together is up to the machine (rows_warp)"},
      {"movmatrix", "not recorded yet; it moves bits and computes nothing (rows_warp)"},
      {"griddepcontrol", "orders grids and has no result (rows_sync)"},
      {"nanosleep", "takes time and has no result (rows_control)"},
      {"pmevent", "triggers a hardware counter and has no result (rows_control)"},
      {"setmaxnreg", "moves registers between warps and has no result (rows_control)"},
      {"stacksave", "refused with a sentence (rows_control)"},
      {"stackrestore", "refused with a sentence (rows_control)"},
      {"alloca_", "refused with a sentence (rows_control)"},
      {"unknown", "stands for what no row accepts (rows_control)"},
  };
  return rows;
}

const std::vector<std::pair<std::string, std::string>>& known_differences() {
  static const std::vector<std::pair<std::string, std::string>> list{
      {"and.b32 %b, %b, 31; fns.b32 %d, %a, %b, 0x80000000;",
       "the manual counts down from |offset| - 1 and finds nothing (0xffffffff); of -2^31 an H200 "
       "makes 0, whatever the mask"},
      {"or.b32 %a, %a, 0x7f800001; cvt.rna.satfinite.tf32.f32 %d, %a;",
       "the manual says that a NaN stays a NaN under .satfinite; an H200 makes it the largest "
       "number of its sign"},
  };
  return list;
}

}  // namespace emu::vectors
