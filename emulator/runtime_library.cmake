# SPDX-License-Identifier: MIT
# The two forms of the runtime library: libcudart.so.13 and libcudart_static.a; and that its rooms keep their directions.

if(BUILD_TESTING)
  add_test(NAME rooms.cudart COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/support/check_rooms.py
                                     ${CMAKE_CURRENT_SOURCE_DIR}/cudart --prefix cudart/)
  set_tests_properties(rooms.cudart PROPERTIES LABELS unit TIMEOUT 60)
endif()

set(version_script ${CMAKE_CURRENT_SOURCE_DIR}/cudart/exports/libcudart.map)

# The file name, the SONAME and the version node must all be those of the toolkit's library.
file(CONFIGURE OUTPUT empty.cpp CONTENT "")
add_library(emu_cudart_shared SHARED ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp)
set_target_properties(emu_cudart_shared PROPERTIES OUTPUT_NAME cudart SOVERSION 13 LINK_DEPENDS ${version_script})
target_link_libraries(emu_cudart_shared PRIVATE -Wl,--whole-archive $<TARGET_FILE:emu_all> -Wl,--no-whole-archive emu_all)
target_link_options(emu_cudart_shared PRIVATE -Wl,--version-script=${version_script} -Wl,-Bsymbolic-functions
                                              -Wl,--exclude-libs,libzstd.a)
if(NOT WARPLADDER_SANITIZE)
  target_link_options(emu_cudart_shared PRIVATE -Wl,-z,defs)
  if(BUILD_TESTING)
    add_test(NAME exports.libcudart
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/support/check_exports.py
                     $<TARGET_FILE:emu_cudart_shared> ${CMAKE_CURRENT_SOURCE_DIR}/cudart/exports/exports.def --nm ${CMAKE_NM})
    set_tests_properties(exports.libcudart PROPERTIES LABELS unit TIMEOUT 60)
  endif()
endif()

# One archive with one object, in which everything but the CUDA API is local: it links into any program, also into one
# that has a zstd of its own. Groups become plain sections, or the linker would drop those that the program has too, and with
# them what finds the handlers of exceptions. `nvcc` takes it for its own libcudart_static.a when -L<this folder> comes first.
if(NOT ZSTD_STATIC_LIBRARY OR NOT CMAKE_OBJCOPY OR WARPLADDER_SANITIZE)
  message(STATUS "emulator: libcudart_static.a is not built (it needs libzstd.a and objcopy, and no sanitizer)")
  return()
endif()
set(static_library ${CMAKE_BINARY_DIR}/lib/libcudart_static.a)
set(object ${CMAKE_CURRENT_BINARY_DIR}/cudart_static.o)
add_custom_command(
  OUTPUT ${static_library}
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${object} --whole-archive $<TARGET_FILE:emu_all> --no-whole-archive ${ZSTD_STATIC_LIBRARY}
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --localize-symbol=ZSTD* --localize-symbol=HUF*
          --localize-symbol=FSE* --localize-symbol=HIST* --localize-symbol=XXH* --localize-symbol=ZDICT*
          --localize-symbol=ZBUFF* --localize-symbol=POOL_* --localize-symbol=ERR_* --localize-symbol=divsufsort*
          --localize-symbol=COVER_* --localize-symbol=g_* ${object}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${static_library}
  COMMAND ${CMAKE_AR} qcs ${static_library} ${object}
  DEPENDS emu_all
  COMMENT "Merging libcudart_static.a"
  VERBATIM)
add_custom_target(emu_cudart_static ALL DEPENDS ${static_library})
