// SPDX-License-Identifier: MIT
//
// Clocks and sleeps: the driver's time. Also the calendar functions, whose results libc keeps in one buffer.
//
// Epoch: calendar clocks read start_date_seconds() at the start of the run, all others 0. Processor time
//        is the same as time.
// Range: a sleep longer than simulated time can hold (106 days) is cut to it.
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <cwchar>
#include <optional>

#include "simcore/actor.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/process.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/socket_waiting.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;
constexpr std::int64_t ps_per_ns = 1000;
constexpr std::int64_t longest_sleep_s = 9'000'000;

std::int64_t now_ns() {
  note_idling();
  const std::int64_t now_ps = ask(Clock{}).now.picoseconds;
  clear_dead_stack();
  return now_ps / ps_per_ns;
}

timespec to_timespec(std::int64_t ns, std::int64_t add_s) {
  timespec time;
  time.tv_sec = ns / ns_per_s + add_s;
  time.tv_nsec = ns % ns_per_s;
  return time;
}

std::time_t rank_time(std::time_t* out) {
  const LibraryCode not_measured;
  const std::time_t now = now_ns() / ns_per_s + start_date_seconds();
  if (out != nullptr) *out = now;
  return now;
}

int rank_gettimeofday(timeval* time, void* zone) {
  const LibraryCode not_measured;
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {0, 0};
  if (time == nullptr) return 0;
  const std::int64_t ns = now_ns();
  time->tv_sec = ns / ns_per_s + start_date_seconds();
  time->tv_usec = ns % ns_per_s / 1000;
  return 0;
}

bool is_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
         clock == CLOCK_TAI;
}

int rank_clock_gettime(clockid_t clock, timespec* time) {
  const LibraryCode not_measured;
  *time = to_timespec(now_ns(), is_calendar(clock) ? start_date_seconds() : 0);
  return 0;
}

int rank_timespec_get(timespec* time, int base) {
  const LibraryCode not_measured;
  if (base != TIME_UTC) return 0;
  *time = to_timespec(now_ns(), start_date_seconds());
  return base;
}

std::clock_t rank_clock() {
  const LibraryCode not_measured;
  return now_ns() / (ns_per_s / CLOCKS_PER_SEC);
}

clock_t rank_times(tms* out) {
  const LibraryCode not_measured;
  const clock_t ticks = now_ns() / (ns_per_s / sysconf(_SC_CLK_TCK));
  if (out != nullptr) *out = {ticks, 0, 0, 0};
  return ticks;
}

int rank_ftime(timeb* out) {
  const LibraryCode not_measured;
  const std::int64_t ns = now_ns();
  *out = {};
  out->time = ns / ns_per_s + start_date_seconds();
  out->millitm = static_cast<unsigned short>(ns % ns_per_s / 1'000'000);
  return 0;
}

unsigned rank_sleep(unsigned seconds) {
  sleep_for(seconds, 0);
  return 0;
}

int rank_usleep(useconds_t us) {
  sleep_for(0, std::int64_t{us} * 1000);
  return 0;
}

bool valid(const timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < ns_per_s; }

// 0: the time has passed.
int rank_thrd_sleep(const timespec* wanted, timespec*) {
  if (!valid(*wanted)) return -2;
  sleep_for(wanted->tv_sec, wanted->tv_nsec);
  return 0;
}

int rank_nanosleep(const timespec* wanted, timespec*) {
  if (!valid(*wanted)) {
    errno = EINVAL;
    return -1;
  }
  sleep_for(wanted->tv_sec, wanted->tv_nsec);
  return 0;
}

int rank_clock_nanosleep(clockid_t clock, int flags, const timespec* wanted, timespec*) {
  if (!valid(*wanted)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) {
    sleep_for(wanted->tv_sec, wanted->tv_nsec);
    return 0;
  }
  const timespec now = to_timespec(now_ns(), is_calendar(clock) ? start_date_seconds() : 0);
  const std::int64_t seconds = wanted->tv_sec - now.tv_sec, ns = wanted->tv_nsec - now.tv_nsec;
  if (seconds > 0 || (seconds == 0 && ns > 0)) sleep_for(seconds, ns);
  return 0;
}

// Old programs sleep with a select() or poll() without files.
int rank_select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* time) {
  if (count != 0 || time == nullptr)
    return select_files(count, read, write, except, time == nullptr ? no_limit : time->tv_sec + time->tv_usec * 1e-6);
  sleep_for(time->tv_sec, std::int64_t{time->tv_usec} * 1000);
  return 0;
}

int rank_poll(pollfd* files, nfds_t count, int timeout_ms) {
  if (count != 0 || timeout_ms < 0) return poll_files(files, count, timeout_ms < 0 ? no_limit : timeout_ms * 1e-3);
  sleep_for(timeout_ms / 1000, std::int64_t{timeout_ms % 1000} * 1'000'000);
  return 0;
}

// The first call makes libc allocate its time zone for the whole process: it must not be in a rank's memory.
std::tm* rank_localtime(const std::time_t* time) {
  HostAllocation host;
  return localtime_r(time, &this_rank().broken_down_time);
}
std::tm* rank_localtime_r(const std::time_t* time, std::tm* out) {
  HostAllocation host;
  return localtime_r(time, out);
}
std::tm* rank_gmtime_r(const std::time_t* time, std::tm* out) {
  HostAllocation host;
  return gmtime_r(time, out);
}
std::time_t rank_timegm(std::tm* time) {
  HostAllocation host;
  return timegm(time);
}
std::size_t rank_wcsftime(wchar_t* to, std::size_t room, const wchar_t* format, const std::tm* time) {
  HostAllocation host;
  return std::wcsftime(to, room, format, time);
}
std::size_t rank_strftime_l(char* to, std::size_t bytes, const char* format, const std::tm* time, locale_t locale) {
  HostAllocation host;
  return strftime_l(to, bytes, format, time, locale);
}
char* rank_ctime_r(const std::time_t* time, char* text) {
  HostAllocation host;
  return ctime_r(time, text);
}

