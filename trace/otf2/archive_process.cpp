// SPDX-License-Identifier: MIT
//
// The child process: the only code that calls libotf2 to read.
#include <fcntl.h>
#include <otf2/otf2.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "simcore/support/format.hpp"
#include "trace/otf2/archive_process.hpp"
#include "trace/otf2/definitions.hpp"
#include "trace/otf2/operations.hpp"

namespace rehearse::trace::otf2 {
namespace {

constexpr int seconds_without_event = 5;         // of processor time
constexpr rlim_t most_memory = rlim_t{4} << 30;  // of the child
constexpr std::size_t events_per_alarm = 1 << 14;

// What libotf2 hands out, as records in the pipe.
class Sender {
 public:
  Sender(int out, const Definitions& definitions) : pipe_(out), definitions_(definitions) {}

  OTF2_CallbackCode send(const ArchiveEvent& event) {
    if (++events_ % events_per_alarm == 0) set_alarm();
    pipe_.add(event);
    return pipe_.is_broken() ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
  }
  const Definitions& definitions() const { return definitions_; }
  void flush() { pipe_.flush(); }

  // Ends the process if libotf2 reads nothing for so long.
  static void set_alarm() {
    itimerval limit{};
    limit.it_value.tv_sec = seconds_without_event;
    setitimer(ITIMER_PROF, &limit, nullptr);
  }

