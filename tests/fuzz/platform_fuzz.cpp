// SPDX-License-Identifier: MIT
//
// Platform files and profiles mutated at random: each must end as a platform whose routes can be asked
// for, or as one line of error. Never a crash, and never more than a second of work. Usage: see harness.hpp.
#include <iostream>
#include <string>
#include <vector>

#include "simcore/platform_text.hpp"
#include "simcore/profile.hpp"
#include "tests/fuzz/harness.hpp"

namespace {

using namespace rehearse;

const fuzz::Grammar grammar{"\"' <>=,;\n",
                            '<',
                            {"0",
                             "-1",
                             "1e308",
                             "1e-320",
                             "nan",
                             "inf",
                             "4294967295",
                             "4294967296",
                             "18446744073709551616",
                             "0-4000000000",
                             "0-3,2",
                             "0;3",
                             "1KBps",
                             "1MBps",
                             "1Gf",
                             "50us",
                             "YES",
                             "NO",
                             "UP",
                             "DOWN",
                             "Full",
                             "Floyd",
                             "Dijkstra",
                             "DijkstraCache",
                             "Cluster",
                             "Vivaldi",
                             "Wifi",
                             "None",
                             "TORUS",
                             "FAT_TREE",
                             "DRAGONFLY",
                             "SHARED",
                             "FATPIPE",
                             "SPLITDUPLEX",
                             "WIFI",
                             "2;4,4;1,2;1,2",
                             "3,4;4,3;5,1;2",
                             "2,2",
                             "65535,65535",
                             "a",
                             "b",
                             "z",
                             "<zone id='q' routing='Full'>",
                             "</zone>",
                             "<host id='h' speed='1f'/>",
                             "<link_ctn id='l'/>",
                             "symmetrical='NO'",
                             "gw_src='a'",
                             "gw_dst='b'",
                             "coordinates='0 0 0'",
                             "PERIODICITY 1",
                             "LOOPAFTER 0",
                             "STOCHASTIC LOOP",
                             "DET 0",
                             "NORM -1 1",
                             "&lt;",
                             "<!--",
                             "-->",
                             "<![CDATA[",
                             "&#0;",
                             "\xff\xfe",
                             "radical='0-999999'",
                             "core='0'",
                             "state_file='/dev/zero'"}};

// Returns whether it was a platform.
bool try_platform(const std::string& text, SplitMix& random) {
  auto platform = platform_from_text("fuzz.xml", text, {2'000, 20'000, 20});
  if (!platform) {
    fuzz::check_error(platform.error().text);
    return false;
  }
  const Platform& machine = platform.value();
  Route route;
  for (int i = 0; i < 30; ++i) {
    const HostId from{static_cast<std::uint32_t>(random.below(machine.hosts().size()))};
    const HostId to{static_cast<std::uint32_t>(random.below(machine.hosts().size()))};
    if (!machine.find_route(from, to, route)) continue;
    if (!(route.latency_seconds >= 0)) fuzz::fail("a latency that is not a number");
    for (const LinkId link : route.links)
      if (link.value >= machine.links().size()) fuzz::fail("a link that is not there");
  }
  for (std::uint32_t i = 0; i < machine.hosts().size(); ++i) {
    if (machine.find_host(machine.hosts()[i].name) != HostId{i}) fuzz::fail("a host that is not found");
    const Profile* profile = machine.speed_profile(HostId{i});
    if (profile == nullptr) continue;
    ProfileCursor cursor(*profile, i);
    double last = 0;
    for (int step = 0; step < 100 && last < Profile::never; ++step, cursor.pop()) {
      if (cursor.next_date() < last || !(cursor.next_value() >= 0)) fuzz::fail("a profile that goes back");
      last = cursor.next_date();
    }
  }
  return true;
}

bool run_case(const std::vector<std::string>& corpus, SplitMix& random, bool shown) {
  std::string text = corpus[fuzz::below(random, corpus.size())];
  for (std::size_t i = fuzz::below(random, 6); i > 0; --i)
    fuzz::mutate(text, corpus[fuzz::below(random, corpus.size())], grammar, random);
  if (shown) std::cerr << text << '\n';
  if (text.find('<') == std::string::npos) {
    const auto profile = parse_profile(text, "fuzz.txt", 1, random.below(2) * 10.0);
    if (!profile) fuzz::check_error(profile.error().text);
    return static_cast<bool>(profile);
  }
  return try_platform(text, random);
}

}  // namespace

int main(int count, char** arguments) {
  const fuzz::Settings settings = fuzz::read_settings(count, arguments);
  const std::vector<std::string> corpus = fuzz::read_corpus(settings.corpus);
  if (corpus.empty()) return 2;
  return fuzz::run_cases(settings, [&](SplitMix& random, bool shown) { return run_case(corpus, random, shown); });
}
