// SPDX-License-Identifier: MIT
//
// Names of hosts: those of the run's nodes have the addresses of socket_names.hpp; libc knows all others. libc keeps
// what it has read for the whole process, so it works in the host's memory, and ranks get copies of its answers.
#include <arpa/inet.h>
#include <netdb.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/socket_names.hpp"

namespace rehearse::smpi {
namespace {

// The answer of gethostbyname(), which its next call overwrites.
struct HostAnswer {
  hostent entry = {};
  std::string name, addresses;
  char* aliases[1] = {nullptr};
  std::vector<char*> places;  // of the addresses, and null
};

hostent* keep_answer(const char* name, int family, const std::string& addresses) {
  auto& answer = per_rank<HostAnswer>();
  const std::size_t bytes = family == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr);
  answer.name = name;
  answer.addresses = addresses;
  answer.places.clear();
  for (std::size_t at = 0; at < addresses.size(); at += bytes) answer.places.push_back(answer.addresses.data() + at);
  answer.places.push_back(nullptr);
  answer.entry = {answer.name.data(), answer.aliases, family, static_cast<int>(bytes), answer.places.data()};
  return &answer.entry;
}

hostent* rank_gethostbyname2(const char* name, int family) {
  char bytes[256] = {};
  std::size_t count = 0;
  const std::string numerical = address_of_node(name, family);
  if (!numerical.empty()) {
    ::inet_pton(family, numerical.c_str(), bytes);
    count = family == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr);
  } else {
    const HostAllocation host;
    const hostent* found = ::gethostbyname2(name, family);
    if (found == nullptr) return nullptr;
    const auto length = static_cast<std::size_t>(found->h_length);
    for (char** address = found->h_addr_list; *address != nullptr && count + length <= sizeof bytes; ++address) {
      std::memcpy(bytes + count, *address, length);
      count += length;
    }
  }
  return keep_answer(name, family, std::string(bytes, count));
}

hostent* rank_gethostbyname(const char* name) { return rank_gethostbyname2(name, AF_INET); }

// An answer of getaddrinfo() with its address and name behind it, in one block of the rank.
addrinfo* copy_of(const addrinfo& answer) {
  const std::size_t name_bytes = answer.ai_canonname == nullptr ? 0 : std::strlen(answer.ai_canonname) + 1;
  auto* block = static_cast<char*>(std::malloc(sizeof(addrinfo) + answer.ai_addrlen + name_bytes));
  if (block == nullptr) return nullptr;
  auto* made = reinterpret_cast<addrinfo*>(block);
  *made = answer;
  made->ai_next = nullptr;
  made->ai_addr = reinterpret_cast<sockaddr*>(block + sizeof(addrinfo));
  std::memcpy(made->ai_addr, answer.ai_addr, answer.ai_addrlen);
  made->ai_canonname = name_bytes == 0 ? nullptr : block + sizeof(addrinfo) + answer.ai_addrlen;
  if (name_bytes > 0) std::memcpy(made->ai_canonname, answer.ai_canonname, name_bytes);
  return made;
}

int rank_getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** answer) {
  const int family = hints != nullptr && hints->ai_family == AF_INET6 ? AF_INET6 : AF_INET;
  const std::string address = name == nullptr ? "" : address_of_node(name, family);
  addrinfo* found = nullptr;
  {
    const HostAllocation host;
    const int error = ::getaddrinfo(address.empty() ? name : address.c_str(), service, hints, &found);
    if (error != 0) return error;
  }
  addrinfo** end = answer;
  *end = nullptr;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    *end = copy_of(*each);
    if (*end == nullptr) break;
    end = &(*end)->ai_next;
  }
  const HostAllocation host;
  ::freeaddrinfo(found);
  return 0;
}

void rank_freeaddrinfo(addrinfo* answer) {
  while (answer != nullptr) {
    addrinfo* next = answer->ai_next;
    std::free(answer);
    answer = next;
  }
}

int rank_getnameinfo(const sockaddr* address, socklen_t bytes, char* host_name, socklen_t host_room, char* service,
                     socklen_t service_room, int flags) {
  const HostAllocation host;
  return ::getnameinfo(address, bytes, host_name, host_room, service, service_room, flags);
}

}  // namespace

InterposerList host_name_interposers() {
  return {{"gethostbyname", function_address(rank_gethostbyname)},
          {"gethostbyname2", function_address(rank_gethostbyname2)},
          {"getaddrinfo", function_address(rank_getaddrinfo)},
          {"freeaddrinfo", function_address(rank_freeaddrinfo)},
          {"getnameinfo", function_address(rank_getnameinfo)}};
}

}  // namespace rehearse::smpi
