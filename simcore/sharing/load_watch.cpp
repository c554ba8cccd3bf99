// SPDX-License-Identifier: MIT
//
// See load_watch.hpp.
#include "simcore/sharing/load_watch.hpp"

#include <algorithm>

namespace rehearse::sharing {

LoadWatch::Watched& LoadWatch::make_watched(ResourceIndex resource) {
  if (resource >= watched_.size()) watched_.resize(resource + 1);
  Watched& watched = watched_[resource];
  watched.is_watched = true;
  watched.capacity = progress_.sharing().capacity(resource);
  return watched;
}

// It may be in use already.
void LoadWatch::watch(ResourceIndex resource) {
  make_watched(resource);
  note_resource(resource);
}

void LoadWatch::make_meter(ResourceIndex resource) {
  make_watched(resource).is_meter = true;
  meters_.push_back(resource);
}

void LoadWatch::note_resource(ResourceIndex resource) {
  if (resource >= watched_.size()) return;
  Watched& watched = watched_[resource];
  if (!watched.is_watched || watched.is_marked) return;
  watched.is_marked = true;
  marked_.push_back(resource);
}

void LoadWatch::enter(ActivityIndex index) {
  for (const Use& use : state_.activities[index].meters) watched_[use.resource].users.push_back(index);
}

void LoadWatch::leave(ActivityIndex index) {
  for (const Use& use : state_.activities[index].meters) {
    std::vector<ActivityIndex>& users = watched_[use.resource].users;
    *std::find(users.begin(), users.end(), index) = users.back();
    users.pop_back();
    note_resource(use.resource);
  }
}

void LoadWatch::expect(ActivityIndex index) {
  begins_.push_back({state_.activities[index].since, state_.activities[index].order, index});
  std::push_heap(begins_.begin(), begins_.end());
}

void LoadWatch::note(ActivityIndex index) {
  for (const Use& use : state_.activities[index].uses) note_resource(use.resource);
  for (const Use& use : state_.activities[index].meters) note_resource(use.resource);
}

// A new level of a resource changes the rates of all that it holds back, and with them the usage of their other
// resources, which the solver need not have visited.
void LoadWatch::note_rates() {
  const FairSharing& sharing = progress_.sharing();
  for (const ResourceIndex resource : sharing.visited()) note_resource(resource);
  for (const ResourceIndex pool : sharing.relevelled()) {
    note_resource(pool);
    for (const LoadTable::Out& out : sharing.loaded_by(pool)) note_resource(out.resource);
  }
  for (const BundleIndex bundle : sharing.moved())
    for (const LoadTable::Crossing& crossing : sharing.crossings(bundle)) note_resource(crossing.resource);
  for (const ResourceIndex meter : meters_)
    if (!watched_[meter].users.empty()) note_resource(meter);
}

double LoadWatch::rate(ActivityIndex index) const {
  const FluidActivity& activity = state_.activities[index];
  const bool is_known = activity.is_uncontended || activity.is_precomputed || activity.batch != no_batch;
  return is_known ? activity.rate : progress_.rate(index);
}

double LoadWatch::metered(const Watched& meter, ResourceIndex resource, TimePoint date) const {
  double sum = 0;
  for (const ActivityIndex index : meter.users) {
    const FluidActivity& activity = state_.activities[index];
    if (!flows(activity, date)) continue;
    for (const Use& use : activity.meters)
      if (use.resource == resource) sum += use.coefficient * rate(index);
  }
  return sum;
}

double LoadWatch::usage(ResourceIndex resource, TimePoint date) const {
  if (resource < watched_.size() && watched_[resource].is_meter) return metered(watched_[resource], resource, date);
  const FluidResource& of = state_.resources[resource];
  if (of.batch != no_batch) return batches_.usage(resource);
  if (of.sole_user == nobody) return progress_.sharing().usage(resource);
  const FluidActivity& activity = state_.activities[of.sole_user];
  if (!flows(activity, date)) return 0;
  for (const Use& use : activity.uses)
    if (use.resource == resource) return use.coefficient * activity.rate;
  return 0;
}

// Marks what the activities that begin at a date use; the first ones there are until `until`, this date included.
void LoadWatch::note_begins(TimePoint until) {
  while (!begins_.empty() && begins_.front().date <= until) {
    const Begin begin = begins_.front();
    std::pop_heap(begins_.begin(), begins_.end());
    begins_.pop_back();
    const FluidActivity& activity = state_.activities[begin.activity];
    const bool is_current = activity.order == begin.order && activity.since == begin.date &&
                            (activity.is_precomputed || activity.is_uncontended);
    if (is_current) note(begin.activity);
  }
}

void LoadWatch::take_marked(TimePoint date) {
  for (const ResourceIndex resource : marked_) {
    Watched& watched = watched_[resource];
    watched.is_marked = false;
    const double usage = this->usage(resource, date);
    const double capacity = progress_.sharing().capacity(resource);
    if (usage == watched.usage && capacity == watched.capacity) continue;
    watched.usage = usage;
    watched.capacity = capacity;
    changed_.push_back({resource, usage, date});
  }
  marked_.clear();
}

std::span<const LoadChange> LoadWatch::changed(TimePoint until) {
  changed_.clear();
  note_begins(state_.now);
  take_marked(state_.now);
  while (!begins_.empty() && begins_.front().date < until) {
    const TimePoint date = begins_.front().date;
    note_begins(date);
    take_marked(date);
  }
  return changed_;
}

}  // namespace rehearse::sharing
