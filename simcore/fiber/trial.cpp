// SPDX-License-Identifier: MIT
//
// See trial.hpp.
//
// Method: fork without the C library, because the calling actor may have replaced the thread of the C library. The
//         actor's driver becomes a function that ends the copy, so that any ask() ends it.
#include "simcore/trial.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "simcore/actor_context.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

constexpr std::size_t leaving_bytes = 64 << 10;  // size of the stack on which the copy ends
constexpr rlim_t most_seconds = 20;              // limit on the processor time of one call
constexpr unsigned patience_seconds = 120;       // limit on real time, if the call blocks

class SharedPages {
 public:
  explicit SharedPages(std::size_t bytes) : bytes_(bytes) {
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED) all_ = static_cast<std::byte*>(pages);
  }
  ~SharedPages() {
    if (all_ != nullptr) munmap(all_, bytes_);
  }
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  std::byte* begin() const { return all_; }

 private:
  std::byte* all_ = nullptr;
  std::size_t bytes_;
};

void limit(int resource, rlim_t most) {
  const rlimit limits{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limits);
}

void leave(boost::context::detail::transfer_t) { _exit(1); }

[[noreturn]] void run_as_copy(std::byte* leaving, std::span<std::byte> shared,
                              const std::function<void(std::span<std::byte>)>& function) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most_seconds);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, 0);
  close_range(0, ~0U, 0);
  std::signal(SIGALRM, SIG_DFL);
  alarm(patience_seconds);
  ActorContext& self = *current_context();
  self.ahead = nullptr;
  self.meter = nullptr;
  self.driver = boost::context::detail::make_fcontext(leaving + leaving_bytes, leaving_bytes, leave);
  function(shared);
  _exit(0);
}

}  // namespace

bool run_in_copy(std::span<std::byte> result, const std::function<void(std::span<std::byte>)>& function) {
  REHEARSE_ASSERT(in_actor(), "run_in_copy() outside of an actor");
  const SharedPages pages(leaving_bytes + result.size());
  if (pages.begin() == nullptr) return false;
  const std::span<std::byte> shared(pages.begin() + leaving_bytes, result.size());
  const auto copy = static_cast<pid_t>(syscall(SYS_fork));
  if (copy < 0) return false;
  if (copy == 0) run_as_copy(pages.begin(), shared, function);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0)
    if (errno != EINTR) return false;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return false;
  if (!result.empty()) std::memcpy(result.data(), shared.data(), result.size());
  return true;
}

}  // namespace rehearse
