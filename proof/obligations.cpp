// SPDX-License-Identifier: MIT
//
// Each failing step, each point where a rank may stay, and each message.
#include "proof/obligations.hpp"

namespace rehearse::proof {

Obligations::Obligations(const Net& net) {
  for (const Failure& failure : net.failures) failures_.emplace(failure.from, failure.taken);
  for (std::uint32_t p = 0; p < net.points.size(); ++p) {
    const Stay stay = net.points[p].stay;
    if (stay == Stay::waits || stay == Stay::while_any || stay == Stay::while_all) stays_.insert(p);
  }
  for (std::uint32_t m = 0; m < net.messages.size(); ++m) messages_.insert(m);
}

void Obligations::discharge(const StateQuestion& question) {
  if (question.kind == Kind::failure) failures_.erase({question.point, question.message});
  for (const std::uint32_t element : question.elements)
    (question.kind == Kind::deadlock ? stays_ : messages_).erase(element);
}

std::string Obligations::open() const {
  if (!failures_.empty()) {
    const auto& [point, message] = *failures_.begin();
    return "nothing excludes the failing step from point " + std::to_string(point) +
           (message == none ? " without a message" : " with message " + std::to_string(message));
  }
  if (!stays_.empty())
    return "nothing excludes that a rank waits at point " + std::to_string(*stays_.begin()) + " for ever";
  if (!messages_.empty()) return "nothing excludes that message " + std::to_string(*messages_.begin()) + " is lost";
  return "";
}

}  // namespace rehearse::proof
