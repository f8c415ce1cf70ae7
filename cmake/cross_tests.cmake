# SPDX-License-Identifier: MIT
# Tests cross.<arch>.*: the emulator built for the other architecture, its unit tests and the recorded vectors under qemu-user.
# What a compiler makes of the loops over lanes differs by target: a fault of one must show from any machine. They take long, so
# they belong to the configuration Long (`ctest -C Long`), and are skipped with a reason where the tools are missing.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(cross_arch aarch64)
else()
  set(cross_arch x86_64)
endif()
set(cross_folder ${PROJECT_SOURCE_DIR}/build/cross_${cross_arch})
set(cross_driver ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/support/cross.py)

add_test(NAME cross.${cross_arch}.build CONFIGURATIONS Long
         COMMAND ${cross_driver} build ${cross_arch} ${cross_folder} --cuda-headers ${CUDAToolkit_INCLUDE_DIRS})
set_tests_properties(cross.${cross_arch}.build PROPERTIES FIXTURES_SETUP cross_build LABELS cross SKIP_RETURN_CODE 77
                                                          TIMEOUT 3600 RUN_SERIAL ON)
# One for each unit test executable; `libcudart` looks at what the library exports.
set(parts devices memory ptx semantics analysis access decode program explore engine counters timing trace cudart vectors emulator
          libcudart)
foreach(part IN LISTS parts)
  add_test(NAME cross.${cross_arch}.${part} CONFIGURATIONS Long
           COMMAND ${cross_driver} test ${cross_folder} "^(unit|exports)[.]${part}([.]|$)")
  set_tests_properties(cross.${cross_arch}.${part} PROPERTIES FIXTURES_REQUIRED cross_build LABELS cross SKIP_RETURN_CODE 77
                                                              TIMEOUT 3600 RUN_SERIAL ON)
endforeach()
