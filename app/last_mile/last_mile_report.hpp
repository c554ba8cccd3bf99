// SPDX-License-Identifier: MIT
//
// The numbers of a last-mile fit as JSON (docs/calibration.md lists the keys).
#pragma once

#include "app/json.hpp"
#include "app/last_mile/last_mile_parts.hpp"

namespace rehearse::app {

Json report_of(const LastMileParts& parts);

}  // namespace rehearse::app
