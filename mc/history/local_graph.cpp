// SPDX-License-Identifier: MIT
//
// Finds the representative of a Node by a hash of all that its future depends on.
#include "mc/history/local_graph.hpp"

#include "mc/history/history.hpp"
#include "mc/history/words.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::history {

namespace {

StateImages& images_of(Program& program) {
  auto* images = dynamic_cast<StateImages*>(&program);
  REHEARSE_ASSERT(images != nullptr, "merging needs a program that can identify states");
  return *images;
}

bool has_ended(const Operation& operation) {
  return std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation);
}

// Whether the actor waits for an answer that others decide.
bool waits_for_others(const Operation& operation) {
  if (const auto* post = std::get_if<Post>(&operation)) return post->blocking;
  if (const auto* collective = std::get_if<Collective>(&operation)) return collective->blocking;
  return std::holds_alternative<Observe>(operation) || std::holds_alternative<Probe>(operation);
}

}  // namespace

LocalGraph::LocalGraph(Program& program, StateImages::AwaitedBytes awaited, Numbers numbers)
    : program_(program), images_(images_of(program)), awaited_(awaited), numbers_(numbers) {}

std::optional<Hash128> LocalGraph::key_of(const Node& fresh) {
  Words words;
  if (!has_ended(fresh.operation)) {  // what has ended has no state any more
    if (!waits_for_others(fresh.operation)) return std::nullopt;
    const std::optional<WideHash> image = images_.image(fresh.actor, awaited_);
    if (!image) return std::nullopt;
    words.add(image->low, image->high);
  }
  words.add(fresh.actor.value, fresh.depth, fresh.site, fresh.clock.now.picoseconds, fresh.clock.step.picoseconds,
            fresh.clock.readings);
  words.add_hash(fresh.fingerprint);
  if (const auto* fail = std::get_if<Fail>(&fresh.operation)) words.add_text(fail->what);
  words.add(reinterpret_cast<std::uintptr_t>(fresh.last_report == &fresh ? nullptr : fresh.last_report),
            reinterpret_cast<std::uintptr_t>(fresh.last_published == &fresh ? nullptr : fresh.last_published));
  const auto released = released_.find(&fresh);
  words.add_hash(released == released_.end() ? Hash128{} : released->second);
  return words.hash();
}

std::optional<Hash128> LocalGraph::repeated_key_of(const Node& fresh) {
  Words words;
  if (!has_ended(fresh.operation)) {
    const std::optional<WideHash> image = images_.image(fresh.actor, awaited_);
    lacks_images_ = lacks_images_ || !image;
    if (!image) return std::nullopt;
    words.add(image->low, image->high);
  }
  words.add(fresh.actor.value, fresh.site, fresh.asked_time, fresh.released.size());
  words.add_hash(fresh.fingerprint);
  if (const auto* fail = std::get_if<Fail>(&fresh.operation)) words.add_text(fail->what);
  if (!fresh.published) return words.hash();
  for (const Published& each : *fresh.published) {
    words.add(each.kind, each.value);
    words.add_text(each.name);
  }
  return words.hash();
}

// Requests stay released: the hash of those so far.
void LocalGraph::note_released(const Node& fresh) {
  const auto before = released_.find(fresh.parent);
  if (!fresh.released.empty() || before != released_.end()) {
    Words words;
    if (before != released_.end()) words.add_hash(before->second);
    for (const RequestId request : fresh.released) words.add(request.value);
    released_[&fresh] = words.hash();
  } else {
    released_.erase(&fresh);
  }
}

const Node* LocalGraph::representative(const Node& fresh) {
  ++edge_count_;
  ++steps_;
  if (numbers_ == Numbers::left_out) return represented(fresh, repeated_key_of(fresh));
  note_released(fresh);
  // Reports and published values of this step belong to the Node itself.
  if (!fresh.reports.empty() || fresh.published) return &fresh;
  return represented(fresh, key_of(fresh));
}

const Node* LocalGraph::represented(const Node& fresh, const std::optional<Hash128>& key) {
  if (!key) return &fresh;
  ++compared_;
  const auto [known, is_new] = by_key_.emplace(*key, &fresh);
  if (is_new) return &fresh;
  ++merged_;
  released_.erase(&fresh);
  return known->second;
}

void LocalGraph::count(const Node& fresh) {
  note_released(fresh);
  if (!counted_.insert(fresh.name).second || !fresh.reports.empty() || fresh.published) return;
  const std::optional<Hash128> key = key_of(fresh);
  if (!key) return;
  ++compared_;
  merged_ += !by_key_.emplace(*key, nullptr).second;
}

void LocalGraph::note_edge(const Node* from, const Node* to, Actors sources) {
  std::vector<Edge>& all = edges_[from];
  for (const Edge& edge : all)
    if (edge.to == to && edge.sources == sources) return;
  all.push_back({to, sources});
  ++edge_count_;
}

std::span<const LocalGraph::Edge> LocalGraph::edges(const Node* from) const {
  const auto found = edges_.find(from);
  return found == edges_.end() ? std::span<const Edge>() : std::span<const Edge>(found->second);
}

}  // namespace rehearse::mc::history
