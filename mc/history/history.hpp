// SPDX-License-Identifier: MIT
//
// Local histories: the next Operation of each actor after each list of answers. Each is computed once, and kept while
// there is memory for it.
//
// Actors share no data except through Operations, so an actor's state is a function of its Observations. A Node stands
// for one list of Observations and holds the next Operation of the actor. The Nodes of an actor are a trie. The actor's
// code runs only when a new Node is reached. To bring an actor to a Node, the History restores the nearest ancestor
// with a snapshot (or restarts the actor), gives the recorded answers again, and compares each Operation with the
// recorded one. It takes a snapshot where measured times show that it pays: at once after a long computation, otherwise
// as soon as replays to a Node have taken as long as a snapshot takes. Operations that concern no other actor (local
// operations) have no Node of their own: the History answers them, and the next Node records them.
//
// Memory:    collect() drops all Nodes except those passed to it and the Nodes that these need: their ancestors, and
//            the Nodes whose data their answers hold. Dropped Nodes are computed again when they are needed. The limit
//            is low at first, so that Nodes stay in the processor's caches, and grows when many Nodes are computed
//            again.
// Ownership: the History owns Nodes and all data of their Operations; answers point to data of other Nodes.
// Errors:    if an actor makes another Operation after the same answers, Diverged is thrown. If only the data differ,
//            the actor continues with the data of the first time, and strayed() reports it. An actor that makes local
//            operations for too long fails (progress.step). If the exploration ends early in the middle of a step, the
//            step is undone, and GivenUp is thrown.
// Threads:   none.
#pragma once

#include <algorithm>
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

namespace rehearse::mc::history {

struct Node;
class LocalGraph;

// Thrown: an actor was interrupted before its next Operation, because the exploration ends early. Nothing was changed.
struct GivenUp {};

// The answer to an Operation. It points to the data of the Operations of `sources`, and has no copy.
struct Reply {
  bool flag = true;
  TimePoint now;
  boost::container::small_vector<Completion, 1> completions;
  std::vector<std::span<const std::byte>> parts;  // contributions to the collective, or to those completed, in order
  std::vector<Remark> remarks;                    // one for each part; empty: no part has one
  std::vector<std::uint32_t> part_ends;           // by completion: the end of its parts; empty: no completion has parts
  boost::container::small_vector<const Node*, 2> sources;  // Nodes whose data the answer contains

  void seal();                      // call once, when all members are set
  Observation observation() const;  // points into this Reply
};

struct Node {
  Node() {}  // not `= default`, which would clear the data first

  ActorId actor;
  std::uint64_t name = 0;   // hash of the list of answers
  std::uint32_t depth = 0;  // number of Operations before this one
  std::uint32_t level = 0;  // number of Nodes before this one
  const Node* parent = nullptr;
  Operation operation = End{};
  std::uint64_t site = 0;                             // Program::site
  Ways ways;                                          // Program::ways
  Hash128 fingerprint;                                // of the operation and the local operations before it
  std::uint64_t asked = 0;                            // the same without the data of the operation
  Hash128 data_hash;                                  // of a Send's data or a Collective's contribution
  std::uint64_t collective_hash = 0;                  // of a Collective: equal if the members agree on its arguments
  LocalClock clock;                                   // before the operation
  ObservableEffects effects;                          // up to this Operation, which is included
  std::vector<Finding> reports;                       // since the parent
  std::vector<RequestId> released;                    // since the parent
  const Node* last_report = nullptr;                  // the nearest Node with reports: this one or an ancestor
  std::unique_ptr<std::vector<Published>> published;  // since the parent; null: none
  const Node* last_published = nullptr;               // the nearest Node with `published`: this one or an ancestor
  Reply reply;                                        // the answer to the parent that leads here

  struct Child {
    Hash128 key;
    const Node* node;
  };
  alignas(8) std::array<std::byte, 48> few_data;  // data of the operation, if small
  std::unique_ptr<std::byte[]> data;              // data of the operation, otherwise
  DataStore::Data large_data;                     // may be shared with other Nodes
  std::uint64_t bytes = 0;                        // memory of this Node, without its snapshot
  bool is_used = false;                           // false: free for reuse
  bool asked_time = false;                        // the actor has read the clock since the parent
  bool is_endless = false;                        // the actor was stopped because it made local operations for too long

