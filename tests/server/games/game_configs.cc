#include "tests/server/games/game_configs.h"

#include <google/protobuf/any.pb.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <utility>

namespace tesela::test {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

/// What a number of a configuration may be, in ascending order: sizes and counts, and powers of two
/// for what is larger.
std::vector<std::uint64_t> numbers() {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < 64; ++number) numbers.push_back(number);
  for (std::uint64_t number = 64; number != 0; number *= 2) numbers.push_back(number);
  return numbers;
}

/// False for a field that holds no number, or not this one.
bool set(pb::Message& message, const Field& field, std::uint64_t number) {
  const auto& fields = *message.GetReflection();
  if (field.is_repeated()) return false;
  switch (field.cpp_type()) {
    case Field::CPPTYPE_UINT32:
      fields.SetUInt32(&message, &field, static_cast<std::uint32_t>(number));
      return number == static_cast<std::uint32_t>(number);
    case Field::CPPTYPE_UINT64:
      fields.SetUInt64(&message, &field, number);
      return true;
    case Field::CPPTYPE_BOOL:
      fields.SetBool(&message, &field, number != 0);
      return number < 2;
    case Field::CPPTYPE_ENUM:
      fields.SetEnumValue(&message, &field, static_cast<int>(number));
      return field.enum_type()->FindValueByNumber(static_cast<int>(number)) != nullptr;
    default:
      return false;
  }
}

Expected<games::GameConfig> configure(const games::GameEntry& game, const pb::Message& message) {
  pb::Any any;
  any.PackFrom(message);
  return game.configure(&any);
}

/// The message that a configuration of the game is, empty.
std::unique_ptr<pb::Message> empty_config(const games::GameEntry& game) {
  pb::Any any;
  any.ParseFromString(game.configure(nullptr).value().any);
  const std::string& url = any.type_url();
  const auto* type =
      pb::DescriptorPool::generated_pool()->FindMessageTypeByName(url.substr(url.rfind('/') + 1));
  return std::unique_ptr<pb::Message>(
      pb::MessageFactory::generated_factory()->GetPrototype(type)->New());
}

/// Gives each field the first number that the game accepts, of those that `tried` says.
games::GameConfig filled(const games::GameEntry& game,
                         const std::function<std::vector<std::uint64_t>()>& tried) {
  auto message = empty_config(game);
  for (int i = 0; i < message->GetDescriptor()->field_count(); ++i) {
    const Field& field = *message->GetDescriptor()->field(i);
    std::unique_ptr<pb::Message> changed(message->New());
    for (const std::uint64_t number : tried()) {
      changed->CopyFrom(*message);
      if (!set(*changed, field, number) || !configure(game, *changed)) continue;
      message = std::move(changed);
      break;
    }
  }
  return configure(game, *message).value();
}

}  // namespace

std::vector<ConfiguredGame> configured(const games::GameEntry& game) {
  const std::vector<std::uint64_t> ascending = numbers();
  const std::vector<std::uint64_t> descending(ascending.rbegin(), ascending.rend());
  std::mt19937 random{5};
  const auto drawn = [&] {
    std::vector<std::uint64_t> shuffled(ascending);
    std::ranges::shuffle(shuffled, random);
    return shuffled;
  };
  const std::string name(game.name);
  return {{name + "_usual", &game, game.configure(nullptr).value()},
          {name + "_smallest", &game, filled(game, [&] { return ascending; })},
          {name + "_largest", &game, filled(game, [&] { return descending; })},
          {name + "_drawn", &game, filled(game, drawn)}};
}

std::vector<ConfiguredGame> all_configured() {
  std::vector<ConfiguredGame> all;
  for (const games::GameEntry& game : games::all_games()) {
    std::ranges::move(configured(game), std::back_inserter(all));
  }
  return all;
}

}  // namespace tesela::test
