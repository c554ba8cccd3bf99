// SPDX-License-Identifier: MIT
//
// The network of a machine in words: its model, each of its numbers, and where they come from.
//
// Names:  those of the options that set them, without dashes.
// Values: in the form of these options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/message_protocol.hpp"
#include "simcore/platform.hpp"

namespace rehearse::app {

struct NetworkDescription {
  std::string model;
  SettingOrigin origin = SettingOrigin::model;  // of the choice of the model
  std::string platform;
  std::string preset;                     // of a built-in platform; empty: none
  std::optional<std::string> calibrated;  // text of the platform file; nothing: uncalibrated
  std::vector<NetworkSetting> settings;   // of the model, then those of the MPI library
};

struct MachineOptions;

// `models`: of the cost model. `has_chosen_network`: the user has named it. Errors: none that make_cost_model does not
// report.
NetworkDescription describe_network(const MachineOptions& options, const ModelOptions& models, const Platform& platform,
                                    const MessageProtocol& protocol, const std::string& algorithms,
                                    bool has_chosen_network);

// One line for the model, one for each setting.
std::vector<std::string> lines_of(const NetworkDescription& network);

Json to_json(const NetworkDescription& network);

}  // namespace rehearse::app
