// SPDX-License-Identifier: MIT
//
// What a rank knows of window memory: values, happens-before, races.
#include "smpi/rma_model/view.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace view_test {

using namespace rehearse;
using namespace rehearse::smpi;
using namespace rehearse::smpi::model;

namespace {

// Memory of rank 1, whose address is only a number for views.
constexpr std::uintptr_t memory_address = 0x1000;

Record content_of(std::vector<std::byte> bytes) {
  Record record;
  record.kind = RecordKind::content;
  record.owner = 1;
  record.memory = {{memory_address, memory_address + bytes.size()}};
  record.data = std::move(bytes);
  return record;
}

Record put_of(std::byte value) {
  OperationHeader header;
  header.deed = Deed::put;
  const TargetBlock block{reinterpret_cast<std::byte*>(memory_address), 1};
  Record record;
  record.owner = 1;
  record.memory = {{memory_address, memory_address + 1}};
  record.data = make_message(header, std::span(&block, 1), std::span(&value, 1));
  return record;
}

// Of the bytes from this offset on.
Record replacement_of(const std::vector<std::byte>& values, std::uintptr_t offset = 0) {
  OperationHeader header;
  header.deed = Deed::accumulate;
  header.op = OpCode::replace;
  header.element = MPI_BYTE;
  const TargetBlock block{reinterpret_cast<std::byte*>(memory_address + offset), values.size()};
  Record record;
  record.window = 3;
  record.owner = 1;
  record.memory = {{memory_address + offset, memory_address + offset + values.size()}};
  record.data = make_message(header, std::span(&block, 1), values);
  return record;
}

Record store_of() {
  Record record;
  record.kind = RecordKind::store;
  record.owner = 1;
  record.memory = {{memory_address, memory_address + 1}};
  return record;
}

Record load_of() {
  Record record;
  record.kind = RecordKind::load;
  record.owner = 1;
  record.memory = {{memory_address, memory_address + 1}};
  return record;
}

std::byte value_in(View& view) { return view.image().at(memory_address, 1)[0]; }

}  // namespace

TEST_CASE("window views: a put whose effect is not known does not change the image of others") {
  View origin(0, 2), owner(1, 2);
  owner.add(content_of({std::byte{5}}));
  origin.learn(owner.news());
  origin.add(put_of(std::byte{7}));
  owner.learn(origin.news());
  CHECK(value_in(origin) == std::byte{5});
  CHECK(value_in(owner) == std::byte{5});
}

TEST_CASE("window views: a message behind a flush brings the put and orders the owner's load") {
  View origin(0, 2), owner(1, 2);
  owner.add(content_of({std::byte{5}}));
  origin.learn(owner.news());
  origin.know_effect(origin.add(put_of(std::byte{7}))->id);
  owner.learn(origin.news());
  owner.add(load_of());
  CHECK(value_in(owner) == std::byte{7});
  CHECK(owner.take_races().empty());
}

TEST_CASE("window views: a message without a flush leaves a race, which is found once") {
  View origin(0, 2), owner(1, 2);
  owner.add(content_of({std::byte{5}}));
  origin.learn(owner.news());
  origin.add(put_of(std::byte{7}));
  owner.learn(origin.news());
  owner.add(load_of());
  CHECK(owner.take_races().size() == 1);
  owner.learn(origin.news());
  CHECK(owner.take_races().empty());
}

TEST_CASE("window views: two puts of one rank race unless a flush is between them") {
  for (const bool flushes : {false, true}) {
    View origin(0, 2);
    const RecordRef first = origin.add(put_of(std::byte{1}));
    if (flushes) origin.know_effect(first->id);
    origin.add(put_of(std::byte{2}));
    CHECK(origin.take_races().size() == (flushes ? 0 : 1));
  }
}

TEST_CASE("window views: replacements clash if nothing orders them and their values differ") {
  constexpr std::byte one{1}, two{2};
  View origin(0, 3), third(2, 3);
  const RecordRef first = origin.add(replacement_of({one, two}));
  SECTION("by the same values") {
    third.add(replacement_of({two}, 1));
    third.learn(origin.news());
    CHECK(third.take_clashes().empty());
  }
  SECTION("by another value") {
    third.add(replacement_of({one, one}));
    third.learn(origin.news());
    const std::vector<Clash> clashes = third.take_clashes();
    REQUIRE(clashes.size() == 1);
    CHECK(clashes[0].window == 3);
    CHECK(clashes[0].owner == 1);
    CHECK(clashes[0].address == memory_address + 1);
  }
  SECTION("by another value, behind a flush") {
    origin.know_effect(first->id);
    third.learn(origin.news());
    third.add(replacement_of({two, one}));
    CHECK(third.take_clashes().empty());
  }
  CHECK(third.take_races().empty());
}

TEST_CASE("window views: changes that come late are applied in the order of their dates") {
  View origin(0, 3), owner(1, 3), third(2, 3);
  owner.add(content_of({std::byte{5}}));
  for (View* view : {&origin, &third}) view->learn(owner.news());
  origin.know_effect(origin.add(put_of(std::byte{1}))->id);
  third.learn(origin.news());
  third.know_effect(third.add(put_of(std::byte{2}))->id);
  owner.learn(third.news());
  owner.learn(origin.news());
  CHECK(value_in(owner) == std::byte{2});
}

TEST_CASE("window views: news are the same bytes for the same knowledge") {
  View origin(0, 2), copy(0, 2);
  for (View* view : {&origin, &copy}) view->know_effect(view->add(put_of(std::byte{7}))->id);
  CHECK(origin.news() == copy.news());
  View reader(1, 2);
  reader.learn(origin.news());
  CHECK(reader.known().effects == origin.known().effects);
}

