#include "server/codec/json.h"

#include <google/protobuf/any.pb.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <tesela/game/v1/azul.pb.h>
#include <tesela/game/v1/g2048.pb.h>
#include <tesela/lobby/v1/lobby.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "server/base/text_encoding.h"
#include "server/games/games.h"

namespace tesela::codec {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

std::vector<const pb::Descriptor*> message_types_of(const pb::FileDescriptor& file) {
  std::vector<const pb::Descriptor*> types;
  for (int i = 0; i < file.message_type_count(); ++i) types.push_back(file.message_type(i));
  return types;
}

/// The message types of every game, which stand in an Any.
std::vector<const pb::Descriptor*> game_types() {
  std::vector<const pb::Descriptor*> types;
  for (const games::GameEntry& game : games::all_games()) {
    const auto* move =
        pb::DescriptorPool::generated_pool()->FindMessageTypeByName(std::string(game.move_type));
    std::ranges::copy(message_types_of(*move->file()), std::back_inserter(types));
  }
  return types;
}

/// Messages with random fields, of any type.
class RandomMessages {
 public:
  std::unique_ptr<pb::Message> make(const pb::Descriptor& type, int depth = 0) {
    auto* factory = pb::MessageFactory::generated_factory();
    std::unique_ptr<pb::Message> message{factory->GetPrototype(&type)->New()};
    fill(*message, depth);
    return message;
  }

 private:
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  std::int64_t integer() {
    const std::array<std::int64_t, 5> kinds{0, 1, -1, std::numeric_limits<std::int64_t>::min(),
                                            static_cast<std::int64_t>(random_())};
    return kinds[static_cast<std::size_t>(below(5))];
  }
  std::string text() {
    const std::array<std::string, 6> parts{"a", "\"\\/<>&'", "\n\t\x01\x1f", "ñ漢", "🁢", "\u2028"};
    std::string text;
    for (int i = below(4); i > 0; --i) text += parts[static_cast<std::size_t>(below(6))];
    return text;
  }
  std::string bytes() {
    std::string bytes;
    for (int i = below(7); i > 0; --i) bytes += static_cast<char>(below(256));
    return bytes;
  }

  void fill(pb::Message& message, int depth) {
    if (message.GetDescriptor() == pb::Any::descriptor()) {
      static const auto kTypes = game_types();
      const auto& type = *kTypes[static_cast<std::size_t>(below(static_cast<int>(kTypes.size())))];
      if (below(8) > 0) static_cast<pb::Any&>(message).PackFrom(*make(type, depth + 1));
      return;
    }
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const Field& field = *message.GetDescriptor()->field(i);
      const bool deep = field.cpp_type() == Field::CPPTYPE_MESSAGE && depth > 3;
      for (int n = field.is_repeated() ? below(4) : below(2); n > 0 && !deep; --n) {
        set(message, field, depth);
      }
    }
  }

  void set(pb::Message& message, const Field& field, int depth) {
    const auto& r = *message.GetReflection();
    const bool many = field.is_repeated();
    const std::array<double, 6> reals{0.0, -0.25, 1e300, 0.1, 1.0 / 3, 12345678.5};
    switch (field.cpp_type()) {
      case Field::CPPTYPE_INT32: {
        const auto value = static_cast<std::int32_t>(integer());
        return many ? r.AddInt32(&message, &field, value) : r.SetInt32(&message, &field, value);
      }
      case Field::CPPTYPE_UINT32: {
        const auto value = static_cast<std::uint32_t>(integer());
        return many ? r.AddUInt32(&message, &field, value) : r.SetUInt32(&message, &field, value);
      }
      case Field::CPPTYPE_INT64:
        return many ? r.AddInt64(&message, &field, integer())
                    : r.SetInt64(&message, &field, integer());
      case Field::CPPTYPE_UINT64: {
        const auto value = static_cast<std::uint64_t>(integer());
        return many ? r.AddUInt64(&message, &field, value) : r.SetUInt64(&message, &field, value);
      }
      case Field::CPPTYPE_DOUBLE: {
        const double value = reals[static_cast<std::size_t>(below(6))];
        return many ? r.AddDouble(&message, &field, value) : r.SetDouble(&message, &field, value);
      }
      case Field::CPPTYPE_BOOL:
        return many ? r.AddBool(&message, &field, below(2) == 1)
                    : r.SetBool(&message, &field, below(2) == 1);
      case Field::CPPTYPE_ENUM: {
        const int known =
            field.enum_type()->value(below(field.enum_type()->value_count()))->number();
        const int value = below(6) == 0 ? 777 : known;
        return many ? r.AddEnumValue(&message, &field, value)
                    : r.SetEnumValue(&message, &field, value);
      }
      case Field::CPPTYPE_STRING: {
        const std::string value = field.type() == Field::TYPE_BYTES ? bytes() : text();
        return many ? r.AddString(&message, &field, value) : r.SetString(&message, &field, value);
      }
      case Field::CPPTYPE_MESSAGE:
        return fill(many ? *r.AddMessage(&message, &field) : *r.MutableMessage(&message, &field),
                    depth + 1);
      default:
        FAIL() << "no random " << field.cpp_type_name();
    }
  }

  std::mt19937_64 random_{7};
};

std::string by_comma(const pb::EnumDescriptor& values) {
  std::string names;
  for (int i = 0; i < values.value_count(); ++i) {
    names += (i > 0 ? ", " : "") + values.value(i)->name();
  }
  return names;
}

