// SPDX-License-Identifier: MIT
//
// Mailboxes whose puts and gets are in several processes. All of one mailbox meet at its home: the process that gets
// from it first. The coordinator knows the homes; puts wait here until there is one.
//
// Home:     a put or get of another process is announced to the home and has a record there (RemoteEnds), which the
//           kernel matches with others as in one process. Its end there is reported to the process that it came from.
// Content:  of up to 64 KiB comes with the announcement; larger content goes from the sender to the receiver when both
//           have met.
// Ends:     a put ends when the receiver has the content, and says so.
// Threads:  none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "simcore/kernel/far_side.hpp"
#include "simcore/real/peers.hpp"

namespace rehearse::sim::kernel {
class Kernel;
}

namespace rehearse::real {

class PostOffice {
 public:
  struct Counters {
    std::uint64_t messages = 0;  // that have arrived here
    double bytes = 0;
  };
  using Ask = std::function<void(const std::string& mailbox, bool claims)>;
  using Refuse = std::function<void(const std::string& what)>;

  PostOffice(sim::kernel::Kernel& kernel, PeerNetwork& network, std::uint32_t self, Ask ask, Refuse refuse)
      : kernel_(kernel), network_(network), self_(self), ask_(std::move(ask)), refuse_(std::move(refuse)) {}

  // ---- of the kernel
  void post(sim::kernel::ActivityRecord& activity);   // its mailbox is not at home here, or not known to be
  void start(sim::kernel::ActivityRecord& activity);  // a message begins
  void require_home(sim::kernel::PutGetQueue& place, const char* what);
  bool take_back(sim::kernel::ActivityRecord& activity);
  // Ends the messages between actors of this process that have begun. False: there are none.
  bool finish_near();
  bool has_near() const { return !near_.empty(); }

  // ---- of other processes
  void home_is(std::string_view mailbox, std::uint32_t process);
  void received(std::uint32_t process, PeerKind kind, std::string_view body);
  void lost(std::uint32_t process);

  const Counters& counters() const { return counters_; }

 private:
  using Record = sim::Reference<sim::kernel::ActivityRecord>;
  using End = sim::kernel::RemoteEnds::End;
  enum class Side : std::uint8_t { put, get };

  // A put or get of this process that is known elsewhere.
  struct Sent {
    Record record;
    std::uint32_t home = 0;
    std::optional<std::uint32_t> partner;   // process of the other side, once known
    std::optional<std::uint32_t> transfer;  // number of its content
    std::optional<bool> was_taken_back;     // the answer of the home
  };
  // Content on its way here.
  struct Arriving {
    bool is_at_home = false;
    std::uint32_t slot = 0;  // of the waiting record
    std::uint64_t put = 0;   // its number at the sender
    double bytes = 0;
    std::string type, content;
    std::uint64_t content_bytes = 0, rest = 0;
  };
  struct Failed {
    sim::ActivityState state;
    sim::kernel::Failure failure;
  };

  void begin(sim::kernel::ActivityRecord& activity);  // its home is known
  std::uint32_t keep(Side side, sim::kernel::ActivityRecord& activity, std::uint32_t home);
  void announce_put(sim::kernel::ActivityRecord& activity, std::uint32_t home);
  void announce_get(sim::kernel::ActivityRecord& activity, std::uint32_t home);
  void forward(sim::kernel::ActivityRecord& activity);
  void fetch(sim::kernel::ActivityRecord& activity);
  void send_content(std::uint32_t number, std::uint32_t process, std::uint32_t slot, bool to_home);
  void hand_over(std::uint32_t put, std::uint32_t get);  // both are here, the home is not
  void own_ended(Side side, std::uint32_t number);
  void stand_in_ended(Side side, const End& end, const sim::kernel::ActivityRecord& record);
  Record take(std::map<std::uint32_t, Sent>& from, std::uint32_t number);
  void end(const Record& record, Failed failed);
  void report_arrival(std::uint32_t process, std::uint64_t put);
  void report_broken(std::uint32_t process, bool is_get, std::uint64_t number, Failed failed);
  void arrive(std::uint32_t get, std::uint32_t sender, std::uint64_t put, double bytes, sim::Payload payload);
  void put_has_arrived(std::uint32_t put);
  void count(const sim::kernel::ActivityRecord& record);
  void stop(const Arriving& arriving, Failed failed);

  // Messages of other processes.
  void on_announcement(std::uint32_t process, Side side, remote::Unpacker& body);
  void on_withdrawal(std::uint32_t process, remote::Unpacker& body);
  void on_answer(remote::Unpacker& body);
  void on_send_to(remote::Unpacker& body);
  void on_delivery(std::uint32_t process, remote::Unpacker& body);
  void on_content(std::uint32_t process, remote::Unpacker& body);
  void on_part(std::uint32_t process, remote::Unpacker& body);
  void on_arrived(remote::Unpacker& body);
  void on_broken(remote::Unpacker& body);
  void on_stopped(std::uint32_t process, remote::Unpacker& body);

  sim::kernel::Kernel& kernel_;
  PeerNetwork& network_;
  std::uint32_t self_;
  Ask ask_;
  Refuse refuse_;
  std::uint32_t numbers_ = 0;
  std::map<std::uint32_t, Sent> puts_, gets_;
  std::map<std::uint32_t, Record> awaited_;                                     // at home: content comes
  std::map<std::tuple<std::uint32_t, std::uint64_t, Side>, Record> stand_ins_;  // at home
  std::map<std::pair<std::uint32_t, std::uint32_t>, Arriving> arriving_;        // by process and transfer
  std::map<sim::kernel::PutGetQueue*, std::vector<Record>> without_home_;
  std::map<sim::kernel::PutGetQueue*, bool> asked_;  // whether this process claims it
  std::map<sim::kernel::PutGetQueue*, std::vector<sim::Reference<sim::kernel::ActorRecord>>> waiting_for_home_;
  std::vector<Record> near_;
  Counters counters_;
};

}  // namespace rehearse::real
