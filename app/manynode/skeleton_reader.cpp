// SPDX-License-Identifier: MIT
//
// Reads skeletons. A fault of a value is thrown with its place, and becomes an error at the interface.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "app/manynode_profile.hpp"
#include "app/skeleton_file.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

using manynode::Body;
using manynode::Expression;
using manynode::Skeleton;

constexpr int nesting_max = 64;

struct SkeletonFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void reject(const std::string& place, const std::string& fault) {
  throw SkeletonFault(place.empty() ? fault : place + ": " + fault);
}

std::string excerpt(const Json& json) {
  const std::string text = json.dump();
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

class SkeletonReader {
 public:
  SkeletonReader(const Json& document, const manynode::Profile* profile) : document_(document), profile_(profile) {}

  Skeleton read() {
    check_head();
    read_names();
    read_clusters();
    read_communicators();
    read_markers();
    skeleton_.body = body(need("body"), "body", 0);
    return std::move(skeleton_);
  }

 private:
  const Json& need(std::string_view key) {
    const Json* found = document_.find(key);
    if (found == nullptr) reject("", fmt::format("no '{}'", key));
    return *found;
  }

  void check_head() {
    if (!document_.is_object()) reject("", "expected an object with rehearse_skeleton, clusters, markers and body");
    const Json& version = need("rehearse_skeleton");
    if (!version.is_number_unsigned() || version.get<std::uint64_t>() != 1)
      reject("rehearse_skeleton", excerpt(version) + "; accepted: 1");
    constexpr std::array known = {"rehearse_skeleton", "name", "clusters", "markers", "let", "communicators", "body"};
    for (const Json::Member& member : document_.members())
      if (std::ranges::find(known, member.key) == known.end() && !is_remark(member.key))
        reject("", fmt::format("'{}'; accepted: name, clusters, markers, let, communicators, body, and remarks",
                               member.key));
    if (const Json* name = document_.find("name")) skeleton_.name = text_of(*name, "name");
  }

  // Names of remarks, which have no effect.
  static bool is_remark(const std::string& key) {
    return key == "about" || key == "remark" || key == "comment" || key == "source" || key == "generator";
  }

  static std::string text_of(const Json& json, const std::string& place) {
    if (!json.is_string()) reject(place, excerpt(json) + "; accepted: a text");
    return json.get<std::string>();
  }

  // Of an id: a text, or a number as a text.
  static std::string id_of(const Json& json, const std::string& place) {
    if (json.is_number_unsigned()) return std::to_string(json.get<std::uint64_t>());
    return text_of(json, place);
  }

  Expression expression(const Json& json, const std::string& place, std::uint32_t loops, bool has_member = false) {
    if (json.is_number()) return Expression(json.get<double>());
    if (!json.is_string()) reject(place, excerpt(json) + "; accepted: a number or an expression");
    auto parsed = Expression::parse(json.get<std::string>(), {loops, has_member, &names_});
    if (!parsed) reject(place, parsed.error().text);
    return std::move(parsed.value());
  }

  void read_names() {
    const Json* names = document_.find("let");
    if (names == nullptr) return;
    if (!names->is_object()) reject("let", excerpt(*names) + "; accepted: an object of names and expressions");
    for (const Json::Member& member : names->members())
      names_.emplace(member.key, expression(member.value, "let: " + member.key, 0));
  }

  void read_clusters() {
    if (profile_ != nullptr && !profile_->clusters.empty()) {
      for (const manynode::RankCluster& cluster : profile_->clusters)
        skeleton_.clusters.push_back({std::to_string(cluster.id), {}, {}, cluster.rule});
      return;
    }
    const Json& clusters = need("clusters");
    if (!clusters.is_array() || clusters.empty())
      reject("clusters", excerpt(clusters) + "; accepted: an array of objects with id and ranks");
    for (std::size_t i = 0; i < clusters.size(); ++i) read_cluster(clusters[i], fmt::format("clusters[{}]", i));
  }

  void read_cluster(const Json& json, const std::string& place) {
    if (!json.is_object() || !json.contains("id"))
      reject(place, excerpt(json) + "; accepted: an object with id and ranks");
    manynode::Cluster cluster;
    cluster.id = id_of(json.at("id"), place + ".id");
    for (const manynode::Cluster& other : skeleton_.clusters)
      if (other.id == cluster.id) reject(place + ".id", "'" + cluster.id + "' is there twice");
    const Json* ranks = json.contains("rule") ? json.find("rule") : json.find("ranks");
    if (ranks == nullptr) reject(place, "no 'ranks'");
    const std::string at = place + (json.contains("rule") ? ".rule" : ".ranks");
    if (ranks->is_array()) {
      for (const Json& each : *ranks) {
        if (!each.is_number_unsigned() || each.get<std::uint64_t>() > 0xffffffff)
          reject(at, excerpt(each) + "; accepted: a rank");
        cluster.ranks.push_back(each.get<std::uint32_t>());
      }
      if (cluster.ranks.empty()) reject(at, "[]; accepted: at least one rank");
      std::sort(cluster.ranks.begin(), cluster.ranks.end());
    } else if (auto rule = manynode::parse_rule(text_of(*ranks, at))) {
      cluster.named = rule.value();
    } else {
      cluster.rule = expression(*ranks, at, 0);
    }
    skeleton_.clusters.push_back(std::move(cluster));
  }

  void read_communicators() {
    const Json* all = document_.find("communicators");
    if (all == nullptr) return;
    if (!all->is_object()) reject("communicators", excerpt(*all) + "; accepted: an object of names");
    for (const Json::Member& member : all->members()) {
      const std::string place = "communicators." + member.key;
      if (!member.value.is_object() || !member.value.contains("colour"))
        reject(place, excerpt(member.value) + "; accepted: an object with colour and perhaps key");
      const Json* key = member.value.find("key");
      skeleton_.communicators.push_back(
          {member.key, expression(member.value.at("colour"), place + ".colour", 0),
           key ? expression(*key, place + ".key", 0) : Expression::parse("r", {}).value()});
    }
  }

  void read_markers() {
    if (const Json* markers = document_.find("markers")) {
      if (!markers->is_object()) reject("markers", excerpt(*markers) + "; accepted: an object of markers");
      for (const Json::Member& member : markers->members())
        if (!take_from_profile(member.key)) read_marker(member.key, member.value);
    }
    if (profile_ == nullptr) return;
    for (const manynode::MarkerProfile& each : profile_->markers) take_from_profile(each.id);
  }

  // False: the profile has no such marker.
  bool take_from_profile(const std::string& id) {
    if (profile_ == nullptr) return false;
    manynode::Marker marker;
    marker.id = id;
    bool is_there = false;
    for (const manynode::RankCluster& cluster : profile_->clusters) {
      const manynode::MarkerProfile* found = profile_->find_marker(id, cluster.id);
      marker.of_cluster.push_back(
          found == nullptr ? nullptr : std::make_shared<const manynode::Draws>(draws_of(*found, profile_->ranks)));
      is_there |= found != nullptr;
    }
    if (is_there && marker_numbers_.emplace(id, skeleton_.markers.size()).second)
      skeleton_.markers.push_back(std::move(marker));
    return is_there;
  }

  void read_marker(const std::string& id, const Json& json) {
    const std::string place = "markers." + id;
    if (!json.is_array() || json.empty())
      reject(place, excerpt(json) + "; accepted: an array of objects with cluster and law");
    manynode::Marker marker;
    marker.id = id;
    marker.of_cluster.resize(skeleton_.clusters.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string at = fmt::format("{}[{}]", place, i);
      const Json& each = json[i];
      if (!each.is_object()) reject(at, excerpt(each) + "; accepted: an object with cluster and law");
      auto draws = std::make_shared<const manynode::Draws>(read_draws(id, each, at));
      if (profile_ != nullptr) {  // whose clusters are others: the first law is that of all
        std::fill(marker.of_cluster.begin(), marker.of_cluster.end(), draws);
        break;
      }
      marker.of_cluster[cluster_number(each, at)] = draws;
    }
    marker_numbers_.emplace(id, skeleton_.markers.size());
    skeleton_.markers.push_back(std::move(marker));
  }

  std::size_t cluster_number(const Json& json, const std::string& place) {
    const Json* cluster = json.find("cluster");
    if (cluster == nullptr) reject(place, "no 'cluster'");
    const std::string id = id_of(*cluster, place + ".cluster");
    for (std::size_t i = 0; i < skeleton_.clusters.size(); ++i)
      if (skeleton_.clusters[i].id == id) return i;
    std::string known;
    for (const manynode::Cluster& each : skeleton_.clusters) known += (known.empty() ? "" : ", ") + each.id;
    reject(place + ".cluster", fmt::format("'{}'; accepted: {}", id, known));
  }

  // A law, or the modes of a profile's marker.
  manynode::Draws read_draws(const std::string& id, const Json& json, const std::string& place) {
    if (const Json* law = json.find("law")) {
      auto read = law_from_json(*law);
      if (!read) reject(place + ".law", read.error().text);
      return manynode::Draws(std::move(read.value()));
    }
    if (!json.contains("modes"))
      reject(place, "neither 'law' nor 'modes'; rehearse sweep --profile FILE takes them from a profile");
    Json marker = json;
    marker["id"] = id;
    marker["cluster"] = 0;
    const Json whole = {
        {"rehearse_profile", 1},
        {"ranks", 1},
        {"clusters",
         Json::array({{{"id", 0}, {"ranks", Json::array({0})}, {"representative", 0}, {"size", 1}, {"rule", "all"}}})},
        {"markers", Json::array({marker})}};
    auto profile = profile_from_json(whole);
    if (!profile) reject(place, profile.error().text);
    return draws_of(profile.value().markers.front(), 1);
  }

  // ---- the body

  const Json& part(const Json& json, std::string_view key, const std::string& place) {
    const Json* found = json.find(key);
    if (found == nullptr) reject(place, fmt::format("no '{}'", key));
    return *found;
  }

  Expression part_or(const Json& json, std::string_view key, const std::string& place, std::uint32_t loops,
                     double otherwise) {
    const Json* found = json.find(key);
    return found == nullptr ? Expression(otherwise) : expression(*found, fmt::format("{}.{}", place, key), loops);
  }

  void check_keys(const Json& json, const std::string& place, std::initializer_list<std::string_view> known) {
    for (const Json::Member& member : json.members()) {
      if (std::ranges::find(known, member.key) != known.end() || is_remark(member.key)) continue;
      std::string list;
      for (const std::string_view each : known) list += (list.empty() ? "" : ", ") + std::string(each);
      reject(place, fmt::format("'{}'; accepted: {}", member.key, list));
    }
  }

  Body body(const Json& json, const std::string& place, std::uint32_t loops) {
    if (!json.is_array()) reject(place, excerpt(json) + "; accepted: an array of steps");
    if (++nesting_ > nesting_max) reject(place, fmt::format("nested deeper than {} levels", nesting_max));
    Body body;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string at = fmt::format("{}[{}]", place, i);
      if (!json[i].is_object()) reject(at, excerpt(json[i]) + "; accepted: an object");
      body.push_back({step(json[i], at, loops), at});
    }
    --nesting_;
    return body;
  }

  decltype(manynode::Step::what) step(const Json& json, const std::string& place, std::uint32_t loops) {
    if (json.contains("compute")) return compute(json, place, loops);
    if (json.contains("sendrecv")) return exchange(json, place, loops);
    for (const char* name : {"send", "isend", "recv", "irecv"})
      if (json.contains(name)) return message(json, name, place, loops);
    for (const char* name : {"wait", "waitall", "waitany"})
      if (json.contains(name)) return wait(json, name, place, loops);
    if (json.contains("collective")) return collective(json, place, loops);
    if (json.contains("neighbours")) return neighbours(json, place, loops);
    if (json.contains("loop")) {
      check_keys(json, place, {"loop", "body"});
      if (loops == Expression::loops_max)
        reject(place, fmt::format("more than {} loops around each other", Expression::loops_max));
      return manynode::LoopStep{expression(json.at("loop"), place + ".loop", loops),
                                body(part(json, "body", place), place + ".body", loops + 1)};
    }
    if (json.contains("if")) {
      check_keys(json, place, {"if", "body", "else"});
      const Json* otherwise = json.find("else");
      return manynode::BranchStep{expression(json.at("if"), place + ".if", loops),
                                  body(part(json, "body", place), place + ".body", loops),
                                  otherwise ? body(*otherwise, place + ".else", loops) : Body()};
    }
    reject(place, excerpt(json) +
                      "; accepted: compute, send, isend, recv, irecv, sendrecv, wait, waitall, waitany, collective, "
                      "neighbours, loop, if");
  }

  manynode::ComputeStep compute(const Json& json, const std::string& place, std::uint32_t loops) {
    check_keys(json, place, {"compute", "scale", "draw"});
    const std::string id = text_of(json.at("compute"), place + ".compute");
    const auto found = marker_numbers_.find(id);
    if (found == marker_numbers_.end()) reject(place + ".compute", fmt::format("'{}' is not among the markers", id));
    manynode::ComputeStep step;
    step.marker = static_cast<std::uint32_t>(found->second);
    step.scale = part_or(json, "scale", place, loops, 1);
    const std::string draw = json.contains("draw") ? text_of(json.at("draw"), place + ".draw") : "rank";
    if (draw != "rank" && draw != "iteration") reject(place + ".draw", "'" + draw + "'; accepted: rank, iteration");
    step.is_common = draw == "iteration";
    return step;
  }

  std::uint32_t communicator(const Json& json, const std::string& place) {
    const Json* on = json.find("on");
    if (on == nullptr) return manynode::world;
    const std::string id = text_of(*on, place + ".on");
    for (std::size_t i = 0; i < skeleton_.communicators.size(); ++i)
      if (skeleton_.communicators[i].id == id) return static_cast<std::uint32_t>(i);
    reject(place + ".on", "'" + id + "' is not among the communicators");
  }

  // Nothing: the word "any", which only receives accept.
  std::optional<Expression> part_or_any(const Json& json, const std::string& place, std::uint32_t loops,
                                        bool accepts_any) {
    if (accepts_any && json.is_string() && json.get<std::string>() == "any") return std::nullopt;
    return expression(json, place, loops);
  }

  manynode::MessageStep message(const Json& json, const std::string& name, const std::string& place,
                                std::uint32_t loops) {
    check_keys(json, place, {name, "bytes", "tag", "mode", "on"});
    manynode::MessageStep step;
    step.is_blocking = name.front() != 'i';
    step.is_send = name.ends_with("send");
    step.peer = part_or_any(json.at(name), place + "." + name, loops, !step.is_send);
    if (step.is_send || json.contains("bytes"))
      step.bytes = expression(part(json, "bytes", place), place + ".bytes", loops);
    step.tag = Expression(0);
    if (json.contains("tag")) step.tag = part_or_any(json.at("tag"), place + ".tag", loops, !step.is_send);
    step.communicator = communicator(json, place);
    const std::string mode = json.contains("mode") ? text_of(json.at("mode"), place + ".mode") : "standard";
    constexpr std::pair<const char*, SendMode> modes[] = {{"standard", SendMode::standard},
                                                          {"synchronous", SendMode::synchronous},
                                                          {"buffered", SendMode::buffered},
                                                          {"ready", SendMode::ready}};
    const auto* const found = std::ranges::find(modes, mode, [](const auto& each) { return each.first; });
    if (found == std::end(modes))
      reject(place + ".mode", "'" + mode + "'; accepted: standard, synchronous, buffered, ready");
    step.mode = found->second;
    return step;
  }

  manynode::ExchangeStep exchange(const Json& json, const std::string& place, std::uint32_t loops) {
    check_keys(json, place, {"sendrecv", "bytes", "tag", "from", "from_tag", "from_bytes", "on"});
    manynode::ExchangeStep step;
    step.send.is_blocking = step.receive.is_blocking = false;
    step.receive.is_send = false;
    step.send.peer = expression(json.at("sendrecv"), place + ".sendrecv", loops);
    step.send.bytes = expression(part(json, "bytes", place), place + ".bytes", loops);
    step.send.tag = part_or(json, "tag", place, loops, 0);
    step.receive.peer = json.contains("from") ? part_or_any(json.at("from"), place + ".from", loops, true)
                                              : step.send.peer;
    step.receive.tag = json.contains("from_tag") ? part_or_any(json.at("from_tag"), place + ".from_tag", loops, true)
                                                 : step.send.tag;
    step.send.communicator = step.receive.communicator = communicator(json, place);
    return step;
  }

  manynode::WaitStep wait(const Json& json, const std::string& name, const std::string& place, std::uint32_t loops) {
    check_keys(json, place, {name});
    manynode::WaitStep step;
    if (name == "wait") {
      step.what = manynode::WaitStep::What::one;
      step.which = expression(json.at(name), place + ".wait", loops);
    } else if (name == "waitany") {
      step.what = manynode::WaitStep::What::any;
    }
    return step;
  }

  manynode::CollectiveStep collective(const Json& json, const std::string& place, std::uint32_t loops) {
    check_keys(json, place, {"collective", "bytes", "root", "elements", "on"});
    const std::string name = text_of(json.at("collective"), place + ".collective");
    manynode::CollectiveStep step;
    std::optional<CollectiveKind> kind = manynode::find_collective(name);
    step.is_blocking = kind.has_value();
    if (!kind && name.starts_with("i")) kind = manynode::find_collective(name.substr(1));
    if (!kind)
      reject(place + ".collective",
             fmt::format("'{}'; accepted: {}, and the same behind an i", name, manynode::collective_names()));
    step.kind = *kind;
    if (*kind == CollectiveKind::barrier) step.bytes = Expression(0);
    else step.bytes = expression(part(json, "bytes", place), place + ".bytes", loops, true);
    step.root = part_or(json, "root", place, loops, 0);
    step.elements = part_or(json, "elements", place, loops, 0);
    step.communicator = communicator(json, place);
    return step;
  }

  manynode::NeighbourStep neighbours(const Json& json, const std::string& place, std::uint32_t loops) {
    check_keys(json, place, {"neighbours", "bytes"});
    auto parsed = manynode::parse_neighbours(text_of(json.at("neighbours"), place + ".neighbours"));
    if (!parsed) reject(place, parsed.error().text);
    parsed.value().bytes = expression(part(json, "bytes", place), place + ".bytes", loops);
    return std::move(parsed.value());
  }

  const Json& document_;
  const manynode::Profile* profile_;
  Skeleton skeleton_;
  std::map<std::string, Expression, std::less<>> names_;
  std::map<std::string, std::size_t> marker_numbers_;
  int nesting_ = 0;
};

}  // namespace

Result<Skeleton> skeleton_from_json(const Json& document, const manynode::Profile* profile) {
  try {
    return SkeletonReader(document, profile).read();
  } catch (const SkeletonFault& fault) {
    return Error{fault.what()};
  } catch (const JsonError& error) {
    return Error{error.what()};
  }
}

Result<std::shared_ptr<const Skeleton>> read_skeleton(const std::string& file, const manynode::Profile* profile) {
  const auto text = read_file(file);
  if (!text) return Error{fmt::format("skeleton '{}': it cannot be read", file)};
  const auto document = parse_json(*text);
  if (!document) return Error{fmt::format("skeleton '{}': {}", file, document.error().text)};
  auto skeleton = skeleton_from_json(document.value(), profile);
  if (!skeleton) return Error{fmt::format("skeleton '{}': {}", file, skeleton.error().text)};
  return std::make_shared<const Skeleton>(std::move(skeleton.value()));
}

}  // namespace rehearse::app
