// SPDX-License-Identifier: MIT
// The table of rungs that this executable tests. The build defines, for the folder NN_topic,
// LESSON_HEADER as "lessons/NN_topic/topic.cuh" and LESSON_NAMESPACE as lessonNN.
#include LESSON_HEADER

namespace rung_checks {

const course::Lesson& lesson() { return LESSON_NAMESPACE::kLesson; }

}  // namespace rung_checks
