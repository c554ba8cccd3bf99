// SPDX-License-Identifier: MIT
//
// See scene.hpp.
#include "tests/timing/scene.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "tests/support/temporary_file.hpp"

namespace rehearse::testing {

namespace {

constexpr int shown_digits = 12;  // of numbers that are not as expected

Platform loaded(const std::string& path) {
  auto platform = make_platform(path);
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

std::string with_decimals(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

// Printing rounds to the nearest; the rest is for times, which are whole picoseconds here.
bool is_printed_as(double actual, double printed, int decimals) {
  return std::abs(actual - printed) <= 0.5 * std::pow(10, -decimals) + 1e-11 + 1e-12 * std::abs(printed);
}

}  // namespace

Platform stored_platform(const std::string& name) {
  return loaded(std::string(REHEARSE_SOURCE_DIR) + "/tests/timing/platforms/" + name + ".xml");
}

Platform described(const std::string& content) {
  const TemporaryFile file("<?xml version='1.0'?>\n<platform version='4.1'>" + content + "</platform>");
  return loaded(file.path());
}

Scene::Scene(Platform platform, ModelOptions models)
    : platform_(std::move(platform)), simulation_(platform_, {.models = std::move(models)}) {}

void Scene::actor(const std::string& host, std::function<void()> function, const sim::ActorOptions& options) {
  simulation_.add_actor(host, simulation_.host(host), std::move(function), options);
}

void Scene::note(const std::string& what) { notes_.push_back({what, simulation_.now()}); }

std::vector<double> Scene::dates(const std::string& what) const {
  std::vector<double> dates;
  for (const Noted& noted : notes_)
    if (noted.what == what) dates.push_back(noted.date);
  return dates;
}

double Scene::date(const std::string& what) const {
  const auto all = dates(what);
  INFO(what);
  REQUIRE(all.size() == 1);
  return all[0];
}

double Scene::run() {
  const sim::RunReport report = simulation_.run();
  if (!report.text().empty()) FAIL(report.text());
  return report.end;
}

ModelOptions network(const std::string& name) { return {.network = name}; }

ModelOptions network_without_crosstraffic(const std::string& name) { return {.network = name, .cross_traffic = 0.0}; }

Printed::Printed(double value, int decimals) : value_(value), decimals_(decimals) {
  Catch::StringMaker<double>::precision = shown_digits;
}

bool Printed::match(const double& actual) const { return is_printed_as(actual, value_, decimals_); }

std::string Printed::describe() const { return "is printed as " + with_decimals(value_, decimals_); }

AllPrinted::AllPrinted(std::vector<double> values, int decimals) : values_(std::move(values)), decimals_(decimals) {
  Catch::StringMaker<double>::precision = shown_digits;
}

bool AllPrinted::match(const std::vector<double>& actual) const {
  if (actual.size() != values_.size()) return false;
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (!is_printed_as(actual[i], values_[i], decimals_)) return false;
  return true;
}

std::string AllPrinted::describe() const {
  std::string text = "are printed as {";
  for (const double value : values_) text += " " + with_decimals(value, decimals_);
  return text + " }";
}

}  // namespace rehearse::testing
