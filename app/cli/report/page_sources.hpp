// SPDX-License-Identifier: MIT
//
// The files of cli/report/page/ as text in the program (component.cmake makes their definitions).
#pragma once

#include <string_view>

namespace rehearse::cli::page {

extern const std::string_view head;  // up to the title
extern const std::string_view style;
extern const std::string_view body;    // from <body> on, without scripts
extern const std::string_view script;  // all scripts, one after another

// Of the statistics of a network of packets; head and style are those above.
extern const std::string_view network_body;
extern const std::string_view network_script;

// Of a calibration; head and style are those above.
extern const std::string_view calibration_body;
extern const std::string_view calibration_script;
extern const std::string_view calibration_program;  // calibrate.c

// Of a last-mile fit; head and style are those above.
extern const std::string_view last_mile_body;
extern const std::string_view last_mile_script;

// Of a profile of computations; head and style are those above.
extern const std::string_view profile_body;
extern const std::string_view profile_script;

// Of the usage of a platform; head is that above, and its style follows that above.
extern const std::string_view usage_style;
extern const std::string_view usage_body;
extern const std::string_view usage_script;

}  // namespace rehearse::cli::page
