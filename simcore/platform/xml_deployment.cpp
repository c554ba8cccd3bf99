// SPDX-License-Identifier: MIT
//
// Platform and deployment files: the functions that run as actors, and their hosts.
#include <cmath>

#include "simcore/platform/xml_loader.hpp"

namespace rehearse::platform {

DeployedActor read_actor(const Element& element, const std::function<bool(const std::string& host)>& find_host) {
  element.check_attributes({"host", "function", "start_time", "kill_time", "on_failure"});
  DeployedActor actor;
  actor.function = element.required("function");
  const std::string host = element.required("host");
  if (!find_host(host)) element.refuse("actor '" + actor.function + "': there is no host '" + host + "'");
  const double start = element.real("start_time", -1);
  const double kill = element.real("kill_time", -1);
  actor.start_seconds = std::max(start, 0.0);
  if (kill >= 0) actor.kill_seconds = kill;
  if (kill >= 0 && kill < start)
    element.refuse("actor '" + actor.function + "': its kill_time is before its start_time");
  actor.is_restarted = element.choice("on_failure", {"DIE", "RESTART"}, "DIE") == 1;
  for (const Element& inner : element.children()) {
    if (inner.tag() == "argument") {
      inner.check_attributes({"value"});
      actor.arguments.push_back(inner.required("value"));
    } else if (inner.tag() == "prop") {
      read_prop(inner, actor.properties);
    } else {
      inner.refuse("<" + std::string(inner.tag()) + "> inside <actor> is not supported; accepted: argument, prop");
      break;
    }
  }
  return actor;
}

}  // namespace rehearse::platform
