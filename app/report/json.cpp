// SPDX-License-Identifier: MIT
//
// JSON documents: their values, and their texts by way of the JSON library.
#include "app/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t depth_max = 10'000;  // of nested arrays and objects: functions here are recursive

std::string error_name(const char* kind, int number) { return fmt::format("[json.exception.{}.{}] ", kind, number); }

[[noreturn]] void refuse_kind(const char* wanted, const char* kind) {
  throw JsonError(error_name("type_error", 302) + "type must be " + wanted + ", but is " + kind);
}

[[noreturn]] void refuse_use(int number, const char* use, const char* kind) {
  throw JsonError(error_name("type_error", number) + "cannot use " + use + " with " + kind);
}

bool is_pair(const Json::Item& item) {
  const Json& value = item.look();
  return value.is_array() && value.size() == 2 && value[std::size_t{0}].is_string();
}

// Builds the document while the library reads it.
class Builder {
 public:
  Json result;
  std::string problem;

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // not in texts
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    problem = error.what();
    return false;
  }

 private:
  Json& place(Json value) {
    if (open_.empty()) return result = std::move(value);
    Json& owner = *open_.back();
    if (owner.is_array()) return owner.emplace_back(std::move(value));
    return owner[key_] = std::move(value);
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == depth_max) {
      problem = fmt::format("more than {} arrays and objects in each other", depth_max);
      return false;
    }
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;  // no element is added to the owner of an open one, so it does not move
  std::string key_;
};

}  // namespace

Json::Json() noexcept = default;
Json::Json(std::nullptr_t) noexcept {}
Json::Json(const char* text) : value_(std::make_unique<std::string>(text)) {}
Json::Json(std::string_view text) : value_(std::make_unique<std::string>(text)) {}
Json::Json(std::string text) : value_(std::make_unique<std::string>(std::move(text))) {}

Json::Json(std::initializer_list<Item> items) {
  if (!std::ranges::all_of(items, is_pair)) {
    *this = array(items);
    return;
  }
  auto members = std::make_unique<Object>();
  members->reserve(items.size());
  for (const Item& item : items) {
    Json pair = item.take();
    members->push_back(
        {std::move(*std::get<std::unique_ptr<std::string>>(pair.element(0).value_)), std::move(pair.element(1))});
  }
  value_ = std::move(members);
}

Json::Json(const Json& other) {
  const auto copy = [this](const auto& value) {
    if constexpr (requires { *value; }) value_ = std::make_unique<std::remove_cvref_t<decltype(*value)>>(*value);
    else value_ = value;
  };
  std::visit(copy, other.value_);
}

Json::Json(Json&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}

Json& Json::operator=(const Json& other) { return *this = Json(other); }

Json& Json::operator=(Json&& other) noexcept {
  auto value = std::exchange(other.value_, nullptr);  // `other` may be a part of this
  value_.swap(value);
  return *this;
}

Json::~Json() = default;

Json Json::array() {
  Json json;
  json.value_ = std::make_unique<Array>();
  return json;
}

Json Json::array(std::initializer_list<Item> items) {
  auto elements = std::make_unique<Array>();
  elements->reserve(items.size());
  for (const Item& item : items) elements->push_back(item.take());
  Json json;
  json.value_ = std::move(elements);
  return json;
}

Json Json::object(std::size_t expected_members) {
  auto members = std::make_unique<Object>();
  members->reserve(expected_members);
  Json json;
  json.value_ = std::move(members);
  return json;
}

bool Json::is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
bool Json::is_boolean() const { return std::holds_alternative<bool>(value_); }
bool Json::is_number_unsigned() const { return std::holds_alternative<std::uint64_t>(value_); }
bool Json::is_number() const {
  return is_number_unsigned() || std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<double>(value_);
}
bool Json::is_string() const { return std::holds_alternative<std::unique_ptr<std::string>>(value_); }
bool Json::is_array() const { return std::holds_alternative<std::unique_ptr<Array>>(value_); }
bool Json::is_object() const { return std::holds_alternative<std::unique_ptr<Object>>(value_); }

std::size_t Json::size() const {
  if (const auto* elements = std::get_if<std::unique_ptr<Array>>(&value_)) return (*elements)->size();
  if (const auto* members = std::get_if<std::unique_ptr<Object>>(&value_)) return (*members)->size();
  return is_null() ? 0 : 1;
}

const Json& Json::element(std::size_t index) const {
  REHEARSE_ASSERT(index < size(), "an element that the document does not have");
  if (const auto* elements = std::get_if<std::unique_ptr<Array>>(&value_)) return (**elements)[index];
  if (const auto* members = std::get_if<std::unique_ptr<Object>>(&value_)) return (**members)[index].value;
  return *this;
}

Json& Json::element(std::size_t index) { return const_cast<Json&>(std::as_const(*this).element(index)); }

void Json::push_back(Json value) { emplace_back(std::move(value)); }
void Json::push_back(std::initializer_list<Item> items) { emplace_back(Json(items)); }

