// SPDX-License-Identifier: MIT
//
// Every message gets a receive somewhere; order, wildcards and the use of requests are random.
#include "tests/support/random_litmus.hpp"

#include <algorithm>
#include <vector>

namespace rehearse::tests {

namespace {

// splitmix64: the same sequence everywhere, unlike the standard library's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

struct Part {
  bool receive;
  std::uint32_t other;
  std::string tag;
  std::string collective = {};  // a collective instead of a message: its name and root
};

class Writer {
 public:
  Writer(Random& random, const LitmusShape& shape) : random_(random), shape_(shape) {}

  std::string body(std::vector<Part> parts, const std::vector<std::string>& collectives) {
    for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random_.below(std::uint32_t(i))]);
    if (random_.chance(70))
      std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.receive < b.receive; });
    std::size_t least = 0;
    for (const std::string& collective : collectives) {
      least += random_.below(static_cast<std::uint32_t>(parts.size() - least + 1));
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(least++), Part{false, 0, "", collective});
    }
    for (const Part& part : parts) {
      if (shape_.choices && random_.chance(15)) add("choose 2");
      add_part(part);
      maybe_complete();
    }
    if (!open_.empty()) add("waitall" + names(open_));
    if (shape_.memory) compute();
    return text_;
  }

  bool has_receive() const { return received_; }
  void add(const std::string& operation) { text_ += (text_.empty() ? "" : " ; ") + operation; }

 private:
  static std::string names(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& n : list) text += " " + n;
    return text;
  }

  // What an actor does with the message that it received last.
  void compute() {
    const std::uint32_t kind = random_.below(10);
    if (kind < 5) add("sum");
    else if (kind < 7) add("mix");
    else if (kind < 8) add("keep");
    if (random_.chance(15)) add("failif " + std::to_string(random_.below(8)));
    if (random_.chance(6)) add("failsrc " + std::to_string(random_.below(shape_.actors)));
    if (random_.chance(10)) add("skipbelow " + std::to_string(1 + random_.below(6)));
  }

  void add_collective(const std::string& call) {
    if (random_.chance(30)) return add(call);
    open_.push_back("r" + std::to_string(fresh_++));
    add("i" + call + " " + open_.back());
    if (shape_.polls && random_.chance(60)) add("test " + open_.back());
  }

  void add_part(const Part& part) {
    if (!part.collective.empty()) return add_collective(part.collective);
    std::string call;
    if (part.receive) {
      const std::string source = random_.chance(65) ? "*" : std::to_string(part.other);
      const std::string any = part.tag.back() == '\'' ? "*'" : "*";
      const std::string tag = shape_.tags && random_.chance(30) ? any : part.tag;
      if (shape_.probes && random_.chance(20)) add("probe " + source + " " + tag);
      if (shape_.polls && random_.chance(20)) add("iprobe " + source + " " + tag);
      call = "recv " + source + " " + tag;
      received_ = true;
      if (shape_.takes && random_.chance(35)) return take(source + " " + tag);
    } else {
      const char* mode = shape_.synchronous && random_.chance(20) ? "s"
                         : !shape_.modes || random_.chance(60)    ? ""
                         : random_.chance(50)                     ? "b"
                                                                  : "r";
      if (shape_.memory && *mode == 0 && random_.chance(60)) mode = "a";
      call = mode + ("send " + std::to_string(part.other)) + " " + part.tag;
    }
    if (!shape_.nonblocking || !random_.chance(40)) {
      add(call);
      if (shape_.memory && part.receive) compute();
      return;
    }
    open_.push_back("r" + std::to_string(fresh_++));
    add("i" + call + " " + open_.back());
    if (part.receive && shape_.polls && random_.chance(30)) add("test " + open_.back());
    if (part.receive && shape_.cancels && random_.chance(40)) add("cancel " + open_.back());
    if (shape_.frees && random_.chance(50)) open_.pop_back();
  }

  // A message that a probe takes and that is received immediately, later or never.
  void take(const std::string& pattern) {
    const std::string name = "m" + std::to_string(fresh_++);
    add((random_.chance(50) ? "mprobe " : "improbe ") + pattern + " " + name);
    if (random_.chance(50)) return add("mrecv " + name);
    if (random_.chance(20)) return;
    open_.push_back("r" + std::to_string(fresh_++));
    add("imrecv " + name + " " + open_.back());
  }

  void maybe_complete() {
    if (open_.empty() || !random_.chance(35)) return;
    if (shape_.some && shape_.polls && random_.chance(30))
      add((random_.chance(50) ? "testsome" : "testany") + names(open_));
    if (shape_.waitany && open_.size() > 1 && random_.chance(50)) {
      add((shape_.some && random_.chance(50) ? "waitsome" : "waitany") + names(open_));
      add("waitall" + names(open_));
      open_.clear();
      return;
    }
    const std::uint32_t which = random_.below(static_cast<std::uint32_t>(open_.size()));
    add("wait " + open_[which]);
    if (shape_.memory) compute();
    open_.erase(open_.begin() + which);
  }

  Random& random_;
  const LitmusShape& shape_;
  std::string text_;
  std::vector<std::string> open_;
  std::uint32_t fresh_ = 0;
  bool received_ = false;
};

}  // namespace

std::string random_litmus(std::uint64_t seed, const LitmusShape& shape) {
  Random random(seed);
  std::vector<std::vector<Part>> parts(shape.actors);
  for (std::uint32_t m = 0; m < shape.messages; ++m) {
    const std::uint32_t source = random.below(shape.actors);
    const std::uint32_t destination = (source + 1 + random.below(shape.actors - 1)) % shape.actors;
    std::string tag = std::to_string(shape.tags ? random.below(2) : 0);
    if (shape.communicators && random.chance(40)) tag += "'";
    parts[source].push_back({false, destination, tag});
    parts[destination].push_back({true, source, tag});
  }
  std::vector<std::string> collectives;
  for (std::uint32_t i = 0; shape.collectives && i < 2; ++i) {
    const std::string root = " " + std::to_string(random.below(shape.actors));
    const std::string flows[] = {"barrier", "bcast" + root, "reduce" + root, "scan"};
    const bool is_there = i == 0 || random.chance(30);
    if (is_there && shape.groups && random.chance(75)) {
      const std::string first = " " + std::to_string(1 + random.below(shape.actors - 1));
      const std::string between[] = {"xbarrier" + first, "xbcast" + first + root, "xreduce" + first + root};
      collectives.push_back(between[random.below(3)]);
    } else if (is_there) {
      collectives.push_back(flows[random.below(4)]);
    }
  }
  const bool barrier = shape.barriers && random.chance(30);
  std::string text;
  for (std::uint32_t a = 0; a < shape.actors; ++a) {
    Writer writer(random, shape);
    std::string body = writer.body(parts[a], collectives);
    if (barrier) body += (body.empty() ? "barrier" : " ; barrier");
    const std::uint32_t from = (a + 1 + random.below(shape.actors - 1)) % shape.actors;
    if (shape.choices && random.chance(40))
      body += std::string(body.empty() ? "" : " ; ") + "choose 2 ; onsrc 0: send " + std::to_string(from) +
              " 0 | 1: recv * *";
    else if (shape.branches && writer.has_receive() && random.chance(25))
      body += " ; onsrc " + std::to_string(from) + ": recv " + std::to_string((a + 1) % shape.actors) + " 0";
    text += std::to_string(a) + ": " + body + "\n";
  }
  return text;
}

}  // namespace rehearse::tests
