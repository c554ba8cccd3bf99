// SPDX-License-Identifier: GPL-2.0-only
//
// One simulation that another program leads by the messages of simcore/ns3/protocol.hpp.
//
// Errors:  handle() returns false after a message that ends the session: Bye, or one that makes no sense, which
//          Problem answers.
// Threads: none.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "ns3/connections.hpp"
#include "ns3/step_simulator.hpp"

namespace rehearse_ns3 {

class Session {
 public:
  using Output = std::function<void(const std::string&)>;

  explicit Session(Output output) : output_(std::move(output)) {}
  ~Session();

  bool handle(const protocol::Frame& frame);

 private:
  struct Network {
    explicit Network(const protocol::Hello& hello);

    Links links;
    Hosts hosts;
    Connections connections;
  };

  bool begin(const protocol::Frame& frame);
  bool add_path(const protocol::Frame& frame);
  bool change(const protocol::Frame& frame);
  bool run(const protocol::Frame& frame);
  bool answer(const protocol::Frame& frame);
  void report_progress();
  bool refuse(const std::string& text);
  template <class Message>
  void put(const Message& message);

  Output output_;
  ns3::Ptr<StepSimulator> simulator_;
  std::unique_ptr<Network> network_;
  std::chrono::steady_clock::time_point reported_;
};

}  // namespace rehearse_ns3
