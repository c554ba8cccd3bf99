// SPDX-License-Identifier: MIT
//
// setlocale per rank. libc has one global locale per process and one for each thread, which takes precedence. A rank is
// a thread in this respect: its thread-local storage holds its locale. So no rank changes the output format of another
// rank or of this process.
//
// Memory: locales are never freed; there is one for each combination of names that ranks have requested.
#include <locale.h>

#include <cstring>
#include <map>
#include <string>

#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

struct Category {
  int number;
  int mask;
  const char* name;
};
constexpr Category categories[] = {{LC_CTYPE, LC_CTYPE_MASK, "LC_CTYPE"},
                                   {LC_NUMERIC, LC_NUMERIC_MASK, "LC_NUMERIC"},
                                   {LC_TIME, LC_TIME_MASK, "LC_TIME"},
                                   {LC_COLLATE, LC_COLLATE_MASK, "LC_COLLATE"},
                                   {LC_MONETARY, LC_MONETARY_MASK, "LC_MONETARY"},
                                   {LC_MESSAGES, LC_MESSAGES_MASK, "LC_MESSAGES"},
                                   {LC_PAPER, LC_PAPER_MASK, "LC_PAPER"},
                                   {LC_NAME, LC_NAME_MASK, "LC_NAME"},
                                   {LC_ADDRESS, LC_ADDRESS_MASK, "LC_ADDRESS"},
                                   {LC_TELEPHONE, LC_TELEPHONE_MASK, "LC_TELEPHONE"},
                                   {LC_MEASUREMENT, LC_MEASUREMENT_MASK, "LC_MEASUREMENT"},
                                   {LC_IDENTIFICATION, LC_IDENTIFICATION_MASK, "LC_IDENTIFICATION"}};
static_assert(std::size(categories) == locale_categories);

using Names = LocaleNames::Names;

const char* value_of(const char* variable) {
  RankState& rank = this_rank();
  const std::size_t length = std::strlen(variable);
  for (char** entry = rank.variable<char**>(Variable::environment); entry != nullptr && *entry != nullptr; ++entry)
    if (std::strncmp(*entry, variable, length) == 0 && (*entry)[length] == '=' && (*entry)[length + 1] != '\0')
      return *entry + length + 1;
  return nullptr;
}

// The meaning of the empty name (locale(7)).
std::string from_environment(const Category& category) {
  for (const char* variable : {"LC_ALL", category.name, "LANG"})
    if (const char* value = value_of(variable)) return value;
  return "C";
}

// A name or, for all categories, the result of an earlier call: "LC_CTYPE=...;LC_NUMERIC=...".
bool read_names(int wanted, const char* text, Names& names) {
  const bool is_list = std::strchr(text, ';') != nullptr;
  if (is_list && wanted != LC_ALL) return false;
  for (std::size_t i = 0; i < locale_categories; ++i) {
    const Category& category = categories[i];
    if (wanted != LC_ALL && wanted != category.number) continue;
    if (!is_list) {
      names[i] = *text == '\0' ? from_environment(category) : text;
      continue;
    }
    const std::string key = std::string(category.name) + "=";
    const char* found = std::strstr(text, key.c_str());
    if (found == nullptr) return false;
    found += key.size();
    names[i] = std::string(found, std::strcspn(found, ";"));
  }
  return true;
}

// Null: libc has no such locale.
locale_t find_locale(LocaleNames& world, const Names& names) {
  if (const auto known = world.locales.find(names); known != world.locales.end())
    return static_cast<locale_t>(known->second);
  locale_t made = newlocale(LC_ALL_MASK, "C", nullptr);
  for (std::size_t i = 0; i < locale_categories && made != nullptr; ++i) {
    const locale_t changed = newlocale(categories[i].mask, names[i].c_str(), made);
    if (changed == nullptr) freelocale(made);
    made = changed;
  }
  if (made != nullptr) world.locales.emplace(names, made);
  return made;
}

std::string describe(int wanted, const Names& names) {
  bool equal = true;
  for (std::size_t i = 0; i < locale_categories; ++i) {
    if (wanted == categories[i].number) return names[i];
    equal = equal && names[i] == names[0];
  }
  if (equal) return names[0];
  std::string text;
  for (std::size_t i = 0; i < locale_categories; ++i)
    text += (i == 0 ? "" : ";") + std::string(categories[i].name) + "=" + names[i];
  return text;
}

char* rank_setlocale(int category, const char* text) {
  RankState& rank = this_rank();
  const HostAllocation host;  // names and locales are the world's; the rank points to its own
  LocaleNames& world = rank.world->locales;
  Names names = rank.locale_names == nullptr ? Names(locale_categories, "C") : *rank.locale_names;
  if (text != nullptr) {
    if (!read_names(category, text, names)) return nullptr;
    const locale_t locale = find_locale(world, names);
    if (locale == nullptr) return nullptr;
    uselocale(locale);
    rank.locale_names = &world.locales.find(names)->first;
  }
  return const_cast<char*>(world.texts.insert(describe(category, names)).first->c_str());
}

// libc keeps the data that it loads for all later calls, so they must be in the host's memory.
locale_t rank_newlocale(int mask, const char* name, locale_t base) {
  const HostAllocation host;
  return newlocale(mask, name, base);
}
locale_t rank_duplocale(locale_t locale) {
  const HostAllocation host;
  return duplocale(locale);
}

}  // namespace

InterposerList locale_interposers() {
  return {{"setlocale", function_address(rank_setlocale)},
          {"newlocale", function_address(rank_newlocale)},
          {"__newlocale", function_address(rank_newlocale)},
          {"duplocale", function_address(rank_duplocale)},
          {"__duplocale", function_address(rank_duplocale)}};
}

}  // namespace rehearse::smpi
