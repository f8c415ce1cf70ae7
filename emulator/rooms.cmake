# SPDX-License-Identifier: MIT
# The rooms of the emulator: what each is for, and which others its files may include. One line each, from the bottom up; the
# test `rooms.directions` reads them here. A room is the folder of its name and the library emu_<room>.
#
#   emu_room(room "what it is for" [the rooms it uses] [TESTS the rooms that only its tests use])

emu_room(devices "The GPUs that the emulator can pretend to be, as data.")
emu_room(memory "The memory of the devices: addresses, allocations, the bytes behind them.")
emu_room(ptx "PTX text in, checked module out; the table of instructions, which holds every fact about them.")
emu_room(semantics "What an instruction computes, as functions of one lane that know nothing of warps." TESTS access decode ptx)
emu_room(analysis "What can be said of a function before it runs: the order of its blocks, liveness, places of registers."
         ptx TESTS engine)
emu_room(machine "The state of an execution: decoded code, warps, blocks, the grid; and who is told of it." devices memory ptx)
emu_room(bind "Handlers for the instructions that compute in registers, and what every binder uses." machine ptx semantics)
emu_room(access "Handlers for the instructions that reach memory, and how an address becomes checked bytes."
         bind machine memory ptx semantics)
emu_room(control "Handlers for what leaves the straight line or lets lanes meet; the functions that the emulator itself provides."
         access bind machine)
emu_room(decode "A function of a module becomes code: instructions in reconvergence order, bound to their handlers."
         access analysis bind control machine ptx semantics)
emu_room(program "Modules are linked for a device: every name gets its place, every kernel its code."
         analysis decode machine memory TESTS engine)
emu_room(explore "Other orders and older values than usual: schedules from a seed, weak memory."
         access control machine semantics TESTS engine)
emu_room(engine "Runs a launch: the grid's blocks, their warps, the lanes that part and meet; reports what goes wrong."
         access control explore machine memory program TESTS devices ptx)
emu_room(counters "Counts what Nsight Compute counts, by its rules; plays the caches." access analysis devices machine memory
         ptx TESTS annotate engine)
emu_room(timing "Models the time of a launch from its counts and a device's constants."
         analysis counters devices machine TESTS annotate engine)
emu_room(trace "Writes every operation that threads see of each other, lane by lane." access machine memory TESTS engine)
emu_room(shadow "Who used which bytes last, by which instruction, and what comes before what." explore machine ptx)
emu_room(check "Finds what a program does wrong though it runs: races, reads of nothing, leaks."
         access control machine memory ptx shadow trace TESTS engine)
emu_room(annotate "Tells people and files what was counted and modelled: annotated source, JSON." counters machine timing)
emu_room(picture "Keeps what a report draws: the worst request of each instruction, the lanes of some warps over time."
         counters machine memory TESTS engine timing)
emu_room(cudart "The CUDA runtime front: libcudart.so.13, by subject."
         annotate check decode devices engine explore machine memory picture program ptx shadow timing trace)
emu_room(vectors "Instructions with recorded results of a real GPU, to compare with." decode devices engine memory program ptx
         semantics)
