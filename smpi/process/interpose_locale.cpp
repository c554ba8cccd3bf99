// SPDX-License-Identifier: MIT
//
// Locales of ranks: setlocale, newlocale and the like. libc has one global locale per process and one for each thread,
// which takes precedence. A rank is a thread in this respect: its thread-local storage holds its locale. So no rank
// changes the output format of another rank or of this process.
//
// Memory: locales are never freed; there is one for each combination of names that ranks have requested.
#include <locale.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <cwchar>
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

// libc loads the conversions of characters and the eras of a locale when it first needs them, and keeps them: they must
// be in the host's memory, not in that of the rank that needs them first.
void load_parts(locale_t locale) {
  const locale_t before = uselocale(locale);
  std::mbstate_t state{};
  wchar_t wide = 0;
  char text[64];
  const std::tm date{};
  std::mbrtowc(&wide, "a", 1, &state);
  std::wcrtomb(text, L'a', &state);
  std::strftime(text, sizeof text, "%EY %Od", &date);
  uselocale(before);
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
  if (made == nullptr) return nullptr;
  load_parts(made);
  world.locales.emplace(names, made);
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

// The names of a locale of a rank; null: it is not one of ours.
const Names* names_of(const RankState& rank, locale_t locale) {
  if (locale == LC_GLOBAL_LOCALE) return rank.locale_names;
  const auto& known = rank.world->locales.locales;
  const auto found = std::ranges::find_if(known, [locale](const auto& one) { return one.second == locale; });
  return found == known.end() ? nullptr : &found->first;
}

locale_t no_locale(int error) {
  errno = error;
  return nullptr;
}

// The locale with these names, as for setlocale: a rank that is rolled back must find it again, so it is not freed.
locale_t rank_newlocale(int mask, const char* name, locale_t base) {
  RankState& rank = this_rank();
  const HostAllocation host;
  if (mask == 1 << LC_ALL) mask = LC_ALL_MASK;  // as libc does
  if ((mask & ~LC_ALL_MASK) != 0 || name == nullptr) return no_locale(EINVAL);
  const Names* of_base = base == nullptr ? nullptr : names_of(rank, base);
  if (base != nullptr && of_base == nullptr) return newlocale(mask, name, base);
  Names names = of_base == nullptr ? Names(locale_categories, "C") : *of_base;
  Names wanted = names;
  if (!read_names(LC_ALL, name, wanted)) return no_locale(ENOENT);
  for (std::size_t i = 0; i < locale_categories; ++i)
    if ((mask & categories[i].mask) != 0) names[i] = wanted[i];
  return find_locale(rank.world->locales, names);
}

locale_t rank_duplocale(locale_t locale) {
  RankState& rank = this_rank();
  const HostAllocation host;
  if (locale == LC_GLOBAL_LOCALE && rank.locale_names == nullptr) return rank_newlocale(LC_ALL_MASK, "C", nullptr);
  const Names* names = names_of(rank, locale);
  return names == nullptr ? duplocale(locale) : find_locale(rank.world->locales, *names);
}

void rank_freelocale(locale_t locale) {
  const HostAllocation host;
  if (names_of(this_rank(), locale) == nullptr) freelocale(locale);
}

}  // namespace

InterposerList locale_interposers() {
  return {{"setlocale", function_address(rank_setlocale)},    {"newlocale", function_address(rank_newlocale)},
          {"__newlocale", function_address(rank_newlocale)},  {"duplocale", function_address(rank_duplocale)},
          {"__duplocale", function_address(rank_duplocale)},  {"freelocale", function_address(rank_freelocale)},
          {"__freelocale", function_address(rank_freelocale)}};
}

}  // namespace rehearse::smpi
