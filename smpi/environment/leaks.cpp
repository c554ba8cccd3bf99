// SPDX-License-Identifier: MIT
//
// See leaks.hpp.
#include "smpi/environment/leaks.hpp"

#include <string>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/communicator/port.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/environment/session.hpp"
#include "smpi/file/file.hpp"
#include "smpi/group/group.hpp"
#include "smpi/info/info.hpp"
#include "smpi/op/op.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/p2p/messages.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request.hpp"
#include "smpi/request/unstarted.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

// The objects of one kind that one call of the program created and that were not freed.
struct Leak {
  CreationSite site;
  std::size_t count = 0;
  std::string first;  // the name of the first object; may be empty
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

  // `one` and `many` name the kind; `missing` is the missing action ("never freed").
  void report_as(std::string_view id, Severity severity, const char* one, const char* many, const char* missing) const {
    for (const Leak& leak : leaks_) {
      const bool alone = leak.count == 1;
      std::string text = alone ? one : fmt::format("{} {}", leak.count, many);
      if (!leak.first.empty()) text += (alone ? ", " : ", the first of them ") + leak.first + ",";
      if (leak.site.function[0] != '\0') text += " from " + text_of(leak.site);
      report(id, severity, text + (alone ? " was " : " were ") + missing, leak.site);
    }
  }

 private:
  std::vector<Leak> leaks_;
};

// Requests that the program lost, because another call overwrote the variable.
class Overwritten {
 public:
  void add(const CreationSite& by, const CreationSite& site) {
    for (Lost& lost : lost_)
      if (lost.by.return_address == by.return_address && lost.site.return_address == site.return_address) {
        ++lost.count;
        return;
      }
    lost_.push_back({by, site});
  }

  void report() const {
    for (const Lost& lost : lost_) {
      const std::string what = lost.count == 1 ? "the request of a started operation was"
                                               : fmt::format("the requests of {} started operations were", lost.count);
      report_at("request.overwritten", Severity::error,
                fmt::format("{} overwritten and never completed: from {}, overwritten by {}", what, text_of(lost.site),
                            text_of(lost.by)),
                {{lost.by, "stores another request in the same variable"}, {lost.site, "was started here"}});
    }
  }

 private:
  struct Lost {
    CreationSite by, site;
    std::size_t count = 1;
  };
  std::vector<Lost> lost_;
};

void report_requests() {
  const auto* tables = find_per_rank<RequestTables>();
  if (tables == nullptr) return;
  Leaks pending, inactive;
  Overwritten overwritten;
  tables->made.for_each_live([&](MPI_Request, const std::unique_ptr<Request>& request, const CreationSite& site) {
    report_never_started(*request);
    if (request->state == Request::State::inactive) {
      inactive.add(site, "");
    } else if (request->extra && request->extra->overwritten.function[0] != '\0') {
      overwritten.add(request->extra->overwritten, site);
    } else {
      pending.add(site, "");
    }
  });
  overwritten.report();
  pending.report_as("resource.request", Severity::error, "a started operation", "started operations",
                    "never completed (MPI_Wait, MPI_Test or MPI_Request_free)");
  inactive.report_as("resource.request", Severity::warning, "a persistent request", "persistent requests",
                     "never freed");
}

void report_communicators() {
  Leaks leaks;
  communicators().created().for_each_live([&](MPI_Comm, const CommunicatorRef& communicator, const CreationSite& site) {
    leaks.add(site, communicator->description());
  });
  leaks.report_as("resource.communicator", Severity::warning, "a communicator", "communicators", "never freed");
}

// The objects of a registry that is a member of a part of the rank.
template <class Part, class Registry>
void report_registry(Registry Part::*registry, std::string_view id, const char* one, const char* many) {
  const Part* part = find_per_rank<Part>();
  if (part == nullptr) return;
  Leaks leaks;
  (part->*registry).for_each_live([&](auto, const auto&, const CreationSite& site) { leaks.add(site, ""); });
  leaks.report_as(id, Severity::warning, one, many, "never freed");
}

void report_datatypes() {
  const auto* types = find_per_rank<DatatypeTable>();
  if (types == nullptr) return;
  Leaks leaks;
  types->made.for_each_live([&](MPI_Datatype, const Ref<Datatype>& type, const CreationSite& site) {
    if (type->basic() == nullptr) leaks.add(site, "");
  });
  leaks.report_as("resource.datatype", Severity::warning, "a datatype", "datatypes", "never freed");
}

