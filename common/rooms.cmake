# SPDX-License-Identifier: MIT
# The rooms of common/: what each is for, and which others its files may include. One line each, from the bottom up; the test
# `rooms.common` reads them here. A room is the folder of its name, with the tests of its headers, and library/<room> behind it.
#
#   course_room(room "what it is for" [the rooms it uses] [TESTS the rooms that only its tests use])
#
# `.` is common/ itself: what a CUDA program starts with has the shortest path.

course_room(. "What any program needs that calls CUDA: checked calls, memory, launches, input, all cores, time and the memory roof.")
course_room(program "What makes a program of a lesson: its options, its families of rungs or its experiment, its tables and its JSON."
            . TESTS sums)
course_room(sums "The sum of an array: the rungs of lessons 01 to 05 and their program, the CPU's sums, the precision of lesson 09."
            . program)
course_room(arrays "The other problems whose input is an array, with the CPU's answer, the library's, and the judge." . program)
course_room(irregular "Problems whose work is where the data is: hash tables, trees, graphs, grids that are refined, clouds of points."
            . program)
course_room(several_gpus "Several GPUs that work on one thing, and what they do together." . program)
course_room(exercise "What the runners and the judges of the exercises are made of." .)
