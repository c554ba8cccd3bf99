// SPDX-License-Identifier: MIT
//
// See result_use.hpp.
#include "smpi/abi/result_use.hpp"

#include <set>
#include <utility>
#include <vector>

#include "smpi/abi/instruction.hpp"

namespace rehearse::smpi {
namespace {

constexpr int instructions_max = 400;
constexpr std::size_t depth_max = 16;  // number of nested calls that are followed

// A place in the code, and the return addresses of the calls that were followed to it, the innermost last. After these,
// the search continues in the callers of the first function.
struct Place {
  const std::uint8_t* at = nullptr;
  std::vector<const std::uint8_t*> returns;
  std::size_t callers_used = 0;
  auto operator<=>(const Place&) const = default;
};

class Walk {
 public:
  explicit Walk(std::span<const std::uint8_t* const> callers) : callers_(callers) {}

  bool ends_without_look(const std::uint8_t* code) {
    add({code, {}, 0});
    for (int steps = 0; !open_.empty(); ++steps) {
      Place place = std::move(open_.back());
      open_.pop_back();
      if (steps == instructions_max || !step(std::move(place))) return false;
    }
    return true;
  }

 private:
  void add(Place place) {
    if (seen_.insert(place).second) open_.push_back(std::move(place));
  }

  // False: the program reads the value, or may read it.
  bool step(Place place) {
    const Instruction instruction = decode(place.at);
    if (instruction.reads || instruction.next == Instruction::Next::unknown) return false;
    if (instruction.overwrites) return true;
    const std::uint8_t* const behind = place.at + instruction.bytes;
    switch (instruction.next) {
      case Instruction::Next::falls_through: place.at = behind; break;
      case Instruction::Next::jumps: place.at = instruction.target; break;
      case Instruction::Next::branches: {
        Place other = place;
        other.at = instruction.target;
        add(std::move(other));
        place.at = behind;
        break;
      }
      case Instruction::Next::calls:
        if (place.returns.size() == depth_max) return false;
        place.returns.push_back(behind);
        place.at = instruction.target;
        break;
      case Instruction::Next::returns:
        if (!go_back(place)) return false;
        break;
      default: return true;  // the value is overwritten
    }
    add(std::move(place));
    return true;
  }

  bool go_back(Place& place) const {
    if (!place.returns.empty()) {
      place.at = place.returns.back();
      place.returns.pop_back();
      return true;
    }
    if (place.callers_used == callers_.size()) return false;
    place.at = callers_[place.callers_used++];
    return true;
  }

  std::span<const std::uint8_t* const> callers_;
  std::vector<Place> open_;
  std::set<Place> seen_;
};

}  // namespace

bool is_result_ignored(const std::uint8_t* code, std::span<const std::uint8_t* const> callers) {
  return Walk(callers).ends_without_look(code);
}

}  // namespace rehearse::smpi
