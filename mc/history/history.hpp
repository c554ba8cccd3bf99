// SPDX-License-Identifier: MIT
//
// Local histories: what each actor asked after each list of answers, run once and remembered.
//
// Actors share nothing but what goes through Operations, so an actor's state is a function of the Observations it was
// given. A Node stands for one such list and holds the Operation that the actor asks for next; the actor's code runs
// only when a new Node is reached. To reach a Node that the actor is not at: nearest ancestor with a snapshot (or the
// start), then the recorded answers again, each Operation checked against the recorded one.
//
// Ownership: the History owns Nodes and everything their Operations and answers point to; all live as long as it.
// Errors:    an actor that asks for something else when given the same answers: Diverged is thrown.
// Threads:   none.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc {

struct Hash128 {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Hash128&) const = default;
};
Hash128 hash_bytes(const void* data, std::size_t size);

// The answer to an Operation together with what identifies it. What the spans point to must outlive the History, but
// for contributions: those of completion i and of the Operation itself are spans of `lists`, set by seal().
struct Reply {
  using List = std::vector<std::span<const std::byte>>;
  bool flag = true;
  std::vector<Completion> completions;
  std::vector<List> lists;                   // the Operation's own contributions, or one list per completion
  std::vector<Hash128> data_hashes;          // of the data of completions and of the entries of lists, in order
  TimePoint now;

  Observation observation();
};

struct Node {
  ActorId actor;
  std::uint32_t depth = 0;         // Operations before this one: its number
  Node* parent = nullptr;
  Operation operation = End{};
  std::uint64_t site = 0;          // Program::site
  Hash128 fingerprint;             // of the operation
  Hash128 data_hash;               // of a Send's data or a Collective's contribution
  Node* last_report = nullptr;     // nearest proper ancestor whose operation is a Report
  TimePoint clock;                 // the actor's own clock: a function of its history
  Duration clock_step;             // how far it moved on the way here
  Reply reply;                     // how the parent was answered to get here

  struct Child {
    Hash128 key;
    Node* node;
  };
  std::vector<Child> children;
  Node* after_nothing = nullptr;   // the child for the empty answer
  std::unique_ptr<Snapshot> snapshot;
  std::uint32_t visits = 0;
};

// Hidden non-determinism: the actor asked for something else than the last time it was given the same answers.
struct Diverged {
  ActorId actor;
  std::string what;
};

class History {
 public:
  History(Program& program, std::uint64_t max_snapshot_bytes);
  ~History();

  // The first Operation of an actor that the driver must decide about (local ones are answered on the way).
  const Node* start(ActorId actor);

  // The next such Operation after this answer.
  const Node* advance(const Node* node, Reply reply);
  const Node* advance(const Node* node);  // the empty answer

  // Puts the actor to this node, so that Program::describe speaks of it.
  void visit(const Node* node);

  std::uint64_t application_runs() const { return application_runs_; }

 private:
  Node* child(Node* node, Reply reply);
  Node* skip_local(Node* node);
  Node* read_operation(ActorId actor, Node* parent, Reply reply);
  void own_operation(Node& node);
  void set_clock(Node& node);
  void go_to(Node* node);
  void replay(Node* node);
  bool restore_nearest(Node* node, std::vector<Node*>& path);
  std::byte* copy(const void* data, std::size_t size);

  Program& program_;
  std::uint64_t snapshot_budget_;
  std::deque<Node> nodes_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t block_left_ = 0;
  std::byte* block_at_ = nullptr;
  std::vector<Node*> roots_;
  std::vector<Node*> at_;  // where each actor is now; null: not started
  std::deque<Finding> findings_;
  std::uint64_t application_runs_ = 0;
};

}  // namespace rehearse::mc
