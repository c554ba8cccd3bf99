// SPDX-License-Identifier: MIT
//
// See leaks.hpp.
#include "smpi/environment/leaks.hpp"

#include <string>
#include <vector>

#include "smpi/communicator/communicator.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/environment/session.hpp"
#include "smpi/group/group.hpp"
#include "smpi/info/info.hpp"
#include "smpi/op/op.hpp"
#include "smpi/p2p/messages.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

// The objects of one kind that one call of the program left behind.
struct Leak {
  CreationSite site;
  std::size_t count = 0;
  std::string first;  // what the first of them is called; may be empty
};

class Leaks {
 public:
  void add(const CreationSite& site, const std::string& name) {
    for (Leak& leak : leaks_)
      if (leak.site.return_address == site.return_address) {
        ++leak.count;
        return;
      }
    leaks_.push_back({site, 1, name});
  }

  // `one` and `many` name the kind; `fate` says what did not happen to it.
  void report_as(std::string_view id, Severity severity, const char* one, const char* many,
                 const char* fate) const {
    for (const Leak& leak : leaks_) {
      const bool alone = leak.count == 1;
      std::string text = alone ? one : std::to_string(leak.count) + " " + many;
      if (!leak.first.empty()) text += (alone ? ", " : ", the first of them ") + leak.first + ",";
      if (leak.site.function[0] != '\0') text += " from " + text_of(leak.site);
      report(id, severity, text + (alone ? " was " : " were ") + fate, leak.site);
    }
  }

 private:
  std::vector<Leak> leaks_;
};

void report_requests() {
  Leaks pending, inactive;
  requests().for_each_live(
      [&](MPI_Request, const std::unique_ptr<Request>& request, const CreationSite& site) {
        (request->state == Request::State::inactive ? inactive : pending).add(site, "");
      });
  pending.report_as("resource.request", Severity::error, "a started operation",
                    "started operations",
                    "never completed (MPI_Wait, MPI_Test or MPI_Request_free)");
  inactive.report_as("resource.request", Severity::warning, "a persistent request",
                     "persistent requests", "never freed");
}

void report_communicators() {
  Leaks leaks;
  communicators().created().for_each_live(
      [&](MPI_Comm, const CommunicatorRef& communicator, const CreationSite& site) {
        leaks.add(site, communicator->description());
      });
  leaks.report_as("resource.communicator", Severity::warning, "a communicator", "communicators",
                  "never freed");
}

template <class Registry>
void report_registry(const Registry& registry, std::string_view id, const char* one,
                     const char* many) {
  Leaks leaks;
  registry.for_each_live([&](auto, const auto&, const CreationSite& site) { leaks.add(site, ""); });
  leaks.report_as(id, Severity::warning, one, many, "never freed");
}

void report_datatypes() {
  Leaks leaks;
  datatypes().made.for_each_live(
      [&](MPI_Datatype, const Ref<Datatype>& type, const CreationSite& site) {
        if (type->basic() == nullptr) leaks.add(site, "");
      });
  leaks.report_as("resource.datatype", Severity::warning, "a datatype", "datatypes", "never freed");
}

void report_error_handlers() {
  Leaks leaks;
  per_rank<ErrorHandlers>().handlers().for_each_live(
      [&](MPI_Errhandler, const ErrorHandler& handler, const CreationSite& site) {
        if (handler.program_uses > 0) leaks.add(site, "");
      });
  leaks.report_as("resource.error_handler", Severity::warning, "an error handler", "error handlers",
                  "never freed");
}

}  // namespace

void report_leaks() {
  report_requests();
  report_communicators();
  report_registry(sessions(), "resource.session", "a session", "sessions");
  report_registry(taken_messages().live, "resource.message", "a probed message",
                  "probed messages");
  report_datatypes();
  report_registry(groups().made, "resource.group", "a group", "groups");
  report_registry(ops().made, "resource.operator", "an operator", "operators");
  report_registry(infos(), "resource.info", "an info object", "info objects");
  report_error_handlers();
}

}  // namespace rehearse::smpi
