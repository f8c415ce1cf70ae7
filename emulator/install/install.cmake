# SPDX-License-Identifier: MIT
# `cmake --install`: the emulator alone, as the component "emulator". Its libraries have the names of NVIDIA's, so they lie in
# a folder of their own, which no linker or loader searches by itself; the launcher and the CMake package lead there.

if(NOT TARGET emu_cudart_shared)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries ${CMAKE_INSTALL_LIBDIR}/warpladder)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/WarpLadder)
set(made ${CMAKE_CURRENT_BINARY_DIR}/install)

file(GLOB WARPLADDER_GPUS CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/devices devices/*.def)
list(FILTER WARPLADDER_GPUS EXCLUDE REGEX "_timing\\.def$")
list(TRANSFORM WARPLADDER_GPUS REPLACE "\\.def$" "")
list(JOIN WARPLADDER_GPUS ", " WARPLADDER_GPUS_SHOWN)
list(JOIN WARPLADDER_GPUS " " WARPLADDER_GPUS)

set(WARPLADDER_BUILT_FOR "for ${CMAKE_SYSTEM_PROCESSOR}")
if(WARPLADDER_NATIVE)
  string(APPEND WARPLADDER_BUILT_FOR ", compiled for the CPU of the machine that built it")
endif()

# From bin/ and from the package's folder to the libraries: the prefix may be moved.
set(root /prefix)
foreach(from BIN PACKAGE)
  set(folder ${CMAKE_INSTALL_BINDIR})
  if(from STREQUAL "PACKAGE")
    set(folder ${package})
  endif()
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${root})
  cmake_path(ABSOLUTE_PATH libraries BASE_DIRECTORY ${root} OUTPUT_VARIABLE target)
  file(RELATIVE_PATH WARPLADDER_LIBRARIES_FROM_${from} ${folder} ${target})
endforeach()

configure_file(install/warpladder.in ${made}/warpladder @ONLY)
configure_file(install/warpladder.1.in ${made}/warpladder.1 @ONLY)
configure_file(install/WarpLadderConfig.cmake.in ${made}/WarpLadderConfig.cmake @ONLY)
write_basic_package_version_file(${made}/WarpLadderConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS emu_cudart_shared LIBRARY DESTINATION ${libraries} COMPONENT emulator)
if(TARGET emu_cudart_static)
  install(FILES ${static_library} DESTINATION ${libraries} COMPONENT emulator)
endif()
install(PROGRAMS ${made}/warpladder DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT emulator)
install(FILES ${made}/warpladder.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT emulator)
install(FILES ${made}/WarpLadderConfig.cmake ${made}/WarpLadderConfigVersion.cmake DESTINATION ${package} COMPONENT emulator)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT emulator)
if(WARPLADDER_NATIVE)
  install(CODE "message(STATUS \"The emulator was compiled for this machine's CPU; configure with -DWARPLADDER_NATIVE=OFF\"
                        \" for one that can be copied to others.\")" COMPONENT emulator)
endif()
