// SPDX-License-Identifier: MIT
//
// Graphs of tasks in the JSON of WfCommons (format 1.x): workflow.tasks[], each with name, type (compute or transfer),
// runtimeInSeconds (taken as flops) or writtenBytes, machine and parents.
//
// Source: WfCommons, "WfFormat", docs.wfcommons.org.
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "simcore/support/format.hpp"
#include "simcore/workflow/task_graph.hpp"

namespace rehearse::sim {
namespace {

using nlohmann::json;

struct JsonMistake {
  std::string text;
};

std::string name_of(const json& task, std::size_t index) {
  const auto name = task.find("name");
  if (name == task.end() || !name->is_string())
    throw JsonMistake{fmt::format("workflow.tasks[{}]: 'name' with a string is expected", index)};
  return name->get<std::string>();
}

double amount_of(const json& task, const char* key, const std::string& place) {
  const auto found = task.find(key);
  if (found == task.end() || !found->is_number() || found->get<double>() < 0)
    throw JsonMistake{place + ": '" + key + "' with a number that is not negative is expected"};
  return found->get<double>();
}

TaskGraph::Task read_task(const json& task, const std::string& name) {
  TaskGraph::Task result{name};
  result.place = "task '" + name + "'";
  const auto type = task.find("type");
  const std::string kind = type != task.end() && type->is_string() ? type->get<std::string>() : "";
  if (kind != "compute" && kind != "transfer")
    throw JsonMistake{result.place + ": type '" + kind + "'; accepted: compute, transfer"};
  result.is_transfer = kind == "transfer";
  result.amount = amount_of(task, result.is_transfer ? "writtenBytes" : "runtimeInSeconds", result.place);
  const auto machine = task.find("machine");
  if (machine != task.end() && machine->is_string() && !result.is_transfer) result.host = machine->get<std::string>();
  return result;
}

TaskGraph read_graph(const json& document) {
  const json::json_pointer path("/workflow/tasks");
  if (!document.contains(path) || !document.at(path).is_array()) throw JsonMistake{"workflow.tasks[] is expected"};
  const json& tasks = document.at(path);
  TaskGraph graph;
  std::map<std::string, std::uint32_t> by_name;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::string name = name_of(tasks[i], i);
    if (!by_name.try_emplace(name, static_cast<std::uint32_t>(i)).second)
      throw JsonMistake{"task '" + name + "' exists twice"};
    graph.tasks.push_back(read_task(tasks[i], name));
  }
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    const json parents = tasks[i].value("parents", json::array());
    if (!parents.is_array()) throw JsonMistake{graph.tasks[i].place + ": 'parents' with a list is expected"};
    for (const json& parent : parents) {
      const auto found = parent.is_string() ? by_name.find(parent.get<std::string>()) : by_name.end();
      if (found == by_name.end()) throw JsonMistake{graph.tasks[i].place + ": there is no parent " + parent.dump()};
      graph.edges.push_back({found->second, i});
    }
  }
  return graph;
}

}  // namespace

Result<Workflow> load_workflow_json(Simulation& simulation, const std::string& file) {
  std::ifstream stream(file);
  if (!stream) return Error{file + ": the file cannot be read"};
  try {
    TaskGraph graph = read_graph(json::parse(stream));
    for (auto& task : graph.tasks) task.place = file + ": " + task.place;
    return build_workflow(simulation, graph);
  } catch (const json::parse_error& error) {
    return Error{file + ": not valid JSON: " + error.what()};
  } catch (const JsonMistake& mistake) {
    return Error{file + ": " + mistake.text};
  }
}

}  // namespace rehearse::sim
