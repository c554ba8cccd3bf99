// SPDX-License-Identifier: MIT
//
// See outpost.hpp.
#include "mc/parallel/outpost.hpp"

#include <poll.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <new>
#include <utility>

#include "mc/records/records.hpp"

namespace rehearse::mc::parallel {

using records::Reader;
using records::Writer;

namespace {

constexpr std::chrono::milliseconds progress_interval{50};

bool send(Channel& channel, WorkerReport kind, const std::string& bytes) {
  return channel.send(static_cast<std::uint8_t>(kind), bytes);
}

}  // namespace

Outpost::Outpost(const Exploration& exploration, std::vector<Channel> coordinator) : exploration_(exploration) {
  void* mapped = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (mapped) Shared();
  for (Channel& channel : coordinator) {
    auto post = std::make_unique<Post>();
    post->coordinator = std::move(channel);
    post->slot = &shared_->slots[posts_.size()];
    posts_.push_back(std::move(post));
  }
}

Outpost::~Outpost() {
  for (const auto& post : posts_) end(*post);
  munmap(shared_, sizeof(Shared));
}

bool Outpost::start_worker_of(Post& post) {
  std::vector<int> siblings;
  for (const auto& other : posts_)
    for (const Channel* channel : {&other->coordinator, &other->worker})
      if (channel->descriptor() >= 0) siblings.push_back(channel->descriptor());
  auto child = start_worker(exploration_, *shared_, *post.slot, siblings, false);
  if (!child) return false;
  post.pid = child->pid;
  post.worker = std::move(child->channel);
  return true;
}

void Outpost::end(Post& post) {
  if (post.pid < 0) return;
  kill(post.pid, SIGKILL);
  reap(post.pid);
  post.pid = -1;
}

void Outpost::serve() {
  std::erase_if(posts_, [this](const auto& post) { return !start_worker_of(*post); });
  while (!posts_.empty()) {
    listen();
    report_progress();
  }
}

void Outpost::listen() {
  std::vector<pollfd> lines;
  for (const auto& post : posts_) {
    lines.push_back({post->coordinator.descriptor(), POLLIN, 0});
    lines.push_back({post->worker.descriptor(), POLLIN, 0});
  }
  const auto most = std::chrono::milliseconds(progress_interval).count();
  if (poll(lines.data(), lines.size(), static_cast<int>(most)) <= 0) return;
  std::vector<const Post*> lost;
  for (std::size_t i = 0; i < posts_.size(); ++i) {
    Post& post = *posts_[i];
    const bool lives = (lines[2 * i].revents == 0 || pass_orders(post)) &&
                       (lines[2 * i + 1].revents == 0 || pass_reports(post));
    if (!lives) lost.push_back(&post);
  }
  for (const Post* one : lost) {
    const auto post = std::ranges::find_if(posts_, [one](const auto& p) { return p.get() == one; });
    end(**post);
    posts_.erase(post);
  }
}

// False: the connection is lost.
bool Outpost::pass_orders(Post& post) {
  const bool lives = post.coordinator.fetch();
  while (const std::optional<Frame> frame = post.coordinator.next()) {
    switch (static_cast<Order>(frame->kind)) {
      case Order::assignment:
        ++post.passed;
        post.worker.send(frame->kind, frame->bytes);  // if it is dead: see pass_reports()
        break;
      case Order::donations: {
        Reader message(frame->bytes);
        shared_->donations_wanted = static_cast<std::int32_t>(message.number());
        break;
      }
      case Order::stop: shared_->stops = true; break;
    }
  }
  return lives;
}

// False: the connection is lost, or there is no worker.
bool Outpost::pass_reports(Post& post) {
  const bool lives = post.worker.fetch();
  while (const std::optional<Frame> frame = post.worker.next())
    if (!post.coordinator.send(frame->kind, frame->bytes)) return false;
  return lives || report_death(post);
}

bool Outpost::report_death(Post& post) {
  Writer how;
  how.text(describe_end(reap(post.pid)));
  how.number(post.passed);
  post.pid = -1;
  post.worker.close();
  return start_worker_of(post) && send(post.coordinator, WorkerReport::died, how.bytes());
}

void Outpost::report_progress() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_progress_) return;
  next_progress_ = now + progress_interval;
  for (const auto& post : posts_) {
    Writer numbers;
    put(numbers, *post->slot);
    send(post->coordinator, WorkerReport::progress, numbers.bytes());  // if the connection is lost: see pass_orders()
  }
}

}  // namespace rehearse::mc::parallel
