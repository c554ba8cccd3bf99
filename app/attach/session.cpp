// SPDX-License-Identifier: MIT
//
// See session.hpp.
#include "app/attach/session.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "app/attach/addresses.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// What an event of epoll is about: a host's device, an agent by id, or one of these.
constexpr std::uint64_t agent_bit = std::uint64_t{1} << 32;
constexpr std::uint64_t about_warden = std::uint64_t{1} << 33, about_listener = about_warden + 1,
                        about_timer = about_warden + 2;
constexpr std::size_t frame_bytes_max = 1 << 16;
constexpr int frames_per_turn = 16;  // of a device, so that due frames do not wait for all that others send
constexpr std::int64_t nanoseconds = 1'000'000'000;
constexpr std::int64_t patience_ns = 2 * nanoseconds;
constexpr int stop_check_ms = 100;

std::int64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * nanoseconds + now.tv_nsec;
}

Error session_error(const char* step) { return Error{fmt::format("{}: {}", step, std::strerror(errno))}; }

int status_of(int wait_status) {
  constexpr int signal_base = 128;
  return WIFSIGNALED(wait_status) ? signal_base + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace

std::int64_t monotonic_now() { return read_clock(CLOCK_MONOTONIC); }
std::int64_t realtime_now() { return read_clock(CLOCK_REALTIME); }

Session::Session(Warden& warden, Bridge& bridge, const Pacing& pacing, LagMeter lag, const FileHandle& listener,
                 const SessionSetup& setup)
    : warden_(warden),
      bridge_(bridge),
      pacing_(pacing),
      lag_(std::move(lag)),
      listener_(listener),
      setup_(setup),
      poll_(epoll_create1(EPOLL_CLOEXEC)),
      timer_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
      ends_(setup.programs.size()),
      next_id_(static_cast<std::uint32_t>(setup.programs.size())),
      buffer_(frame_bytes_max) {
  prctl(PR_SET_TIMERSLACK, 1);
  // Where the system permits it, other processes do not delay frames. A loop that never sleeps would take their core.
  sched_param priority{};
  priority.sched_priority = 1;
  has_realtime_priority_ = !setup.spins && sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) == 0;
}

Session::~Session() {
  const sched_param normal{};
  if (has_realtime_priority_) sched_setscheduler(0, SCHED_OTHER, &normal);
}

TimePoint Session::now() const { return pacing_.simulated(monotonic_now()); }

Result<void> Session::watch(int file, std::uint64_t subject) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = subject;
  if (epoll_ctl(poll_.get(), EPOLL_CTL_ADD, file, &event) != 0) return session_error("epoll_ctl");
  return {};
}

Result<void> Session::start_programs() {
  const FileHandle nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  for (std::uint32_t i = 0; i < setup_.programs.size(); ++i) {
    const PlannedProgram& program = setup_.programs[i];
    const auto sent = warden_.spawn({i, program.host, false, setup_.folder, program.words,
                                     environment_with(setup_.environment, program.environment)},
                                    {i == 0 ? STDIN_FILENO : nothing.get(), STDOUT_FILENO, STDERR_FILENO});
    if (!sent) return sent.error();
    ++running_;
  }
  return {};
}

bool Session::is_over() const { return running_ == 0 || (end_ns_ && monotonic_now() > *end_ns_); }

Result<void> Session::run() {
  if (auto done = watch(warden_.channel(), about_warden); !done) return done;
  if (auto done = watch(listener_.get(), about_listener); !done) return done;
  if (auto done = watch(timer_.get(), about_timer); !done) return done;
  for (std::uint32_t i = 0; i < warden_.devices().size(); ++i)
    if (auto done = watch(warden_.devices()[i].get(), i); !done) return done;
  if (auto done = start_programs(); !done) return done;
  std::array<epoll_event, 64> events;
  while (!is_over()) {
    forward();
    const int count = epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), patience_ms());
    if (count < 0 && errno != EINTR) return session_error("epoll_wait");
    if (!was_interrupted_ && setup_.stop.stop_requested()) {
      was_interrupted_ = true;
      begin_end();
    }
    for (int i = 0; i < count; ++i)
      if (auto done = handle(events[static_cast<std::size_t>(i)].data.u64); !done) return done;
  }
  return {};
}

Result<void> Session::handle(std::uint64_t subject) {
  if (subject == about_warden) return handle_report();
  if (subject == about_listener) {
    accept_agent();
  } else if (subject == about_timer) {
    std::uint64_t expirations = 0;
    if (read(timer_.get(), &expirations, sizeof expirations) < 0) return {};  // armed anew since
  } else if (subject & agent_bit) {
    handle_agent(static_cast<std::uint32_t>(subject));
  } else {
    read_device(static_cast<std::uint32_t>(subject));
  }
  return {};
}

