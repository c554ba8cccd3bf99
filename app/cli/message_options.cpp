// SPDX-License-Identifier: MIT
//
// See message_options.hpp.
#include "app/cli/message_options.hpp"

#include <string>
#include <utility>

#include "app/cli/verb_options.hpp"

namespace rehearse::cli {

void declare(OptionSet& app, MessageProtocolOptions& options) {
  app.add_option("--eager", options.eager_bytes, "largest message that is sent eagerly, in bytes")
      ->check(whole_number(0, UINT64_MAX));
  const auto table = [&app](const char* name, SizeCost& target, const char* help) {
    app.add_option_function(
        name,
        [&target](const std::string& text) {
          auto cost = parse_size_cost(text);
          if (!cost) return cost.error().text;
          target = std::move(cost.value());
          return std::string();
        },
        help);
  };
  table("--os", options.costs.send,
        "time that a rank spends in a blocking send, by message size: "
        "BYTES:SECONDS:SECONDS_PER_BYTE;...");
  table("--ois", options.costs.started_send, "time that a rank spends in a nonblocking send, in the same form");
  table("--or", options.costs.receive, "time that a rank spends in receiving an eager message, in the same form");
  app.add_option_function(
         "--handshake",
         [&handshake = options.handshake](const std::string& word) {
           handshake = word == "announced" ? Handshake::announced : Handshake::answered;
           return std::string();
         },
         "rendezvous of messages above --eager: answered (data wait for the receiver's answer) or announced "
         "(data leave when the receive is posted)")
      ->check(one_of({"answered", "announced"}));
}

}  // namespace rehearse::cli
