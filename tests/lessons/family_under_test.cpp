// SPDX-License-Identifier: MIT
// The families that this executable tests. The build defines, for the folder NN_topic, LESSON_HEADER as
// "lessons/NN_topic/topic.cuh" and LESSON_NAMESPACE as lessonNN.
#include LESSON_HEADER

namespace family_checks {

const course::families::Lesson& lesson() { return LESSON_NAMESPACE::kLesson; }

}  // namespace family_checks
