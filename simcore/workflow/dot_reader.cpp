// SPDX-License-Identifier: MIT
//
// Graphs of tasks in a subset of graphviz's DOT language: one digraph of nodes and edges with attributes, defaults
// (`node [...]`, `edge [...]`), chains (a -> b -> c), comments. No subgraphs, no ports, no HTML.
//
// Meaning: attribute `size` of a node: flops; of an edge: bytes. An edge without a positive size is only a dependency.
// Other
//          attributes are ignored.
// Source:  "The DOT Language", graphviz.org.
#include <cctype>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

#include "simcore/support/format.hpp"
#include "simcore/workflow/task_graph.hpp"

namespace rehearse::sim {
namespace {

using Attributes = std::map<std::string, std::string>;

struct DotMistake {
  std::string text;
};

struct Token {
  enum class Kind { word, mark, end } kind = Kind::end;
  std::string text;
  int line = 1;
};

class Lexer {
 public:
  explicit Lexer(std::string text) : text_(std::move(text)) {}

  Token next() {
    skip_blanks();
    Token token{Token::Kind::end, "", line_};
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    if (c == '"') return {Token::Kind::word, quoted(), token.line};
    if (text_.compare(at_, 2, "->") == 0 || text_.compare(at_, 2, "--") == 0) {
      at_ += 2;
      return {Token::Kind::mark, text_.substr(at_ - 2, 2), token.line};
    }
    if (is_word(c) || c == '-') {
      const std::size_t first = at_++;
      while (at_ < text_.size() && (is_word(text_[at_]) || is_exponent_sign())) ++at_;
      return {Token::Kind::word, text_.substr(first, at_ - first), token.line};
    }
    ++at_;
    return {Token::Kind::mark, std::string(1, c), token.line};
  }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c < 0; }
  bool is_exponent_sign() const {
    return (text_[at_] == '+' || text_[at_] == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
           at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1]));
  }

  std::string quoted() {
    std::string result;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '"') ++at_;
      if (text_[at_] == '\n') ++line_;
      result += text_[at_];
    }
    if (at_ >= text_.size()) throw DotMistake{fmt::format("{}: a string without its closing quote", line_)};
    ++at_;
    return result;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      const bool starts_line = at_ == 0 || text_[at_ - 1] == '\n';
      if (text_.compare(at_, 2, "//") == 0 || (c == '#' && starts_line)) skip_to("\n");
      else if (text_.compare(at_, 2, "/*") == 0) skip_to("*/");
      else if (std::isspace(static_cast<unsigned char>(c))) ++at_;
      else return;
    }
  }
  void skip_to(const char* mark) {
    const std::size_t end = text_.find(mark, at_);
    const std::size_t stop = end == std::string::npos ? text_.size() : end + (mark[0] == '\n' ? 0 : 2);
    for (; at_ < stop; ++at_) line_ += text_[at_] == '\n';
  }

  std::string text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class DotReader {
 public:
  DotReader(std::string file, std::string text) : file_(std::move(file)), lexer_(std::move(text)) { take(); }

  TaskGraph read() {
    if (is_word("strict")) take();
    if (!is_word("digraph")) fail("'" + token_.text + "' instead of 'digraph'");
    take();
    if (token_.kind == Token::Kind::word) take();
    expect("{");
    while (!is_mark("}")) {
      if (token_.kind == Token::Kind::end) fail("the file ends inside the graph");
      statement();
      if (is_mark(";")) take();
    }
    take();
    if (token_.kind != Token::Kind::end) fail("'" + token_.text + "' after the graph");
    connect();
    return std::move(graph_);
  }

 private:
  struct Link {
    std::uint32_t from, to;
    Attributes attributes;
    std::string place;
  };

  [[noreturn]] void fail(const std::string& text) const { throw DotMistake{fmt::format("{}: {}", token_.line, text)}; }
  void take() { token_ = lexer_.next(); }
  bool is_mark(const char* text) const { return token_.kind == Token::Kind::mark && token_.text == text; }
  bool is_word(const char* text) const { return token_.kind == Token::Kind::word && token_.text == text; }
  void expect(const char* text) {
    if (!is_mark(text)) fail("'" + token_.text + "' instead of '" + text + "'");
    take();
  }
  std::string word() {
    if (token_.kind != Token::Kind::word) fail("'" + token_.text + "' instead of a name");
    std::string text = std::move(token_.text);
    take();
    return text;
  }
  std::string place() const { return fmt::format("{}:{}", file_, token_.line); }

  void statement() {
    if (is_mark("{") || is_word("subgraph")) fail("subgraphs are not supported");
    const std::string here = place();
    const std::string name = word();
    if (is_mark("=")) {  // an attribute of the graph
      take();
      word();
      return;
    }
    if (name == "graph" || name == "node" || name == "edge") {
      Attributes unused;
      attributes(name == "node" ? node_defaults_ : name == "edge" ? edge_defaults_ : unused);
      return;
    }
    std::vector<std::uint32_t> chain{node(name, here)};
    while (is_mark("->")) {
      take();
      if (is_mark("{")) fail("subgraphs are not supported");
      chain.push_back(node(word(), here));
    }
    if (is_mark("--")) fail("'--' in a digraph: '->' is expected");
    if (is_mark(":")) fail("ports are not supported");
    if (chain.size() == 1) return attributes(node_attributes_[chain[0]]);
    Attributes mine = edge_defaults_;
    attributes(mine);
    for (std::size_t i = 1; i < chain.size(); ++i) links_.push_back({chain[i - 1], chain[i], mine, here});
  }

  void attributes(Attributes& result) {
    while (is_mark("[")) {
      take();
      while (!is_mark("]")) {
        const std::string key = word();
        expect("=");
        result[key] = word();
        if (is_mark(",") || is_mark(";")) take();
      }
      take();
    }
  }

  std::uint32_t node(const std::string& name, const std::string& here) {
    const auto [entry, is_new] = by_name_.try_emplace(name, static_cast<std::uint32_t>(graph_.tasks.size()));
    if (is_new) {
      graph_.tasks.push_back({name, false, 0, {}, here});
      node_attributes_.push_back(node_defaults_);
    }
    return entry->second;
  }

  static double size_of(const Attributes& attributes, const std::string& what, const std::string& place) {
    const auto found = attributes.find("size");
    if (found == attributes.end()) return 0;
    const std::string& text = found->second;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value < 1e300))
      throw DotMistake{place.substr(place.rfind(':') + 1) + ": size '" + text + "' of " + what +
                       ": a number is expected"};
    return value;
  }

  // Runs at the end, because a node may get its attributes after its edges.
  void connect() {
    for (std::uint32_t i = 0; i < node_attributes_.size(); ++i) {
      auto& task = graph_.tasks[i];
      task.amount = size_of(node_attributes_[i], "node '" + task.name + "'", task.place);
      if (task.amount < 0)
        throw DotMistake{task.place.substr(task.place.rfind(':') + 1) + ": node '" + task.name +
                         "' has a negative size"};
    }
    for (const Link& link : links_) {
      const std::string name = graph_.tasks[link.from].name + "->" + graph_.tasks[link.to].name;
      const double bytes = size_of(link.attributes, "edge " + name, link.place);
      if (bytes <= 0) {
        graph_.edges.push_back({link.from, link.to});
        continue;
      }
      const auto transfer = static_cast<std::uint32_t>(graph_.tasks.size());
      graph_.tasks.push_back({name, true, bytes, {}, link.place});
      graph_.edges.push_back({link.from, transfer});
      graph_.edges.push_back({transfer, link.to});
    }
  }

  std::string file_;
  Lexer lexer_;
  Token token_;
  TaskGraph graph_;
  Attributes node_defaults_, edge_defaults_;
  std::vector<Attributes> node_attributes_;
  std::vector<Link> links_;
  std::map<std::string, std::uint32_t> by_name_;
};

}  // namespace

Result<Workflow> load_workflow_dot(Simulation& simulation, const std::string& file) {
  std::ifstream stream(file);
  if (!stream) return Error{file + ": the file cannot be read"};
  std::stringstream text;
  text << stream.rdbuf();
  try {
    TaskGraph graph = DotReader(file, text.str()).read();
    add_root_and_end(graph);
    return build_workflow(simulation, graph);
  } catch (const DotMistake& mistake) {
    return Error{file + ":" + mistake.text};
  }
}

}  // namespace rehearse::sim