 private:
  PipeWriter pipe_;
  const Definitions& definitions_;
  std::size_t events_ = 0;
};

Sender& sender_of(void* data) { return *static_cast<Sender*>(data); }

OTF2_CallbackCode on_enter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data, OTF2_AttributeList*,
                           OTF2_RegionRef region) {
  ArchiveEvent event{ArchiveEvent::Kind::enter};
  event.time = time;
  event.ref = region;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_leave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data, OTF2_AttributeList*,
                           OTF2_RegionRef region) {
  ArchiveEvent event{ArchiveEvent::Kind::leave};
  event.time = time;
  event.ref = region;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_metric_values(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                   OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type* types,
                                   const OTF2_MetricValue* values) {
  const auto& counter = sender_of(data).definitions().instructions;
  if (!counter || counter->first != metric || counter->second >= count) return OTF2_CALLBACK_SUCCESS;
  const bool is_double = types[counter->second] == OTF2_TYPE_DOUBLE;
  ArchiveEvent event{is_double ? ArchiveEvent::Kind::real_counter : ArchiveEvent::Kind::counter};
  event.bytes = values[counter->second].unsigned_int;  // also the bits of a double
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_send(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                          std::uint32_t peer, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  ArchiveEvent event{ArchiveEvent::Kind::send};
  event.peer = peer;
  event.ref = communicator;
  event.tag = tag;
  event.bytes = bytes;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_isend(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                           std::uint32_t peer, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                           std::uint64_t request) {
  ArchiveEvent event{ArchiveEvent::Kind::isend};
  event.peer = peer;
  event.ref = communicator;
  event.tag = tag;
  event.bytes = bytes;
  event.request = request;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_isend_complete(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                    std::uint64_t request) {
  ArchiveEvent event{ArchiveEvent::Kind::isend_complete};
  event.request = request;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_irecv_request(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                   std::uint64_t request) {
  ArchiveEvent event{ArchiveEvent::Kind::irecv_request};
  event.request = request;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_irecv(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                           std::uint32_t peer, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                           std::uint64_t request) {
  ArchiveEvent event{ArchiveEvent::Kind::irecv};
  event.peer = peer;
  event.ref = communicator;
  event.tag = tag;
  event.bytes = bytes;
  event.request = request;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_recv(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                          std::uint32_t peer, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  ArchiveEvent event{ArchiveEvent::Kind::recv};
  event.peer = peer;
  event.ref = communicator;
  event.tag = tag;
  event.bytes = bytes;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_cancelled(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                               std::uint64_t request) {
  ArchiveEvent event{ArchiveEvent::Kind::cancelled};
  event.request = request;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_collective(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                                std::uint64_t sent, std::uint64_t received) {
  ArchiveEvent event{ArchiveEvent::Kind::collective};
  event.operation = static_cast<std::uint32_t>(operation);
  event.ref = communicator;
  event.peer = root;
  event.bytes = sent;
  event.received = received;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_icollective_request(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data,
                                         OTF2_AttributeList*, std::uint64_t request) {
  ArchiveEvent event{ArchiveEvent::Kind::collective_request};
  event.request = request;
  return sender_of(data).send(event);
}
OTF2_CallbackCode on_icollective(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                 OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                                 std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
  ArchiveEvent event{ArchiveEvent::Kind::collective_complete};
  event.operation = static_cast<std::uint32_t>(operation);
  event.ref = communicator;
  event.peer = root;
  event.bytes = sent;
  event.received = received;
  event.request = request;
  return sender_of(data).send(event);
}

std::unique_ptr<OTF2_EvtReaderCallbacks, void (*)(OTF2_EvtReaderCallbacks*)> make_callbacks() {
  OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
  OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric_values);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_icollective_request);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_icollective);
  return {callbacks, OTF2_EvtReaderCallbacks_Delete};
}

// The local definitions of a location map its numbers to the global ones.
Result<void> read_local_definitions(OTF2_Reader* reader, const Definitions& definitions) {
  for (const OTF2_LocationRef location : definitions.locations) OTF2_Reader_SelectLocation(reader, location);
  const bool has_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  OTF2_Reader_OpenEvtFiles(reader);
  if (!has_definitions) return {};
  for (const OTF2_LocationRef location : definitions.locations) {
    OTF2_DefReader* local = OTF2_Reader_GetDefReader(reader, location);
    if (local == nullptr) continue;
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read);
    OTF2_Reader_CloseDefReader(reader, local);
    if (code != OTF2_SUCCESS)
      return Error{
          fmt::format("the definitions of location {} cannot be read: {}", location, OTF2_Error_GetDescription(code))};
  }
  OTF2_Reader_CloseDefFiles(reader);
  return {};
}

Result<void> send_rank(OTF2_Reader* reader, OTF2_LocationRef location, Sender& sender) {
  OTF2_EvtReader* source = OTF2_Reader_GetEvtReader(reader, location);
  if (source == nullptr) return Error{fmt::format("location {} has no events", location)};
  const auto callbacks = make_callbacks();
  OTF2_ErrorCode code = OTF2_Reader_RegisterEvtCallbacks(reader, source, callbacks.get(), &sender);
  std::uint64_t read = 0;
  if (code == OTF2_SUCCESS) code = OTF2_Reader_ReadAllLocalEvents(reader, source, &read);
  OTF2_Reader_CloseEvtReader(reader, source);
  if (code != OTF2_SUCCESS)
    return Error{
        fmt::format("the events of location {} cannot be read: {}", location, OTF2_Error_GetDescription(code))};
  sender.send({ArchiveEvent::Kind::end_of_rank});
  return {};
}

Result<void> send_archive(OTF2_Reader* reader, int out) {
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  const auto definitions = read_definitions(reader);
  if (!definitions) return definitions.error();
  send_definitions(definitions.value(), out);
  Sender sender(out, definitions.value());
  const auto local = read_local_definitions(reader, definitions.value());
  if (!local) return local;
  for (const OTF2_LocationRef location : definitions.value().locations) {
    const auto sent = send_rank(reader, location, sender);
    if (!sent) {
      sender.flush();
      return sent;
    }
  }
  sender.flush();
  return {};
}

}  // namespace

void be_archive_process(const std::string& file, int out, int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGPROF, SIGALRM, SIGPIPE}) std::signal(number, SIG_DFL);
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0) {  // the C library writes why it aborts
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
#ifndef __SANITIZE_ADDRESS__  // its shadow memory counts, and is far beyond any limit
  const rlimit memory{most_memory, most_memory};
  setrlimit(RLIMIT_DATA, &memory);
#endif
  Sender::set_alarm();
  OTF2_Error_RegisterCallback(be_silent, nullptr);
  OTF2_Reader* reader = OTF2_Reader_Open(file.c_str());
  const Result<void> done = reader == nullptr ? Error{"libotf2 cannot read this archive"} : send_archive(reader, out);
  send_end(done ? std::string() : done.error().text, out);
  _exit(0);  // nobody needs what remains open
}

}  // namespace rehearse::trace::otf2