  // Bookkeeping of the History, which changes although the Node does not.
  mutable boost::container::small_vector<Child, 1> children;
  mutable const Node* after_nothing = nullptr;  // the child for the empty answer
  mutable std::unique_ptr<Snapshot> snapshot;
  mutable std::uint64_t since_snapshot = 0;  // ticks from the nearest snapshot to this Node
  mutable std::uint64_t replayed = 0;        // ticks spent on replays to this Node
  mutable bool is_kept = false;              // during collect(): needed
  enum class Round : std::uint8_t { unknown, yes, no };
  mutable Round round = Round::unknown;  // is_going_round()
};

class History {
 public:
  // `max_bytes` is a soft limit. Uses less if more memory would not pay.
  History(Program& program, std::uint64_t max_bytes);
  ~History();

  // From now on an actor fails if it makes nothing but local operations for longer than this.
  void limit_local_seconds(double seconds);

  // From now on an actor that makes local operations is interrupted when the token is set: GivenUp is thrown.
  void give_up_when(StopToken stop) { stop_ = std::move(stop); }

  // The Node of the actor's first Operation that is not local.
  const Node* start(ActorId actor);

  // The child of the node for an answer. `key` identifies the answer. `make(Reply&)` fills the Reply; it is called only
  // for a new answer.
  template <class Make>
  const Node* advance(const Node* node, const Hash128& key, Make&& make) {
    if (const Node* known = find(node, key)) return known;
    Fresh next(*this);
    make(next.node().reply);
    add(*node, next.node(), key.low);
    const Node* reached = local_graph_ == nullptr ? &next.keep() : merged(next);
    node->children.push_back({key, reached});
    return reached;
  }
  const Node* advance(const Node* node);  // the empty answer

  // From now on Nodes with equal states are one Node, in this graph, which must outlive the History or the next
  // start_again(). Requires: no Node was made. collect() must not be called then.
  void merge_in(LocalGraph& graph) {
    local_graph_ = &graph;
    merges_ = true;
  }
  // From now on new Nodes that could be merged are counted in this graph, which must outlive the History.
  void count_in(LocalGraph& graph) { local_graph_ = &graph; }
  // Others have moved the actors: from now on nothing is known of where they are.
  void lose_places() { std::ranges::fill(at_, nullptr); }
  // Drops all Nodes, and merges no Nodes from now on.
  void start_again();

  // Brings the actor to this node, so that Program::describe describes it.
  void visit(const Node* node);

  // Whether the actor polls in a loop that changes nothing: it is in the same state as at an earlier poll, since then
  // got only the answer "no", and did not read the clock. Then it repeats these polls as long as the answer is "no".
  // False if unknown.
  bool is_going_round(const Node* node);

  // The actor is at this node and will return to it this many times: a snapshot may pay at once.
  void announce_returns(const Node* node, std::size_t times);

  bool is_full() const { return bytes() > limit_; }
  void set_limit(std::uint64_t max_bytes);
  // Raises the limit, or drops the Nodes that the given ones do not need. Then all pointers to dropped Nodes dangle.
  void collect(std::span<const Node* const> needed);

  std::uint64_t application_runs() const { return application_runs_; }

  // The first actor that had other data in an Operation after the same answers; null: none.
  const Diverged* strayed() const { return strayed_ ? &*strayed_ : nullptr; }

 private:
  // A new Node; its destructor drops it, unless keep() was called.
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
  const Node* merged(Fresh& next);
  void compare_future(const Node& known);
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
  std::uint64_t most_, limit_;  // the final and the current limit
  double local_seconds_ = std::numeric_limits<double>::infinity();
  std::string endless_text_;
  StopToken stop_;
  std::uint64_t bytes_ = 0;  // of nodes and snapshots
  DataStore store_;
  Forgotten forgotten_;
  std::deque<Node> nodes_;
  std::vector<Node*> unused_;
  std::vector<const Node*> roots_;
  std::vector<const Node*> at_;    // current node of each actor; null: not started, or at a dropped Node
  std::vector<const Node*> path_;  // Nodes to replay, the deepest first
  std::uint64_t application_runs_ = 0;
  std::optional<Diverged> strayed_;
  std::uint64_t save_ticks_ = 0;       // approximate duration of taking a snapshot
  LocalGraph* local_graph_ = nullptr;  // null: Nodes are neither merged nor counted
  bool merges_ = false;
  std::uint64_t merges_made_ = 0;
};

}  // namespace rehearse::mc::history
