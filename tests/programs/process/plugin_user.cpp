// SPDX-License-Identifier: MIT
//
// Opens plugins of its own (the folder is the first argument): what is private, what is found where, what closing does,
// and what dlerror() says.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "plugin.hpp"

extern "C" int given_by_program() { return 7; }  // plugins call it

namespace {

std::string folder;

void* open(const char* name, int mode = RTLD_NOW) { return dlopen((folder + name).c_str(), mode); }

template <class Function>
Function* find(void* handle, const char* name) {
  return reinterpret_cast<Function*>(dlsym(handle, name));
}

void use(int rank) {
  void* plugin = open("/libprocess_plugin.so");
  if (plugin == nullptr) {
    std::printf("%s\n", dlerror());
    return;
  }
  auto* count = find<int(int)>(plugin, "plugin_count");
  auto* fail = find<void(const char*)>(plugin, "plugin_throw");
  count(rank);
  usleep(1);
  std::printf("%d ", count(1) - rank);                          // data and thread-local data of this rank
  std::printf("%d ", *static_cast<int*>(dlsym(plugin, "plugin_value")) - rank);
  std::printf("%d ", only_one<int>() == find<int*()>(plugin, "plugin_only_one")());  // STB_GNU_UNIQUE
  try {
    fail("over the border");
  } catch (const std::runtime_error& error) {
    std::printf("%s ", error.what());
  }
  Dl_info info;
  const int known = dladdr(reinterpret_cast<void*>(count), &info);
  std::printf("%d %s %s ", known, info.dli_sname, std::strrchr(info.dli_fname, '/') + 1);
  std::printf("%d ", open("/libprocess_plugin.so") == plugin);  // the second reference
  dlclose(plugin);
  std::printf("%d ", count(1) - rank);
  dlclose(plugin);
  std::printf("%d ", open("/libprocess_plugin.so", RTLD_NOW | RTLD_NOLOAD) == nullptr);
  plugin = open("/libprocess_plugin.so");
  std::printf("%d\n", find<int(int)>(plugin, "plugin_count")(1));  // from the start again
}

void ask_for_what_is_not_there() {
  for (const char* name : {"/nothing.so", "/libprocess_plugin_hollow.so"}) {
    const void* handle = open(name);
    const char* error = dlerror();
    const bool not_found = std::strstr(error, "nothing.so") != nullptr;
    std::printf("%d %s\n", handle == nullptr, not_found ? "not found" : std::strstr(error, "undefined"));
  }
  std::printf("%d ", dlsym(RTLD_DEFAULT, "no_such_function") == nullptr);
  std::printf("%s ", dlerror());
  std::printf("%d ", dlerror() == nullptr);
  std::printf("%d ", dlsym(RTLD_DEFAULT, "given_by_program") == reinterpret_cast<void*>(given_by_program));
  std::printf("%d ", find<int()>(RTLD_DEFAULT, "getpid")() == getpid());
  std::printf("%.1f", find<double(double)>(dlopen("libm.so.6", RTLD_NOW), "sqrt")(2.25));
}

}  // namespace

int main(int, char** argv) {
  folder = argv[1];
  use(static_cast<int>(getpid() % 1000));
  ask_for_what_is_not_there();
}