Json& Json::emplace_back(Json value) {
  if (is_null()) value_ = std::make_unique<Array>();
  if (!is_array()) refuse_use(308, "push_back()", kind());
  return std::get<std::unique_ptr<Array>>(value_)->emplace_back(std::move(value));
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = std::make_unique<Object>();
  if (!is_object()) refuse_use(305, "operator[] with a string argument", kind());
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  return std::get<std::unique_ptr<Object>>(value_)->emplace_back(Member{std::string(key), {}}).value;
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const Object& members = *std::get<std::unique_ptr<Object>>(value_);
  const auto found = std::ranges::find(members, key, &Member::key);
  return found == members.end() ? nullptr : &found->value;
}

const Json& Json::at(std::string_view key) const {
  if (!is_object()) refuse_use(304, "at()", kind());
  const Json* found = find(key);
  if (found == nullptr) throw JsonError(error_name("out_of_range", 403) + "key '" + std::string(key) + "' not found");
  return *found;
}

const Json::Object& Json::members() const {
  if (!is_object()) refuse_kind("object", kind());
  return *std::get<std::unique_ptr<Object>>(value_);
}

const char* Json::kind() const {
  return is_null()      ? "null"
         : is_boolean() ? "boolean"
         : is_string()  ? "string"
         : is_array()   ? "array"
         : is_object()  ? "object"
                        : "number";
}

bool Json::as_boolean() const {
  if (!is_boolean()) refuse_kind("boolean", kind());
  return std::get<bool>(value_);
}

double Json::as_number() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  return static_cast<double>(as_signed());
}

std::int64_t Json::as_signed() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<std::int64_t>(*value);
  if (const auto* value = std::get_if<double>(&value_)) return static_cast<std::int64_t>(*value);
  if (is_boolean()) return as_boolean() ? 1 : 0;
  refuse_kind("number", kind());
}

std::uint64_t Json::as_unsigned() const {
  if (const auto* value = std::get_if<double>(&value_)) return static_cast<std::uint64_t>(*value);
  return static_cast<std::uint64_t>(as_signed());
}

const std::string& Json::as_text() const {
  if (!is_string()) refuse_kind("string", kind());
  return *std::get<std::unique_ptr<std::string>>(value_);
}

const Json::Array& Json::as_array() const {
  if (!is_array()) refuse_kind("array", kind());
  return *std::get<std::unique_ptr<Array>>(value_);
}

bool operator==(const Json& left, const Json& right) {
  if (left.is_number() && right.is_number()) {
    const bool is_fraction = std::holds_alternative<double>(left.value_) ||
                             std::holds_alternative<double>(right.value_);
    return is_fraction ? left.as_number() == right.as_number() : left.as_signed() == right.as_signed();
  }
  if (left.value_.index() != right.value_.index()) return false;
  if (left.is_boolean()) return left.as_boolean() == right.as_boolean();
  if (left.is_string()) return left.as_text() == right.as_text();
  if (left.is_array()) return left.as_array() == right.as_array();
  return left.is_null() || left.members() == right.members();
}

// Collects the text; hands it on from time to time, if there is a stream.
class Json::Text {
 public:
  explicit Text(std::ostream* out) : out_(out) {}

  void add(std::string_view plain) { text_ += plain; }
  void add(char plain) { text_ += plain; }
  void add_quoted(const std::string& value) {
    const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; };
    if (std::ranges::all_of(value, is_plain)) text_.append(1, '"').append(value).append(1, '"');
    else text_ += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  void new_line(std::size_t blanks) { text_.append(1, '\n').append(blanks, ' '); }
  void hand_on() {
    constexpr std::size_t piece_bytes = 1 << 16;
    if (out_ != nullptr && text_.size() >= piece_bytes) finish();
  }
  void finish() {
    out_->write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }
  std::string take() { return std::move(text_); }

 private:
  std::ostream* out_;
  std::string text_;
};

void Json::write(Text& text, int indent, std::size_t depth) const {
  if (!is_array() && !is_object()) {
    if (is_null()) text.add("null");
    else if (is_boolean()) text.add(as_boolean() ? "true" : "false");
    else if (is_string()) text.add_quoted(as_text());
    else if (is_number_unsigned()) text.add(std::to_string(as_unsigned()));
    else if (std::holds_alternative<double>(value_)) text.add(nlohmann::json(as_number()).dump());
    else text.add(std::to_string(as_signed()));
    return;
  }
  const auto new_line = [&](std::size_t level) {
    if (indent >= 0) text.new_line(level * static_cast<std::size_t>(indent));
  };
  text.add(is_array() ? '[' : '{');
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) text.add(',');
    new_line(depth + 1);
    if (is_object()) {
      text.add_quoted(members()[i].key);
      text.add(indent >= 0 ? ": " : ":");
    }
    element(i).write(text, indent, depth + 1);
  }
  if (!empty()) new_line(depth);
  text.add(is_array() ? ']' : '}');
  text.hand_on();
}

std::string Json::dump(int indent) const {
  Text text(nullptr);
  write(text, indent, 0);
  return text.take();
}

void Json::write(std::ostream& out, int indent) const {
  Text text(&out);
  write(text, indent, 0);
  text.finish();
}

Result<Json> parse_json(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) return Error{builder.problem};
  return std::move(builder.result);
}

}  // namespace rehearse::app