// ---- frames

TimePoint Session::forward() {
  const TimePoint date = now();
  bridge_.advance(date, [this](std::uint32_t host, std::span<const std::uint8_t> frame, TimePoint due) {
    deliver(host, frame, due);
  });
  return date;
}

void Session::deliver(std::uint32_t host, std::span<const std::uint8_t> frame, TimePoint date) {
  lag_.note(pacing_.behind(date, monotonic_now()));
  if (write(warden_.devices()[host].get(), frame.data(), frame.size()) != static_cast<ssize_t>(frame.size()))
    ++refused_;
}

void Session::read_device(std::uint32_t host) {
  for (int i = 0; i < frames_per_turn; ++i) {
    const ssize_t bytes = read(warden_.devices()[host].get(), buffer_.data(), buffer_.size());
    if (bytes <= 0) return;
    const TimePoint date = forward();
    bridge_.enter(host, std::span(buffer_).first(static_cast<std::size_t>(bytes)), date);
  }
}

// Milliseconds for epoll_wait; the timer wakes it at the next date.
int Session::patience_ms() {
  const TimePoint next = bridge_.next_date();
  const std::int64_t due = next == CostModel::never ? INT64_MAX : pacing_.due_ns(next);
  if (setup_.spins || due <= monotonic_now()) return 0;
  if (due == INT64_MAX) return stop_check_ms;
  itimerspec at{};
  at.it_value.tv_sec = due / nanoseconds;
  at.it_value.tv_nsec = due % nanoseconds;
  timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
  return stop_check_ms;
}

// ---- programs

Result<void> Session::handle_report() {
  const auto report = warden_.receive();
  if (!report) return Error{"the process that holds the namespaces has ended"};
  if (report->kind == WardenReport::Kind::drops) return {};
  const bool has_failed = report->kind == WardenReport::Kind::failed;
  if (report->id >= ends_.size()) {
    if (has_failed) end_agent(report->id, {"failed", report->text});
    else end_agent(report->id, {"ended", std::to_string(status_of(report->status))});
    return {};
  }
  const PlannedProgram& program = setup_.programs[report->id];
  if (has_failed) return Error{fmt::format("{}: {}", program.words[0], report->text)};
  ends_[report->id] = ProgramEnd{status_of(report->status), now()};
  --running_;
  if (report->status != 0) begin_end();
  return {};
}

void Session::begin_end() {
  if (end_ns_) return;
  end_ns_ = monotonic_now() + patience_ns;
  warden_.signal_all(SIGTERM);
}

// ---- launch agents

void Session::accept_agent() {
  auto channel = accept_from(listener_.get());
  if (!channel || !watch(channel->get(), agent_bit | next_id_)) return;
  agents_[next_id_++].channel = std::move(*channel);
}

void Session::handle_agent(std::uint32_t id) {
  const auto found = agents_.find(id);
  if (found == agents_.end()) return;
  auto received = receive_message(found->second.channel.get());
  if (received && !received.value().is_end) {
    if (!found->second.has_started) start_for_agent(id, received.value());
    return;
  }
  if (found->second.has_started) warden_.signal(id, SIGTERM);  // its launcher has given up
  agents_.erase(found);
}

void Session::start_for_agent(std::uint32_t id, ChannelMessage& message) {
  const std::vector<std::string>& words = message.words;
  if (words.size() != 3 || message.files.size() != 3) return end_agent(id, {"failed", "a malformed request"});
  for (std::uint32_t host = 0; host < setup_.hosts.size(); ++host) {
    if (words[0] != setup_.hosts[host] && words[0] != address_text(address_of(host))) continue;
    agents_[id].has_started = true;
    const auto sent = warden_.spawn({id,
                                     host,
                                     true,
                                     words[1],
                                     {"/bin/sh", "-c", words[2]},
                                     environment_with(setup_.environment, setup_.agent_environment)},
                                    {message.files[0].get(), message.files[1].get(), message.files[2].get()});
    if (!sent) end_agent(id, {"failed", sent.error().text});
    return;
  }
  end_agent(id, {"failed", fmt::format("'{}' is no host of this job", words[0])});
}

void Session::end_agent(std::uint32_t id, const std::vector<std::string>& answer) {
  const auto found = agents_.find(id);
  if (found == agents_.end()) return;
  (void)send_message(found->second.channel.get(), answer);
  agents_.erase(found);
}

std::vector<std::uint64_t> Session::kernel_drops() {
  warden_.ask_for_drops();
  while (true) {
    auto report = warden_.receive();
    if (!report) return {};
    if (report->kind == WardenReport::Kind::drops) return std::move(report->drops);
  }
}

}  // namespace rehearse::app
