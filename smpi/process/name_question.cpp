// SPDX-License-Identifier: MIT
//
// See name_question.hpp.
#include "smpi/process/name_question.hpp"

#include "mpi.h"
#include "simcore/actor.hpp"
#include "simcore/birth.hpp"
#include "smpi/library.hpp"
#include "smpi/process/births.hpp"

namespace rehearse::smpi {

NameAnswer ask_name_server(NameQuestion question, std::string_view name, std::string_view port) {
  const ActorId server = name_server();
  std::string text(name);
  text += '\0';
  text += port;
  text += '\0';
  Send send;
  send.request = library().start_request();
  send.context = birth_context;
  send.destination = server;
  send.tag = static_cast<Tag>(question);
  send.mode = SendMode::buffered;
  send.blocking = true;
  send.data = std::as_bytes(std::span(text));
  ask(send);
  Post post;
  post.request = library().start_request();
  post.pattern = {service_context, server, std::nullopt};
  post.capacity_bytes = MPI_MAX_PORT_NAME;
  post.blocking = true;
  const Completion& got = ask(post).completions.front();
  return {got.tag, std::string(reinterpret_cast<const char*>(got.data.data()), got.data.size())};
}

}  // namespace rehearse::smpi
