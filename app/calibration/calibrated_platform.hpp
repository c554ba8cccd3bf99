// SPDX-License-Identifier: MIT
//
// The platform file of a calibration.
//
// Star:  one <cluster> whose hosts are node-0, node-1, ...; each has a full-duplex link with half of the latency, and a
//        loopback if it was measured.
// Units: bytes, seconds, flop/s.
#pragma once

#include <optional>
#include <string>

#include "app/calibration/contention_fit.hpp"
#include "app/calibration/message_model.hpp"
#include "simcore/platform_text.hpp"

namespace rehearse::app {

struct CalibratedNetwork {
  MessageModel model;
  std::vector<LinkContention> contention;
  std::optional<double> cross_traffic;
  std::optional<Loopback> loopback;
  std::string about;  // when, where, with which MPI library and error
};

// The text between the double quotes of an attribute.
std::string xml_attribute(const std::string& text);

PlatformSettingTexts settings_of(const CalibratedNetwork& network);

struct StarShape {
  std::uint32_t nodes = 2;
  std::uint32_t cores = 1;
  double flops_per_second = 1e10;
};

std::string star_with_settings(const StarShape& shape, const CalibratedNetwork& network);

}  // namespace rehearse::app
