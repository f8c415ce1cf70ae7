# SPDX-License-Identifier: MIT
# The rooms of the runtime front: what each is for, and which of the others its files may include. From the bottom up; a room
# names only rooms above its own line. The test `rooms.cudart` reads them (CMake does not). Together they are one library, emu_cudart.
#
#   emu_inner_room(room "what it is for" [the rooms it uses] [TESTS the rooms that only its tests use])

emu_inner_room(environment "What the process was started with: settings, which GPUs there are, who watches launches; and how the emulator speaks.")
emu_inner_room(calls "The frame of an API function: the lock, the error state, handles." environment)
emu_inner_room(devices "The modelled GPUs as the API describes them, what a program sets on them, and their clock." calls environment)
emu_inner_room(loading "From the fatbins that nvcc's code registers to linked programs, kernels and variables." calls devices environment)
emu_inner_room(streams "Work and its order: operations, streams, events, host functions, and the rules of a capture."
               calls devices environment)
emu_inner_room(memory "Allocations of every kind, copies and fills." calls devices environment loading streams)
emu_inner_room(launching "From `<<<>>>` to the engine: checks, occupancy, the launch itself." calls devices environment loading streams)
emu_inner_room(graphs "Graphs, what makes them by hand or by capture, and running them."
               calls devices environment launching loading memory streams)
emu_inner_room(exports "The names the library exports: the list, the stubs, and the calls that concern every room."
               calls devices environment graphs launching loading memory streams)
