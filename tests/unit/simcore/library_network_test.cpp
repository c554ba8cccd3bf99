// SPDX-License-Identifier: MIT
//
// The network model `mpi`: one message alone takes the formula, the messages of a connection flow one after the other,
// and many connections agree with a simulation by small rules.
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/message_protocol.hpp"
#include "simcore/network_preset.hpp"
#include "tests/support/temporary_file.hpp"

namespace library_network_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr double bandwidth = 12.5e6, latency = 1e-4;
constexpr double payload_part = 1448.0 / 1538, envelope = 64, frame = 1538;

// A star of two links of 100 Mbit/s and 100 us each, of one direction each.
Platform star(const std::string& settings = "") {
  const TemporaryFile file(
      "<platform version='4.1'><config>" + settings +
      "</config><zone id='z' routing='Full'><host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
      "<link id='up' bandwidth='100Mbps' latency='100us'/><link id='down' bandwidth='100Mbps' latency='100us'/>"
      "<link id='back' bandwidth='100Mbps' latency='200us'/>"
      "<link id='memory' bandwidth='1GBps' latency='1us'/>"
      "<route src='a' dst='b' symmetrical='NO'><link_ctn id='up'/><link_ctn id='down'/></route>"
      "<route src='b' dst='a' symmetrical='NO'><link_ctn id='back'/></route>"
      "<route src='a' dst='a'><link_ctn id='memory'/></route></zone></platform>");
  auto platform = make_platform(file.path());
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

std::unique_ptr<CostModel> make(const Platform& platform, ModelOptions options = {}) {
  options.network = "mpi";
  auto made = make_cost_model(options, platform);
  if (!made) FAIL(made.error().text);
  return std::move(made.value());
}

Transfer message(double bytes, std::uint64_t connection = 1, TransferKind kind = TransferKind::message) {
  Transfer transfer{{0}, {1}, bytes};
  transfer.kind = kind;
  transfer.connection = connection;
  return transfer;
}

TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

// Goes to the date, or as far as there is an activity. The dates of the ends, by activity.
void go_on(CostModel& model, std::map<std::uint32_t, double>& ends, TimePoint until = CostModel::never) {
  while (model.is_busy() && model.next_date() <= until) {
    const TimePoint date = model.next_date();
    REQUIRE(date != CostModel::never);
    std::vector<Ended> ended;
    model.advance(date, ended);
    for (const Ended& end : ended) ends[end.activity.value] = end.failed ? -date.seconds() : date.seconds();
  }
}

double on_wire(double bytes) { return (bytes + envelope) / payload_part; }
double delay(double bytes) { return 2 * latency + std::min(frame, on_wire(bytes)) / bandwidth; }
double flow(double bytes) { return on_wire(bytes) / bandwidth; }

// To 1e-9 relative, and the picosecond that time is counted in.
bool is_close(double actual, double expected) { return std::abs(actual - expected) <= 1e-9 * expected + 3e-12; }

}  // namespace

TEST_CASE("mpi network: one message alone takes the formula", "[simcore][network]") {
  const Platform platform = star();
  for (const double bytes : {0.0, 1.0, 1000.0, 1448.0, 1e5, 1e7}) {
    const auto model = make(platform);
    std::map<std::uint32_t, double> ends;
    model->start(message(bytes), {});
    go_on(*model, ends);
    CHECK(is_close(ends.at(0), delay(bytes) + flow(bytes)));
  }
}

TEST_CASE("mpi network: factors, envelope and frame of the platform apply by size", "[simcore][network]") {
  const Platform platform =
      star("<prop id='network/model' value='mpi'/><prop id='network/latency-factor' value='0:2;1000:3'/>"
           "<prop id='network/bandwidth-factor' value='0:0.5;1000:0.8'/><prop id='rehearse/envelope' value='40'/>"
           "<prop id='rehearse/store-and-forward' value='0'/><prop id='network/crosstraffic' value='no'/>");
  for (const auto& [bytes, latency_factor, bandwidth_factor] :
       {std::tuple{0.0, 1.0, 1.0}, {1000.0, 2.0, 0.5}, {1001.0, 3.0, 0.8}}) {
    auto model = std::move(make_cost_model({}, platform).value());
    std::map<std::uint32_t, double> ends;
    model->start(message(bytes), {});
    go_on(*model, ends);
    CHECK(is_close(ends.at(0), 2 * latency * latency_factor + (bytes + 40) / (bandwidth * bandwidth_factor)));
  }
}

