// SPDX-License-Identifier: MIT
//
// The keys of --packet when the transport is the kernel's: some are for the model, some are settings of the kernel, and
// the others have no meaning.
//
// Errors: the key, and the accepted ones, or the value and the accepted values. The model checks its own keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/attach/interface.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct AttachedKeys {
  std::string model;  // for the packet model
  std::uint32_t mtu = 1500;
  std::vector<KernelSetting> settings;
};

// Times of the kernel are multiplied by `factor`.
Result<AttachedKeys> split_keys(std::string_view text, double factor);

}  // namespace rehearse::app
