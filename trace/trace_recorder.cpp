// SPDX-License-Identifier: MIT
//
// See trace_recorder.hpp.
#include "trace/trace_recorder.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "trace/rtrace/writer.hpp"

namespace rehearse::trace {

class TraceRecorder::State {
 public:
  State(std::unique_ptr<rtrace::Writer> file, Program& played, bool notes, std::string file_path)
      : writer(std::move(file)), program(played), with_notes(notes), path(std::move(file_path)) {}

  std::unique_ptr<rtrace::Writer> writer;
  Program& program;
  bool with_notes;
  std::string path;
  bool is_one_sided = false;  // it met an operation that the format does not have
};

namespace {

bool is_one_sided(const Operation& operation) {
  return std::holds_alternative<RemoteAccess>(operation) || std::holds_alternative<Traffic>(operation) ||
         std::holds_alternative<Settle>(operation);
}

}  // namespace

TraceRecorder::TraceRecorder(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceRecorder::~TraceRecorder() = default;

Result<std::unique_ptr<TraceRecorder>> TraceRecorder::create(const std::string& path, Program& program,
                                                             const std::string& about, bool with_notes) {
  auto writer = rtrace::Writer::create(path, program.actor_count(), about);
  if (!writer) return writer.error();
  auto state = std::make_unique<State>(std::move(writer.value()), program, with_notes, path);
  return std::unique_ptr<TraceRecorder>(new TraceRecorder(std::move(state)));
}

void TraceRecorder::on_answer(ActorId actor, const Operation& operation, const Observation& answer, Duration took) {
  const bool is_note = std::holds_alternative<Log>(operation) || std::holds_alternative<Report>(operation);
  if (is_note && !state_->with_notes) return;
  state_->is_one_sided |= is_one_sided(operation);
  state_->writer->append(actor, operation, &answer, took, state_->program.site(actor));
}

void TraceRecorder::on_application(ActorId actor, double flops, VolumeOrigin origin) {
  static constexpr Observation nothing;
  state_->writer->append(actor, Compute{flops, origin}, &nothing, {}, state_->program.site(actor));
}

void TraceRecorder::on_wildcard_match(ActorId actor, RequestId receive, const Envelope& message) {
  state_->writer->set_took(actor, receive, message.source.value, message.tag);
}

void TraceRecorder::on_stop(ActorId actor, const Operation& operation) {
  state_->is_one_sided |= is_one_sided(operation);
  state_->writer->append(actor, operation, nullptr, {}, state_->program.site(actor));
}

Result<void> TraceRecorder::finish(const std::function<CallPlace(std::uint64_t site)>& locate, std::string about) {
  const auto find_site = [&](rtrace::Site& site) {
    CallPlace place = locate(site.number);
    site.call = std::move(place.call);
    site.function = std::move(place.function);
    site.file = std::move(place.file);
    site.line = static_cast<std::uint32_t>(place.line);
  };
  if (!state_->is_one_sided) return state_->writer->finish(find_site, std::move(about));
  state_->writer.reset();
  std::error_code ignored;
  if (std::filesystem::is_regular_file(state_->path, ignored)) std::filesystem::remove(state_->path, ignored);
  return Error{state_->path + ": recordings have no one-sided communication", true};
}

}  // namespace rehearse::trace
