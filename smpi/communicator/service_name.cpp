// SPDX-License-Identifier: MIT
//
// MPI_Publish_name, MPI_Unpublish_name and MPI_Lookup_name: questions to the server of names
// (smpi/process/name_question.hpp).
//
// Source: MPI 5.0, 11.9.4. Names are those of the whole run.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/communicator/port.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/name_question.hpp"

namespace rehearse::smpi {
namespace {

// The names that this rank has published and not unpublished.
struct PublishedNames {
  std::map<std::string, CreationSite> live;
};

Arguments name_arguments(const char* service_name, MPI_Info info, const char* port_name) {
  Arguments check;
  check.pointer(service_name, "service_name")
      .pointer(port_name, "port_name")
      .require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  return check;
}

}  // namespace

void visit_published_names(void (*visit)(const CreationSite& site, const std::string& name, void* argument),
                           void* argument) {
  const auto* names = find_per_rank<PublishedNames>();
  if (names == nullptr) return;
  for (const auto& [name, site] : names->live) visit(site, name, argument);
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Publish_name(const char* service_name, MPI_Info info, const char* port_name) {
  Arguments check = name_arguments(service_name, info, port_name);
  if (check.failed()) return check.error();
  const NameAnswer answer = ask_name_server(NameQuestion::publish, service_name, port_name);
  check.require(answer.error == MPI_SUCCESS, answer.error,
                [&] { return std::string(service_name) + " is published already"; });
  if (!check.failed()) per_rank<PublishedNames>().live.emplace(service_name, creation_site());
  return check.error();
}

int Unpublish_name(const char* service_name, MPI_Info info, const char* port_name) {
  Arguments check = name_arguments(service_name, info, port_name);
  if (check.failed()) return check.error();
  const NameAnswer answer = ask_name_server(NameQuestion::unpublish, service_name, port_name);
  check.require(answer.error == MPI_SUCCESS, answer.error,
                [&] { return std::string(service_name) + " is not published with this port"; });
  if (!check.failed()) per_rank<PublishedNames>().live.erase(service_name);
  return check.error();
}

int Lookup_name(const char* service_name, MPI_Info info, char* port_name) {
  Arguments check = name_arguments(service_name, info, port_name);
  if (check.failed()) return check.error();
  const NameAnswer answer = ask_name_server(NameQuestion::look_up, service_name, "");
  check.require(answer.error == MPI_SUCCESS, answer.error,
                [&] { return std::string(service_name) + " is not published"; });
  if (check.failed()) return check.error();
  const std::size_t bytes = std::min<std::size_t>(answer.port.size(), MPI_MAX_PORT_NAME - 1);
  std::memcpy(port_name, answer.port.data(), bytes);
  port_name[bytes] = '\0';
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
