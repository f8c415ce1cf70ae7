// SPDX-License-Identifier: MIT
// What an exercise's run.cu is made with: it brings a case's arrays to the device, calls what the
// student wrote, and gives back the arrays that came of it. It knows no expected value.
//
//   #include "common/exercise/run.cuh"
//   #include STUDENT_FILE
//   static void run_case(Run& run) {
//     auto x = run.input<int>("x");
//     auto sum = run.output<int>("sum", 1);
//     warp_sum<<<1, 32>>>(x.data(), x.size(), sum.data());
//   }
//   EXERCISE_MAIN(run_case)
//
// The program is called as `runner INPUTS OUTPUTS [--only CASE] [--time REPEATS]`: folders with NAME.in
// and NAME.out; with --time also NAME.time, milliseconds from the last array to the end of the work.
// It stops at the first CUDA error (exit code 10), because the device is of no more use then.
// The work is in run.cpp, which is compiled once: a student waits for what stands here each time.
#pragma once

#include "common/exercise/types.hpp"

namespace course::exercise {

// An array on the device, or on the host. The run owns the memory.
template <class T>
class Array {
 public:
  Array(T* data, std::size_t size) : data_(data), size_(size) {}
  T* data() const { return data_; }  // null if there are no elements
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }  // of an array on the host
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

 private:
  T* data_;
  std::size_t size_;
};

// One case while it runs.
class Run {
 public:
  struct State;
  explicit Run(State& state) : state_(state) {}

  // The case's array, on the device.
  template <class T>
  Array<T> input(const char* name) {
    const Bytes host = host_bytes(name, TypeName<T>::value);
    return array<T>(on_device(name, host.size, host.data));
  }
  // The case's array, on the host; and its one number.
  template <class T>
  Array<const T> host(const char* name) {
    const Bytes host = host_bytes(name, TypeName<T>::value);
    return {static_cast<const T*>(host.data), host.size / sizeof(T)};
  }
  template <class T>
  T one(const char* name) {
    return host<T>(name)[0];
  }

  // An array on the device that the student's code must fill. It is full of poison (0xCD) and goes
  // to the judge when the case is over.
  template <class T>
  Array<T> output(const char* name, std::size_t size) {
    return array<T>(collected(name, TypeName<T>::value, size * sizeof(T), nullptr));
  }
  // An output that starts as the case's array of another name: what is changed in place.
  template <class T>
  Array<T> output_from(const char* name, const char* input) {
    const Bytes host = host_bytes(input, TypeName<T>::value);
    return array<T>(collected(name, TypeName<T>::value, host.size, host.data));
  }
  // An output of which every byte is 0: a counter.
  template <class T>
  Array<T> output_zero(const char* name, std::size_t size) {
    const Array<T> out = output<T>(name, size);
    set_zero(out.data(), size * sizeof(T));
    return out;
  }
  // An output that is on the host already.
  template <class T>
  void output_host(const char* name, const T* values, std::size_t size) {
    keep(name, TypeName<T>::value, values, size * sizeof(T));
  }

  // From now on arrays are made, and kernels launched, on another GPU: rank 0, 1, ... With fewer GPUs than
  // ranks, ranks share one. Each reaches the memory of all others. Make all arrays before the first launch.
  void on(int rank);

  // Memory on the device that is neither: room to work in, full of poison.
  template <class T>
  Array<T> scratch(std::size_t size) {
    return array<T>(on_device("scratch", size * sizeof(T), nullptr));
  }

 private:
  struct Bytes {
    const void* data;
    std::size_t size;
  };
  template <class T>
  static Array<T> array(Bytes bytes) {
    return {static_cast<T*>(const_cast<void*>(bytes.data)), bytes.size / sizeof(T)};
  }
  Bytes host_bytes(const char* name, const char* type);
  Bytes on_device(const char* name, std::size_t bytes, const void* start);
  Bytes collected(const char* name, const char* type, std::size_t bytes, const void* start);
  void set_zero(void* data, std::size_t bytes);
  void keep(const char* name, const char* type, const void* data, std::size_t bytes);

  State& state_;
};

int run_main(int argc, char** argv, void (*run_case)(Run&));

}  // namespace course::exercise

using course::exercise::Run;

#define EXERCISE_MAIN(run_case) \
  int main(int argc, char** argv) { return ::course::exercise::run_main(argc, argv, run_case); }
