# SPDX-License-Identifier: MIT
# One INTERFACE target that carries the warnings of the whole project.

add_library(warpladder_warnings INTERFACE)
add_library(warpladder::warnings ALIAS warpladder_warnings)

set(host_warnings -Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND host_warnings -Wno-restrict)  # false alarms inside std::string (GCC bug 105329)
endif()
if(WARPLADDER_WERROR)
  list(APPEND host_warnings -Werror)
endif()
target_compile_options(warpladder_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${host_warnings}>)
# nvcc hands these to the host compiler; -Wextra would complain about the toolkit's own headers.
target_compile_options(warpladder_warnings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>)
