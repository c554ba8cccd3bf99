// SPDX-License-Identifier: MIT
//
// The pages of calibrations: each is one self-contained file, which loads nothing from a network.
//
// Order: the same report gives the same bytes.
#pragma once

#include <iosfwd>

#include "app/json.hpp"

namespace rehearse::cli {

// `report`: that of app::Calibration, perhaps with a verification.
void write_calibration_page(std::ostream& out, const app::Json& report);

// `report`: that of app::LastMile.
void write_last_mile_page(std::ostream& out, const app::Json& report);

}  // namespace rehearse::cli
