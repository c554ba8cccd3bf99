// SPDX-License-Identifier: MIT
//
// The fields of collectives in a time-independent trace.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/action.hpp"
#include "trace/ti/fields.hpp"

namespace rehearse::trace::ti {

// Whether this is the name of a collective, in lower case; of a nonblocking one with the i in front.
bool is_collective(std::string_view name);

struct CollectiveCaller {
  std::uint32_t member = 0;
  std::uint32_t members = 1;
};

// `segments` is where those of the action live.
CollectiveAction read_collective(std::string_view name, Fields& fields, const CollectiveCaller& caller,
                                 std::vector<std::uint64_t>& segments);

}  // namespace rehearse::trace::ti