TEST_CASE("mpi network: a message inside a host has no frames, acknowledgements and factors", "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform, {.latency_factors = {{-1, 7}}});
  std::map<std::uint32_t, double> ends;
  Transfer inside = message(1e6);
  inside.destination = {0};
  model->start(inside, {});
  go_on(*model, ends);
  CHECK(is_close(ends.at(0), 1e-6 + (1e6 + envelope) / 1e9));
}

TEST_CASE("mpi network: of two messages on a connection only the data of the second wait", "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform);
  std::map<std::uint32_t, double> ends;
  model->start(message(1e5), {});
  model->start(message(2e4), {});
  CHECK(model->limit(ActivityId{1}, {}).kind == LimitKind::connection);
  CHECK(model->remaining(ActivityId{1}, {}) == 2e4);
  CHECK(model->rate(ActivityId{1}, {}) == 0);
  go_on(*model, ends);
  const double first = delay(1e5) + flow(1e5);
  CHECK(is_close(ends.at(0), first));
  CHECK(is_close(ends.at(1), first + flow(2e4)));
}

TEST_CASE("mpi network: a message waits for its latency if that ends after its predecessor", "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform);
  std::map<std::uint32_t, double> ends;
  model->start(message(1e5), {});
  const double first = delay(1e5) + flow(1e5);
  const double late = first - 1e-5;
  go_on(*model, ends, at(late));
  model->start(message(0), at(late));
  go_on(*model, ends);
  CHECK(is_close(ends.at(1), late + delay(0) + flow(0)));
}

TEST_CASE("mpi network: an announcement waits behind bulk data, and an answer on the way back does not",
          "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform);
  std::map<std::uint32_t, double> ends;
  model->start(message(1e6), {});
  model->start(message(0, 1, TransferKind::announcement), {});
  Transfer answer = message(0, 2, TransferKind::answer);
  std::swap(answer.source, answer.destination);
  model->start(answer, {});
  go_on(*model, ends);
  CHECK(is_close(ends.at(1), delay(1e6) + flow(1e6) + flow(0)));
  CHECK(is_close(ends.at(2), 2 * latency + flow(0)));  // one link: nothing is stored
}

TEST_CASE("mpi network: messages of two connections share the links", "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform);
  std::map<std::uint32_t, double> ends;
  model->start(message(1e6, 1), {});
  model->start(message(1e6, 2), {});
  go_on(*model, ends);
  for (const std::uint32_t i : {0u, 1u}) CHECK(is_close(ends.at(i), delay(1e6) + 2 * flow(1e6)));
}

TEST_CASE("mpi network: short messages leave their host in turn, large ones share its link", "[simcore][network]") {
  const Platform platform = star();
  std::map<std::uint32_t, double> ends;
  const auto model = make(platform);
  for (std::uint64_t i = 1; i <= 3; ++i) model->start(message(2e4, i), {});
  go_on(*model, ends);
  for (const std::uint32_t i : {0u, 1u, 2u}) CHECK(is_close(ends.at(i), delay(2e4) + (i + 1) * flow(2e4)));
  ends.clear();
  const Platform fair = star("<prop id='rehearse/transmit-queue' value='0'/>");
  const auto without = make(fair);
  for (std::uint64_t i = 1; i <= 3; ++i) without->start(message(2e4, i), {});
  go_on(*without, ends);
  for (const std::uint32_t i : {0u, 1u, 2u}) CHECK(is_close(ends.at(i), delay(2e4) + 3 * flow(2e4)));
}

