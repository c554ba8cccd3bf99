// SPDX-License-Identifier: MIT
//
// Local histories: what each actor asked after each list of answers, run once and remembered while there is room.
//
// Actors share nothing but what goes through Operations, so an actor's state is a function of the Observations it was
// given. A Node stands for one such list and holds the Operation that the actor asks for next; the actor's code runs
// only when a new Node is reached. To reach a Node that the actor is not at: nearest ancestor with a snapshot (or the
// start), then the recorded answers again, each Operation checked against the recorded one. Snapshots are taken where
// they are likely to pay, by measured time: at once behind long computations, else when coming back has cost as much.
// Operations that concern nobody but the actor are answered on the way: a Node remembers what passed before it.
//
// Memory:    collect() forgets all Nodes but those passed to it and the Nodes that these rest on: their ancestors, and
// the
//            Nodes whose data their answers hold. What was forgotten is run again when it is needed again. Begins with
//            little room, which stays in the processor's caches, and takes more when much is run again.
// Ownership: the History owns Nodes and everything their Operations point to; answers point to data of other Nodes.
// Errors:    an actor that asks for something else when given the same answers: Diverged is thrown. One that asks for
//            the same with other data goes on, and is taken to have given the data that it gave first: strayed(). One
//            that never comes to an operation that concerns others fails (progress.step), or if it was given up, is as
//            if it had never begun: GivenUp is thrown.
// Threads:   none.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mc/history/data_store.hpp"
#include "mc/history/diverged.hpp"
#include "mc/history/fingerprint.hpp"
#include "mc/history/forgotten.hpp"
#include "mc/history/hash128.hpp"
#include "mc/history/local_clock.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/program.hpp"
#include "simcore/published.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::mc {

struct Node;

// An actor was taken away before it came to its next Operation, because all is given up. Nothing was changed.
struct GivenUp {};

// The answer to an Operation. Its data are those of the sources' Operations.
struct Reply {
  bool flag = true;
  TimePoint now;
  boost::container::small_vector<Completion, 1> completions;
  std::vector<std::span<const std::byte>> parts;  // contributions: of the Operation, or of the completions in order
  std::vector<Remark> remarks;                    // of the parts, in the same order; empty: there are none
  std::vector<std::uint32_t> part_ends;           // by completion: where its parts end; empty: none has any
  boost::container::small_vector<const Node*, 2> sources;

  void seal();                      // once, when all is filled in
  Observation observation() const;  // points into this Reply
};

struct Node {
  Node() {}  // not `= default`: that would first clear the data

  ActorId actor;
  std::uint64_t name = 0;          // of the list of answers
  std::uint32_t depth = 0;         // Operations before this one: its number
  std::uint32_t level = 0;         // Nodes before this one
  const Node* parent = nullptr;
  Operation operation = End{};
  std::uint64_t site = 0;          // Program::site
  Ways ways;                       // Program::ways
  Hash128 fingerprint;             // of the operation and what passed before it
  std::uint64_t asked = 0;         // the same without the data that the operation carries
  Hash128 data_hash;               // of a Send's data or a Collective's contribution
  std::uint64_t collective_hash = 0;  // of a Collective: equal if the members agree on its arguments
  LocalClock clock;
  ObservableEffects effects;                     // with this Operation
  std::vector<Finding> reports;    // that passed since the parent
  std::vector<RequestId> released;
  const Node* last_report = nullptr;  // the nearest Node with reports: this, or an ancestor
  std::unique_ptr<std::vector<Published>> published;  // that passed since the parent; null: nothing
  const Node* last_published = nullptr;               // the nearest Node with such
  Reply reply;                     // how the parent was answered to get here

  struct Child {
    Hash128 key;
    const Node* node;
  };
  alignas(8) std::array<std::byte, 48> few_data;       // what the operation points to, if there is room
  std::unique_ptr<std::byte[]> data;        // and if not
  DataStore::Data large_data;               // that others may hold, too
  std::uint64_t bytes = 0;                  // that this Node takes, without its snapshot
  bool is_used = false;                     // stands for something; otherwise it waits to be used again
  bool asked_time = false;                    // since the parent the actor looked at the clock
  bool is_endless = false;                  // the actor was left among operations that concern nobody else

