// SPDX-License-Identifier: MIT
//
// Several observers of one network, in the order of their addition.
//
// Ownership: the observers must outlive it.
#pragma once

#include <vector>

#include "simcore/packet/observer.hpp"

namespace rehearse::packet {

class ObserverList final : public Observer {
 public:
  void add(Observer& observer) { all_.push_back(&observer); }
  // The one to attach: null if there is none, and the only one itself.
  Observer* shared() { return all_.empty() ? nullptr : all_.size() == 1 ? all_.front() : this; }

  void on_transmission(std::uint32_t link, const Packet& packet, Picoseconds start) override {
    for (Observer* each : all_) each->on_transmission(link, packet, start);
  }
  void on_message(std::uint32_t connection, std::uint64_t begin, std::uint64_t bytes, bool has_envelope,
                  const Transfer& transfer) override {
    for (Observer* each : all_) each->on_message(connection, begin, bytes, has_envelope, transfer);
  }
  void on_wait(std::uint32_t link, std::uint32_t bytes, Picoseconds from, Picoseconds until) override {
    for (Observer* each : all_) each->on_wait(link, bytes, from, until);
  }
  void on_requeue(std::uint32_t link, Picoseconds now) override {
    for (Observer* each : all_) each->on_requeue(link, now);
  }
  void on_sender(std::uint32_t connection, Picoseconds now) override {
    for (Observer* each : all_) each->on_sender(connection, now);
  }
  void on_timeout(std::uint32_t connection, Picoseconds waited, Picoseconds now) override {
    for (Observer* each : all_) each->on_timeout(connection, waited, now);
  }
  void on_round_trip(std::uint32_t connection, Picoseconds time, Picoseconds now) override {
    for (Observer* each : all_) each->on_round_trip(connection, time, now);
  }
  void on_close(std::uint32_t connection) override {
    for (Observer* each : all_) each->on_close(connection);
  }
  void on_start(std::uint32_t activity, std::uint32_t connection, const Transfer& transfer, Picoseconds now) override {
    for (Observer* each : all_) each->on_start(activity, connection, transfer, now);
  }
  void on_end(std::uint32_t activity, bool has_failed, Picoseconds now) override {
    for (Observer* each : all_) each->on_end(activity, has_failed, now);
  }
  void on_cancel(std::uint32_t activity, Picoseconds now) override {
    for (Observer* each : all_) each->on_cancel(activity, now);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace rehearse::packet
