// SPDX-License-Identifier: MIT
//
// Why a flow took as long as it did, in words.
#pragma once

#include <ostream>
#include <string_view>

#include "app/flow_run.hpp"

namespace rehearse::cli {

// One word, as in reports.
std::string_view name_of(LimitKind kind);

// The name of the link, host or disk that limits; empty if it is none.
std::string what_limits(const Limit& limit, const Platform& platform);

void explain(std::ostream& out, const app::Flow& flow, const app::FlowEnd& end, const Platform& platform);

}  // namespace rehearse::cli
