// SPDX-License-Identifier: MIT
#include "common/flushing.cuh"

namespace course {

namespace {

// Several times the cache: which line goes when a new one comes is the GPU's secret, and it is not
// always the oldest. A reading flush is long enough, too, for the host to enqueue what is timed.
std::size_t flush_bytes(const Device& device, Flush how) {
  const auto l2 = static_cast<std::size_t>(device.l2_bytes) & ~std::size_t{15};
  if (how == Flush::None) return 0;
  if (device.emulated) return how == Flush::Dirty ? l2 : 0;
  return (how == Flush::Clean ? 8 : 4) * l2;
}

}  // namespace

L2Flush::L2Flush(const Device& device, Flush how)
    : device_(device), how_(how), buffer_(flush_bytes(device, how)), reading_(device) {
  if (buffer_.size() > 0) COURSE_CHECK(cudaMemset(buffer_.data(), Reading::kFill, buffer_.bytes()));
}

void L2Flush::operator()() {
  if (how_ == Flush::None) {
    if (!device_.emulated) launch_pause();
  } else if (how_ == Flush::Dirty) {
    COURSE_CHECK(cudaMemset(buffer_.data(), Reading::kFill, buffer_.bytes()));
  } else if (device_.emulated) {
    COURSE_CHECK(cudaCtxResetPersistingL2Cache());
  } else {
    reading_.launch(buffer_.data(), buffer_.bytes());
  }
}

}  // namespace course