std::string by_the_library(const pb::Message& message) {
  pb::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string json;
  EXPECT_TRUE(pb::util::MessageToJsonString(message, &json, options).ok());
  return json;
}

TEST(Json, EveryMessageOfStreamsAndGamesIsWrittenAsTheLibraryWritesIt) {
  RandomMessages random;
  auto types = message_types_of(*play::v1::ServerFrame::descriptor()->file());
  std::ranges::copy(game_types(), std::back_inserter(types));
  for (const auto* type : types) {
    for (int i = 0; i < 100; ++i) {
      const auto message = random.make(*type);
      const auto json = json_of(*type, message->SerializeAsString());
      ASSERT_TRUE(json);
      ASSERT_TRUE(base::is_utf8(*json));
      ASSERT_EQ(nlohmann::json::parse(*json), nlohmann::json::parse(by_the_library(*message)))
          << type->full_name();
    }
  }
}

TEST(Json, WhatIsWrittenIsReadAgain) {
  RandomMessages random;
  for (int i = 0; i < 500; ++i) {
    const auto message = random.make(*play::v1::ServerFrame::descriptor());
    const auto json = json_of(*message->GetDescriptor(), message->SerializeAsString());
    ASSERT_TRUE(json);
    play::v1::ServerFrame read;
    ASSERT_EQ(read_json(*json, read), std::nullopt);
    ASSERT_EQ(by_the_library(read), by_the_library(*message));
  }
}

TEST(Json, NothingEndsAScriptThatAPageHolds) {
  play::v1::ServerFrame frame;
  frame.mutable_refusal()->set_message("</script>");
  const auto json = json_of(*frame.GetDescriptor(), frame.SerializeAsString());
  ASSERT_TRUE(json);
  EXPECT_EQ(json->find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(*json)["refusal"]["message"], "</script>");
}

TEST(Json, WhatIsNoSuchMessageIsNotWritten) {
  const auto& type = *play::v1::ServerFrame::descriptor();
  EXPECT_EQ(json_of(type, "\xff\xff"), std::nullopt);
  play::v1::ServerFrame unknown;
  unknown.mutable_welcome()->mutable_config()->set_type_url("type.googleapis.com/tesela.Nothing");
  EXPECT_EQ(json_of(type, unknown.SerializeAsString()), std::nullopt);
  play::v1::ServerFrame broken;
  broken.mutable_welcome()->mutable_config()->PackFrom(game::v1::Game2048Config{});
  broken.mutable_welcome()->mutable_config()->set_value("\xff");
  EXPECT_EQ(json_of(type, broken.SerializeAsString()), std::nullopt);
}

TEST(Json, WhatIsWrongIsSaidOfTheFieldInWordsOfTheServer) {
  const std::string deep = R"({"options":)" + std::string(200, '[') + std::string(200, ']') + "}";
  std::string many = R"({"bots":[)";
  for (int i = 0; i < 2000; ++i) many += "{},";
  const std::vector<std::pair<std::string, std::string>> faults{
      {"", "it is empty; {} is a message without fields"},
      {"{", "it is not JSON at byte 2"},
      {"{\"game\":\"\xff\"}", "it is not JSON at byte 10"},
      {R"({"game":"azul"]})", "it is not JSON at byte 15"},
      {R"({"game":1e999})", "it holds a number that is too large"},
      {"[]", "it is not an object"},
      {"7", "it is not an object"},
      {deep, "it is nested too deeply"},
      {R"({"gmae":"azul"})", "the field gmae is not known"},
      {R"({"<b>":"azul"})", "there is a field that is not known"},
      {R"({"options":{"\u202e":1}})", "there is a field in options that is not known"},
      {R"({"game":{}})", "the field game is not a text"},
      {R"({"daily":"perhaps"})", "the field daily is not true or false"},
      {R"({"contribution":"?"})", "the field contribution is not a text in base 64"},
      {R"({"game":"azul","options":{"clock":{"moveMs":-1}}})",
       "the field options.clock.moveMs is not a whole number of 32 bits that is not negative"},
      {R"({"options":{"talk":"TALK_LOUD"}})",
       "the field options.talk is not one of " + by_comma(*lobby::v1::Talk_descriptor())},
      {R"({"options":7})", "the field options is not an object"},
      {R"({"bots":"safe"})", "the field bots is not a list"},
      {R"({"bots":[{"strategy":"safe"},{"seat":"first"}]})",
       "the field bots[1].seat is not a whole number of 32 bits that is not negative"},
      {many + "7]}", "an element of the field bots is not an object"},
      {R"({"config":{"size":4}})", "the field config.@type names no message that is known"},
      {R"({"config":{"@type":"type.googleapis.com/tesela.game.v1.AzulMove","colour":[]}})",
       "the field config.colour is not one of " + by_comma(*game::v1::AzulColour_descriptor())},
      {R"({"config":{"@type":"tesela.game.v1.AzulMove","line":1,"floor":true}})",
       "the field config.line excludes another one that is there"}};
  for (const auto& [json, fault] : faults) {
    lobby::v1::CreateTableRequest request;
    EXPECT_EQ(read_json(json, request), fault) << json;
  }
}

TEST(Json, AMarkOfTheByteOrderIsNoFault) {
  lobby::v1::CreateTableRequest request;
  EXPECT_EQ(read_json("\xEF\xBB\xBF{\"game\":\"azul\"}", request), std::nullopt);
  EXPECT_EQ(request.game(), "azul");
}

}  // namespace
}  // namespace tesela::codec
