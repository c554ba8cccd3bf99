// SPDX-License-Identifier: MIT
//
// The reasons for the duration of a flow, in words.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "app/flow_run.hpp"

namespace rehearse::cli {

// The word for the limit in reports.
std::string_view name_of(LimitKind kind);

// The name of the limiting link, host or disk; empty for other limits.
std::string limiting_resource(const Limit& limit, const Platform& platform);

// The end in words: `to 0.5 s`, with so many digits.
std::string end_of(const app::FlowEnd& end, int digits);

void explain(std::ostream& out, const app::Flow& flow, const app::FlowEnd& end, const Platform& platform);

}  // namespace rehearse::cli