TEST_CASE("window views: an operation of a start epoch is compared when its exposure is known") {
  const View::Exposure exposure{0, 1, 7, 1};
  for (const bool stores_before : {true, false}) {
    View origin(0, 2), owner(1, 2);
    owner.add(content_of({std::byte{5}}));
    if (stores_before) owner.add(store_of());
    const Opening opening{std::make_shared<const Knowledge>(owner.known()), owner.lamport()};
    if (!stores_before) owner.add(store_of());
    Record put = put_of(std::byte{7});
    put.window = exposure.window;
    put.exposure = exposure.number;
    put.is_exposed = false;
    origin.add(put);
    owner.learn(origin.news());
    CHECK(owner.take_races().empty());
    const std::vector<RecordId> exposed = owner.expose(exposure, opening);
    REQUIRE(exposed.size() == 1);
    CHECK(owner.take_races().size() == (stores_before ? 0 : 1));
    owner.know_effect(exposed.front());
    CHECK(value_in(owner) == std::byte{7});
    origin.learn(owner.news());
    CHECK(origin.find(exposed.front())->is_exposed);
  }
}

TEST_CASE("window views: stores of two members at one place race, those of one member do not") {
  View one(0, 2), other(1, 2);
  one.add(store_of());
  one.add(store_of());
  CHECK(one.take_races().empty());
  other.add(store_of());
  other.learn(one.news());
  CHECK(other.take_races().size() == 2);
}

TEST_CASE("window views: news need not repeat the records that a partner holds") {
  View origin(0, 2);
  HeldRecords held;
  const RecordRef first = origin.add(put_of(std::byte{1}));
  for (const auto& [id, record] : held.missing(origin.records())) held.add(*record);
  CHECK(held.missing(origin.records()).empty());
  const RecordRef second = origin.add(put_of(std::byte{2}));
  REQUIRE(held.missing(origin.records()).size() == 1);
  CHECK(held.missing(origin.records()).begin()->first == second->id);
  Record unsettled = *second;
  unsettled.is_settled = false;
  held.add(unsettled);
  CHECK_FALSE(held.has(*second));
}

TEST_CASE("window views: news for ranks leave out what all of them are known to have") {
  View one(0, 3), other(1, 3), third(2, 3);
  const ActorId one_id{0}, other_id{1}, third_id{2};
  one.add(content_of({std::byte{5}}));
  const RecordId put = one.add(put_of(std::byte{7}))->id;
  other.learn(one.news_for({&other_id, 1}));
  REQUIRE(other.size() == 2);
  CHECK(read_news(one.news_for({&other_id, 1})).records.size() == 2);  // the message may still be on its way
  CHECK(read_news(other.news_for({&one_id, 1})).records.empty());
  one.learn(other.news_for({&one_id, 1}));
  CHECK(read_news(one.news_for({&other_id, 1})).records.empty());
  const std::vector<ActorId> both = {other_id, third_id};
  CHECK(read_news(one.news_for(both)).records.size() == 2);
  one.know_effect(put);
  other.learn(one.news_for({&other_id, 1}));
  third.learn(one.news_for(both));
  CHECK(value_in(other) == std::byte{7});
  CHECK(value_in(third) == std::byte{7});
}

TEST_CASE("window views: a record of which more may become known is sent again") {
  View one(0, 2), other(1, 2);
  const ActorId one_id{0}, other_id{1};
  Record open = put_of(std::byte{7});
  open.is_settled = false;
  const RecordRef put = one.add(open);
  other.learn(one.news_for({&other_id, 1}));
  one.learn(other.news_for({&one_id, 1}));
  Record settled = *put;
  settled.is_settled = true;
  one.settle(std::make_shared<const Record>(settled));
  REQUIRE(read_news(one.news_for({&other_id, 1})).records.size() == 1);
  other.learn(one.news_for({&other_id, 1}));
  CHECK(other.find(put->id)->is_settled);
  one.learn(other.news_for({&one_id, 1}));
  CHECK(read_news(one.news_for({&other_id, 1})).records.empty());
}

TEST_CASE("window views: atomics of one rank at one place are ordered by the last one alone") {
  View origin(0, 2);
  Record record = replacement_of({std::byte{1}});
  std::vector<RecordId> added;
  for (int i = 0; i < 4; ++i) added.push_back(origin.add(record)->id);
  for (std::size_t i = 1; i < added.size(); ++i) {
    const RecordRef made = origin.find(added[i]);
    CHECK(made->prior == std::vector<RecordId>{added[i - 1]});
    for (std::size_t k = 0; k < i; ++k) CHECK(is_known(added[k], *made->known));
  }
  origin.know_effect(added.back());
  for (const RecordId id : added) CHECK(is_known(id, origin.known()));
}

TEST_CASE("window views: atomics of one rank that overlap in part are all ordered") {
  constexpr std::byte one{1};
  View origin(0, 2);
  const RecordId low = origin.add(replacement_of({one}, 0))->id;
  const RecordId high = origin.add(replacement_of({one}, 1))->id;
  const RecordId both = origin.add(replacement_of({one, one}, 0))->id;
  const RecordRef last = origin.add(replacement_of({one}, 0));
  CHECK(origin.find(both)->prior.size() == 2);
  for (const RecordId id : {low, high, both}) CHECK(is_known(id, *last->known));
}

}  // namespace view_test