void report_error_handlers() {
  const auto* known = find_per_rank<ErrorHandlers>();
  if (known == nullptr) return;
  Leaks leaks;
  known->handlers().for_each_live([&](MPI_Errhandler, const ErrorHandler& handler, const CreationSite& site) {
    if (handler.program_uses > 0) leaks.add(site, "");
  });
  leaks.report_as("resource.error_handler", Severity::warning, "an error handler", "error handlers", "never freed");
}

void report_keys() {
  Leaks leaks;
  for (const CreationSite& site : live_communicator_keys()) leaks.add(site, "");
  if (const auto* types = find_per_rank<DatatypeTable>())
    types->attributes.for_each_live_key([&](const CreationSite& site) { leaks.add(site, ""); });
  for (const CreationSite& site : live_window_keys()) leaks.add(site, "");
  leaks.report_as("resource.keyval", Severity::warning, "an attribute key", "attribute keys", "never freed");
}

void report_attached_buffers() {
  const auto* attached = find_per_rank<AttachedBuffers>();
  if (attached == nullptr) return;
  Leaks leaks;
  if (attached->process.attached && !attached->process.gone) leaks.add(attached->process.site, "");
  for (const auto& [owner, buffer] : attached->others)
    if (buffer.attached && !buffer.gone) leaks.add(buffer.site, "");
  leaks.report_as("resource.attached_buffer", Severity::warning, "an attached buffer", "attached buffers",
                  "never detached");
}

// Also epochs that are still open.
void report_windows() {
  const auto* known = find_per_rank<Windows>();
  if (known == nullptr) return;
  Leaks leaks;
  known->made.for_each_live([&](MPI_Win, const std::unique_ptr<Window>& window, const CreationSite& site) {
    if (window->is_hidden) return;
    report_open_epochs(*window);
    leaks.add(site, window->name);
  });
  leaks.report_as("resource.window", Severity::warning, "a window", "windows", "never freed");
}

void report_files() {
  const auto* known = find_per_rank<Files>();
  if (known == nullptr) return;
  Leaks leaks;
  known->made.for_each_live(
      [&](MPI_File, const std::unique_ptr<File>& file, const CreationSite& site) { leaks.add(site, file->name); });
  leaks.report_as("resource.file", Severity::warning, "a file", "files", "never closed");
}

void report_ports() {
  Leaks leaks;
  visit_open_ports([](const CreationSite& site, void* all) { static_cast<Leaks*>(all)->add(site, ""); }, &leaks);
  leaks.report_as("resource.port", Severity::warning, "a port", "ports", "never closed");
}

void report_names() {
  Leaks leaks;
  visit_published_names([](const CreationSite& site, const std::string& name,
                           void* all) { static_cast<Leaks*>(all)->add(site, name); },
                        &leaks);
  leaks.report_as("resource.name", Severity::warning, "a published name", "published names", "never unpublished");
}

void report_memory() {
  const auto* memory = find_per_rank<AllocatedMemory>();
  if (memory == nullptr) return;
  Leaks leaks;
  for (const auto& [address, site] : memory->blocks) leaks.add(site, "");
  leaks.report_as("resource.memory", Severity::warning, "memory of MPI_Alloc_mem", "blocks of memory of MPI_Alloc_mem",
                  "never freed");
}

}  // namespace

// Every execution ends with these reports, so they create no parts that the rank never used.
void report_leaks() {
  report_requests();
  report_communicators();
  report_registry(&Sessions::made, "resource.session", "a session", "sessions");
  report_registry(&TakenMessages::live, "resource.message", "a probed message", "probed messages");
  report_datatypes();
  report_registry(&GroupTable::made, "resource.group", "a group", "groups");
  report_registry(&OpTable::made, "resource.operator", "an operator", "operators");
  report_registry(&Infos::table, "resource.info", "an info object", "info objects");
  report_error_handlers();
  report_keys();
  report_attached_buffers();
  report_windows();
  report_files();
  report_ports();
  report_names();
  report_memory();
}

}  // namespace rehearse::smpi