// A rank must not set the machine's clocks.
int rank_refused_time() {
  errno = EPERM;
  return -1;
}

int rank_clock_getres(clockid_t, timespec* resolution) {
  if (resolution != nullptr) *resolution = {0, 1};
  return 0;
}

int rank_pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* time, const sigset_t*) {
  const double seconds =
      time == nullptr ? no_limit : static_cast<double>(time->tv_sec) + static_cast<double>(time->tv_nsec) * 1e-9;
  if (count != 0 || time == nullptr) return select_files(count, read, write, except, seconds);
  sleep_for(time->tv_sec, time->tv_nsec);
  return 0;
}

int rank_ppoll(pollfd* files, nfds_t count, const timespec* time, const sigset_t*) {
  const double seconds =
      time == nullptr ? no_limit : static_cast<double>(time->tv_sec) + static_cast<double>(time->tv_nsec) * 1e-9;
  if (count != 0 || time == nullptr) return poll_files(files, count, seconds);
  sleep_for(time->tv_sec, time->tv_nsec);
  return 0;
}

std::tm* rank_gmtime(const std::time_t* time) {
  HostAllocation host;
  return gmtime_r(time, &this_rank().broken_down_time);
}
std::time_t rank_mktime(std::tm* time) {
  HostAllocation host;
  return std::mktime(time);
}
std::size_t rank_strftime(char* to, std::size_t bytes, const char* format, const std::tm* time) {
  HostAllocation host;
  return std::strftime(to, bytes, format, time);
}
char* rank_asctime(const std::tm* time) { return asctime_r(time, this_rank().time_text); }
char* rank_ctime(const std::time_t* time) {
  HostAllocation host;
  return ctime_r(time, this_rank().time_text);
}
void rank_tzset() {
  HostAllocation host;
  tzset();
}

}  // namespace

void sleep_for(std::int64_t seconds, std::int64_t ns) {
  const std::int64_t cut = std::clamp<std::int64_t>(seconds, 0, longest_sleep_s);
  if (sleep_thread(static_cast<double>(cut) + static_cast<double>(ns) * 1e-9)) return;
  ask(Sleep{Duration{(cut * ns_per_s + ns) * ps_per_ns}});
  clear_dead_stack();
}

double clock_seconds() {
  const LibraryCode not_measured;
  return static_cast<double>(now_ns()) * 1e-9;
}

std::optional<double> seconds_until(clockid_t clock, const timespec& date) {
  if (!valid(date)) return std::nullopt;
  const timespec now = to_timespec(now_ns(), is_calendar(clock) ? start_date_seconds() : 0);
  const double seconds = static_cast<double>(date.tv_sec - now.tv_sec) +
                         static_cast<double>(date.tv_nsec - now.tv_nsec) * 1e-9;
  return std::clamp(seconds, 0.0, static_cast<double>(longest_sleep_s));
}

InterposerList time_interposers() {
  return {{"time", function_address(rank_time)},
          {"gettimeofday", function_address(rank_gettimeofday)},
          {"clock_gettime", function_address(rank_clock_gettime)},
          {"timespec_get", function_address(rank_timespec_get)},
          {"clock", function_address(rank_clock)},
          {"times", function_address(rank_times)},
          {"ftime", function_address(rank_ftime)},
          {"sleep", function_address(rank_sleep)},
          {"usleep", function_address(rank_usleep)},
          {"nanosleep", function_address(rank_nanosleep)},
          {"clock_nanosleep", function_address(rank_clock_nanosleep)},
          {"select", function_address(rank_select)},
          {"poll", function_address(rank_poll)},
          {"localtime", function_address(rank_localtime)},
          {"localtime_r", function_address(rank_localtime_r)},
          {"gmtime", function_address(rank_gmtime)},
          {"mktime", function_address(rank_mktime)},
          {"strftime", function_address(rank_strftime)},
          {"asctime", function_address(rank_asctime)},
          {"ctime", function_address(rank_ctime)},
          {"tzset", function_address(rank_tzset)},
          {"gmtime_r", function_address(rank_gmtime_r)},
          {"timegm", function_address(rank_timegm)},
          {"timelocal", function_address(rank_mktime)},
          {"wcsftime", function_address(rank_wcsftime)},
          {"strftime_l", function_address(rank_strftime_l)},
          {"__strftime_l", function_address(rank_strftime_l)},
          {"ctime_r", function_address(rank_ctime_r)},
          {"settimeofday", function_address(rank_refused_time)},
          {"clock_settime", function_address(rank_refused_time)},
          {"clock_getres", function_address(rank_clock_getres)},
          {"__clock_gettime", function_address(rank_clock_gettime)},
          {"__nanosleep", function_address(rank_nanosleep)},
          {"thrd_sleep", function_address(rank_thrd_sleep)},
          {"pselect", function_address(rank_pselect)},
          {"ppoll", function_address(rank_ppoll)},
          {"__poll_chk", function_address(rank_poll)},
          {"__ppoll_chk", function_address(rank_ppoll)},
          {"__poll", function_address(rank_poll)}};
}

}  // namespace rehearse::smpi
