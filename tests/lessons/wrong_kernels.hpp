// SPDX-License-Identifier: MIT
// Sums that are wrong on purpose, each with one mistake that students make, and one that is right.
#pragma once

#include <span>

#include "common/sums/rung.cuh"

namespace wrong_kernels {

const course::Rung& right();

// Verification must refuse each of these at a size that is no multiple of the block.
std::span<const course::Rung> refused();

// Threads read what others have not written yet: wrong on most runs of a GPU, and on every run of
// the emulator.
const course::Rung& missing_barrier();

// Each element is rounded to half precision, the sum is not. Such errors have random signs and grow
// with sqrt(n), the error bound grows with n: small sizes show it.
const course::Rung& through_half();

// Ends in a CUDA error, and the device is lost for the rest of the process.
const course::Rung& unaligned_vector();

// The index is an int: elements from 2^31 on are lost. No smaller array shows it.
const course::Rung& int_index();

// The largest of n integers with 1024 threads; `identity` is what threads without an element bring.
int largest(const int* in, std::size_t n, int identity);

}  // namespace wrong_kernels