  // What the History remembers with a Node, and changes although the Node stands for the same.
  mutable boost::container::small_vector<Child, 1> children;
  mutable const Node* after_nothing = nullptr;  // the child for the empty answer
  mutable std::unique_ptr<Snapshot> snapshot;
  mutable std::uint64_t since_snapshot = 0;     // ticks that coming here from the nearest snapshot takes
  mutable std::uint64_t replayed = 0;           // ticks spent on coming back here
  mutable bool is_kept = false;                 // while collecting
  enum class Round : std::uint8_t { unknown, yes, no };
  mutable Round round = Round::unknown;         // is_going_round()
};

class History {
 public:
  // Uses up to about `max_bytes`, or more if it must; less where the room would not pay.
  History(Program& program, std::uint64_t max_bytes);
  ~History();

  // From now on an actor that goes on for longer with operations that concern nobody else fails.
  void limit_local_seconds(double seconds);

  // From now on an actor is left among operations that concern nobody else when this asks for it.
  void give_up_when(StopToken stop) { stop_ = std::move(stop); }

  // The first Operation of an actor that the driver must decide about.
  const Node* start(ActorId actor);

  // The next such Operation after an answer: `make(Reply&)` fills the Reply, asked for only if it is a new one.
  template <class Make>
  const Node* advance(const Node* node, const Hash128& key, Make&& make) {
    if (const Node* known = find(node, key)) return known;
    Fresh next(*this);
    make(next.node().reply);
    add(*node, next.node(), key.low);
    node->children.push_back({key, &next.keep()});
    return &next.node();
  }
  const Node* advance(const Node* node);  // the empty answer

  // Puts the actor to this node, so that Program::describe speaks of it.
  void visit(const Node* node);

  // Whether the actor, which polls here, is the same as at an earlier poll, and got only the answer "no" since, nor
  // the time: then it goes on like this for as long as it gets the answer "no". False also where that is not known.
  bool is_going_round(const Node* node);

  // The actor, which stands at this node, will be brought back to it so many times: a snapshot may pay at once.
  void announce_returns(const Node* node, std::size_t times);

  bool is_full() const { return bytes() > limit_; }
  void set_limit(std::uint64_t max_bytes);
  // Forgets the Nodes that nobody needs who needs these, unless it takes more room instead; all other pointers to Nodes
  // dangle afterwards.
  void collect(std::span<const Node* const> needed);

  std::uint64_t application_runs() const { return application_runs_; }

  // The first time that an actor gave other data when it was given the same answers again; null: none did.
  const Diverged* strayed() const { return strayed_ ? &*strayed_ : nullptr; }

 private:
  // A new Node, which is gone again if it comes to nothing.
  class Fresh {
   public:
    explicit Fresh(History& history) : history_(history), node_(&history.new_node()) {}
    ~Fresh() {
      if (!is_kept_) history_.drop(*node_);
    }
    Fresh(const Fresh&) = delete;
    Fresh& operator=(const Fresh&) = delete;

    Node& node() { return *node_; }
    Node& keep() {
      is_kept_ = true;
      return *node_;
    }

   private:
    History& history_;
    Node* node_;
    bool is_kept_ = false;
  };

  static const Node* find(const Node* node, const Hash128& key) {
    for (const Node::Child& c : node->children)
      if (c.key == key) return c.node;
    return nullptr;
  }
  std::uint64_t bytes() const { return bytes_ + store_.bytes(); }
  void add(const Node& node, Node& next, std::uint64_t answer);
  void pass_local(Node& node, const Node* known);
  void leave(ActorId actor);
  void read_operation(Node& node, ActorId actor, const Node* parent);
  Node& new_node();
  void forget(Node& node);
  void drop(Node& node);
  void thin_snapshots();
  void drop_snapshot(const Node& node);
  void save(const Node& node);
  void go_to(const Node* node);
  void replay(const Node* node);
  bool restore_nearest(const Node* node, std::vector<const Node*>& path);

  Program& program_;
  std::uint64_t most_, limit_;  // what may be used at all; what is used at present
  double local_seconds_ = std::numeric_limits<double>::infinity();
  std::string endless_text_;
  StopToken stop_;
  std::uint64_t bytes_ = 0;  // of nodes and snapshots
  DataStore store_;
  Forgotten forgotten_;
  std::deque<Node> nodes_;
  std::vector<Node*> unused_;
  std::vector<const Node*> roots_;
  std::vector<const Node*> at_;  // where each actor is now; null: not started, or at a Node that was forgotten
  std::vector<const Node*> path_;  // to be replayed
  std::uint64_t application_runs_ = 0;
  std::optional<Diverged> strayed_;
  std::uint64_t save_ticks_ = 0;  // that taking a snapshot takes, about
};

}  // namespace rehearse::mc
