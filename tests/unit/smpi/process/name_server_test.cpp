// SPDX-License-Identifier: MIT
//
// The server of published names.
#include "smpi/process/name_server.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "mpi.h"
#include "simcore/birth.hpp"

namespace name_server_test {

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

struct Answer {
  int error = -1;
  std::string port;
};

Answer ask(NameServer& server, NameQuestion question, const std::string& name, const std::string& port) {
  CHECK(awaits_birth(server.next()));
  std::string text = name + '\0' + port + '\0';
  Completion request;
  request.source = {3};
  request.tag = static_cast<Tag>(question);
  request.data = std::as_bytes(std::span(text));
  Observation observation;
  observation.completions = {&request, 1};
  server.resume(observation);
  const auto& send = std::get<Send>(server.next());
  CHECK(send.destination == ActorId{3});
  Answer answer{send.tag, std::string(reinterpret_cast<const char*>(send.data.data()), send.data.size())};
  server.resume({});
  return answer;
}

}  // namespace

TEST_CASE("name server: knows what is published", "[smpi][spawn]") {
  NameServer server;
  CHECK(ask(server, NameQuestion::look_up, "a", "").error == MPI_ERR_NAME);
  CHECK(ask(server, NameQuestion::publish, "a", "port").error == MPI_SUCCESS);
  CHECK(ask(server, NameQuestion::publish, "a", "other").error == MPI_ERR_SERVICE);
  CHECK(ask(server, NameQuestion::look_up, "a", "").port == "port");
  NameServer saved = server;
  CHECK(ask(server, NameQuestion::unpublish, "a", "other").error == MPI_ERR_SERVICE);
  CHECK(ask(server, NameQuestion::unpublish, "a", "port").error == MPI_SUCCESS);
  CHECK(ask(server, NameQuestion::look_up, "a", "").error == MPI_ERR_NAME);
  CHECK(ask(saved, NameQuestion::look_up, "a", "").port == "port");
}

}  // namespace name_server_test