TEST_CASE("mpi network: the transmit queue is that of the first link, whatever limits the messages behind it",
          "[simcore][network]") {
  const TemporaryFile file(
      "<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
      "<link id='up' bandwidth='100Mbps' latency='100us'/><link id='down' bandwidth='20Mbps' latency='100us'/>"
      "<route src='a' dst='b'><link_ctn id='up'/><link_ctn id='down'/></route></zone></platform>");
  const auto platform = make_platform(file.path());
  REQUIRE(platform);
  const auto model = make(platform.value(), {.cross_traffic = 0, .frame_bytes = 0});
  std::map<std::uint32_t, double> ends;
  model->start(message(2e4, 1), {});
  model->start(message(2e4, 2), {});
  go_on(*model, ends);
  // The second one follows after flow(), shares the second link, and both need 10 flow() there.
  CHECK(is_close(ends.at(0), 2 * latency + 9 * flow(2e4)));
  CHECK(is_close(ends.at(1), 2 * latency + 10 * flow(2e4)));
}

TEST_CASE("mpi network: a cancelled or failed message does not block its successors", "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform);
  std::map<std::uint32_t, double> ends;
  for (int i = 0; i < 4; ++i) model->start(message(1e5), {});
  model->cancel(ActivityId{1}, {});  // waits
  model->cancel(ActivityId{0}, {});  // has its latency; the third one flows at once
  go_on(*model, ends);
  CHECK(is_close(ends.at(2), delay(1e5) + flow(1e5)));
  CHECK(is_close(ends.at(3), delay(1e5) + 2 * flow(1e5)));
  const auto other = make(platform);
  ends.clear();
  for (int i = 0; i < 3; ++i) other->start(message(1e5), {});
  go_on(*other, ends, at(0.001));
  other->set_link_on(*platform.find_link("up"), false, at(0.001));
  go_on(*other, ends);
  CHECK(ends == std::map<std::uint32_t, double>{{0, -0.001}, {1, -0.001}, {2, -0.001}});
  other->set_link_on(*platform.find_link("up"), true, at(0.001));
  const auto again = other->start(message(1e5), at(0.001));
  go_on(*other, ends);
  CHECK(is_close(ends.at(again->value), 0.001 + delay(1e5) + flow(1e5)));
}

TEST_CASE("mpi network: a suspended message holds its successors, and rates limit waiting ones", "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform);
  std::map<std::uint32_t, double> ends;
  for (int i = 0; i < 3; ++i) model->start(message(1e5), {});
  model->suspend(ActivityId{1}, {});
  model->set_rate(ActivityId{2}, 1e6, {});
  go_on(*model, ends, at(1));
  CHECK(ends.size() == 1);
  model->resume(ActivityId{1}, at(1));
  go_on(*model, ends);
  CHECK(is_close(ends.at(1), 1 + flow(1e5)));
  CHECK(is_close(ends.at(2), 1 + flow(1e5) + (1e5 + envelope) / 1e6));
}

TEST_CASE("mpi network: without contention messages of a connection do not wait", "[simcore][network]") {
  const Platform platform = star();
  const auto model = make(platform, {.changes = {.has_contention = false}});
  std::map<std::uint32_t, double> ends;
  for (int i = 0; i < 3; ++i) model->start(message(1e5), {});
  go_on(*model, ends);
  for (const std::uint32_t i : {0u, 1u, 2u}) CHECK(is_close(ends.at(i), delay(1e5) + flow(1e5)));
}

