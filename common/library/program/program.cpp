// SPDX-License-Identifier: MIT
#include "common/program/program.hpp"

#include <cstdio>
#include <new>

#include "common/fits.hpp"
#include "common/program/document.hpp"
#include "common/program/options.hpp"

namespace course {

int run_program(const std::string& name, const std::string& json,
                FunctionRef<Worked(const Device&)> work) {
  const auto end = [&](const std::string& message, int code) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), message.c_str());
    return code;
  };
  try {
    const auto device = find_device();
    if (!device) return end(kNoDevice, 3);
    if (!json.empty() && !can_write(json)) return end("cannot write " + json, 2);
    const Worked worked = work(*device);
    if (!json.empty() && !write_document(worked.document, json))
      return end("cannot write " + json, 2);
    return worked.ok ? 0 : 1;
  } catch (const UsageError& error) {
    return end(error.message, 2);
  } catch (const TooLarge& error) {
    return end(error.what(), 2);
  } catch (const CudaError& error) {
    return end(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return end("not enough memory for an n that large", 2);
  }
}

}  // namespace course