TEST_CASE("mpi network: a built-in platform with a network has its links and settings", "[simcore][network]") {
  for (const NetworkPreset& preset : network_presets()) {
    for (const std::string kind : {"cluster:2", "crossbar:2", "fat-tree:4", "torus:2x2", "dragonfly:2x1x1x2"}) {
      auto made = make_platform(kind + "@" + std::string(preset.name));
      REQUIRE(made);
      const Platform& platform = made.value();
      const auto route = platform.find_route({0}, {1});
      REQUIRE(route);
      CHECK(platform.link(route->links.front()).bytes_per_second == preset.bytes_per_second);
      CHECK(platform.settings().preset == preset.name);
      CHECK(network_model_name({}, platform) == library_network);
    }
    // Half a round trip of an empty message over one switch, without the bytes of its envelope.
    const Platform platform = std::move(make_platform("crossbar:2@" + std::string(preset.name)).value());
    const MessageProtocol protocol = choose_protocol({}, platform.settings(), library_network, 2);
    const double trip = platform.find_route({0}, {1})->latency_seconds + protocol.costs.send.of(0).seconds() +
                        protocol.costs.receive.of(0).seconds();
    CHECK(trip == Approx(preset.half_trip_seconds).epsilon(1e-9));
    CHECK(protocol.eager_bytes == preset.eager_bytes);
  }
  for (const char* name : {"cluster:2@", "cluster:2@ethernet", "laptop@ethernet-1g", "torus:2@x@y"}) {
    const auto refused = make_platform(name);
    REQUIRE(!refused);
    CHECK(refused.error().text.find("infiniband-ndr") != std::string::npos);
  }
}

TEST_CASE("mpi network: contention takes its part of a link", "[simcore][network]") {
  const Platform platform = star("<prop id='rehearse/contention' value='2:0.8;4:0.5'/>");
  for (const std::uint32_t flows : {1u, 2u, 3u, 4u, 9u}) {
    const auto model = make(platform);
    std::map<std::uint32_t, double> ends;
    for (std::uint32_t i = 0; i < flows; ++i) model->start(message(1e6, i + 1), {});
    go_on(*model, ends);
    const double part = flows < 2 ? 1 : flows < 4 ? 0.8 : 0.5;
    CHECK(is_close(ends.at(0), delay(1e6) + flows * flow(1e6) / part));
  }
}

TEST_CASE("mpi network: bad tables and values name the value and the accepted form", "[simcore][network]") {
  for (const char* text : {"", "2", "0:1", "1:0.5", "2:0", "2:1.5", "2:0.5;2:0.4", "3:0.5;2:0.4", "2:x", "1.5:0.5"}) {
    const auto parsed = parse_contention(text);
    REQUIRE(!parsed);
    CHECK(parsed.error().text.find("accepted: FLOWS:FACTOR") != std::string::npos);
  }
  CHECK(parse_contention("1:1;2:0.9").value().size() == 2);
  const Platform platform = star();
  const auto refused = make_cost_model({.network = "lv08", .envelope_bytes = 1}, platform);
  REQUIRE(!refused);
  CHECK(refused.error().text == "envelope given with network model 'lv08'; accepted: mpi");
}

TEST_CASE("mpi network: the protocol comes from the option, the platform, the model, in this order", "[simcore]") {
  const Platform plain = star();
  const Platform given = star("<prop id='smpi/send-is-detached-thresh' value='1000'/>"
                              "<prop id='rehearse/handshake' value='announced'/><prop id='smpi/os' value='0:1e-3:0'/>");
  const MessageProtocol of_model = choose_protocol({}, plain.settings(), "mpi", 2);
  CHECK(of_model.eager_bytes == 65536 - 56);
  CHECK(of_model.handshake == Handshake::answered);
  CHECK(of_model.costs.send.of(0).seconds() > 0);
  CHECK(choose_protocol({}, plain.settings(), "mpi", 1).costs.are_none());
  CHECK(choose_protocol({}, given.settings(), "mpi", 1).costs.send.of(0).seconds() == 1e-3);
  CHECK(choose_protocol({}, plain.settings(), "lv08", 2).eager_bytes == 65536);
  CHECK(choose_protocol({}, plain.settings(), "lv08", 2).costs.are_none());
  const MessageProtocol of_platform = choose_protocol({}, given.settings(), "mpi", 2);
  CHECK(of_platform.eager_bytes == 1000);
  CHECK(of_platform.handshake == Handshake::announced);
  CHECK(of_platform.costs.send.of(0).seconds() == 1e-3);
  CHECK(of_platform.costs.receive.of(0) == of_model.costs.receive.of(0));
  const MessageProtocolOptions options{{}, Handshake::answered, 5};
  CHECK(choose_protocol(options, given.settings(), "mpi", 2).eager_bytes == 5);
  CHECK(choose_protocol(options, given.settings(), "mpi", 2).handshake == Handshake::answered);
}

namespace {

struct Sent {
  double date, bytes;
  std::uint64_t connection;
};

// When its latency is over: messages of at most `queue_bytes` on the links begin their latencies in turn.
std::vector<double> ready_dates(const std::vector<Sent>& sent, double queue_bytes) {
  std::vector<double> ready;
  double free_from = 0;
  for (const Sent& each : sent) {
    const bool is_queued = on_wire(each.bytes) <= queue_bytes;
    const double begin = is_queued ? std::max(each.date, free_from) : each.date;
    if (is_queued) free_from = begin + flow(each.bytes);
    ready.push_back(begin + delay(each.bytes));
  }
  return ready;
}

// Small rules: the first unfinished message of each connection has an equal part of the link once it is ready.
std::vector<double> expected_ends(const std::vector<Sent>& sent, const std::vector<double>& ready_from) {
  std::vector<double> left, ends(sent.size(), -1);
  for (const Sent& each : sent) left.push_back(on_wire(each.bytes));
  for (double now = 0;;) {
    std::map<std::uint64_t, std::size_t> first;
    for (std::size_t i = 0; i < sent.size(); ++i)
      if (ends[i] < 0) first.try_emplace(sent[i].connection, i);
    if (first.empty()) return ends;
    std::vector<std::size_t> flowing;
    double next = 1e300;
    for (const auto& [connection, i] : first) {
      const double ready = ready_from[i];
      if (ready <= now) flowing.push_back(i);
      else next = std::min(next, ready);
    }
    const double rate = bandwidth / static_cast<double>(std::max<std::size_t>(1, flowing.size()));
    for (const std::size_t i : flowing) next = std::min(next, now + left[i] / rate);
    for (const std::size_t i : flowing) {
      left[i] -= rate * (next - now);
      if (left[i] <= 1e-6) ends[i] = next;
    }
    now = next;
  }
}

}  // namespace

TEST_CASE("mpi network: many messages agree with a simulation by small rules, and links carry their bytes",
          "[simcore][network]") {
  const Platform platform = star();
  std::mt19937 random(GENERATE(1, 2, 3, 4, 5, 6, 7, 8));
  const auto below = [&](std::uint32_t limit) { return random() % limit; };
  std::vector<Sent> sent;
  double date = 0;
  for (int i = 0; i < 60; ++i) {
    date += below(3) == 0 ? 0 : below(4000) * 1e-6;
    sent.push_back({date, below(4) == 0 ? 0.0 : below(60'000) * 1.0, 1 + below(4)});
  }
  const double queue_bytes = GENERATE(0.0, 20'000.0, 65'536.0);
  const auto model = make(platform, {.transmit_queue_bytes = queue_bytes});
  std::map<std::uint32_t, double> ends;
  std::map<std::uint32_t, std::size_t> number;
  std::vector<double> found(sent.size(), -1);
  const auto take = [&] {
    for (const auto& [activity, end] : ends) found[number.at(activity)] = end;
    ends.clear();
  };
  for (std::size_t i = 0; i < sent.size(); ++i) {
    while (model->is_busy() && model->next_date() <= at(sent[i].date)) {
      go_on(*model, ends, model->next_date());
      take();
    }
    number[model->start(message(sent[i].bytes, sent[i].connection), at(sent[i].date))->value] = i;
  }
  go_on(*model, ends);
  take();
  const std::vector<double> expected = expected_ends(sent, ready_dates(sent, queue_bytes));
  double wire = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    INFO("message " << i);
    CHECK(std::abs(found[i] - expected[i]) < 2e-9);
    wire += on_wire(sent[i].bytes);
  }
  // The link cannot carry more than its bandwidth.
  CHECK(*std::max_element(found.begin(), found.end()) >= wire / bandwidth);
}

}  // namespace library_network_test
