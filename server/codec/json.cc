#include "server/codec/json.h"

#include <google/protobuf/any.pb.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/type.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "server/base/text_encoding.h"
#include "server/codec/json_fault.h"
#include "server/games/codec_parts.h"

namespace tesela::codec {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

constexpr const char* kUrlPrefix = "type.googleapis.com";

/// An empty message of each generated type, as it was found before. Each look at the generated
/// types takes a lock of the whole process: a thread of low priority that is taken off its core
/// inside it would keep the streams waiting. One for each thread.
class Prototypes {
 public:
  /// None: no such type. Only types that there are stay here, so a client cannot make it grow.
  [[nodiscard]] const pb::Message* find(const std::string& full_name) {
    if (const auto known = by_name_.find(full_name); known != by_name_.end()) return known->second;
    const auto* type = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(full_name);
    if (type == nullptr) return nullptr;
    const auto* prototype = pb::MessageFactory::generated_factory()->GetPrototype(type);
    by_name_.emplace(full_name, prototype);
    return prototype;
  }

 private:
  std::unordered_map<std::string, const pb::Message*> by_name_;
};

Prototypes& prototypes() {
  thread_local Prototypes all;
  return all;
}

/// Writes a message through its reflection: some twenty times as fast as the library's way, which
/// makes a description of each type for each message.
class JsonWriter {
 public:
  explicit JsonWriter(pb::Arena& arena) : arena_(arena) {}

  /// False when an Any in it cannot be read.
  [[nodiscard]] bool write(const pb::Message& message) {
    out_ += '{';
    const bool written = message.GetDescriptor() == pb::Any::descriptor()
                             ? write_any(static_cast<const pb::Any&>(message))
                             : write_fields(message, false);
    out_ += '}';
    return written;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  bool write_any(const pb::Any& any) {
    if (any.type_url().empty()) return any.value().empty();
    const auto* prototype = prototypes().find(std::string(games::type_of(any)));
    if (prototype == nullptr) return false;
    auto* inner = prototype->New(&arena_);
    if (!inner->ParseFromString(any.value())) return false;
    out_ += "\"@type\":";
    write_text(any.type_url());
    return any.value().empty() || write_fields(*inner, true);  // empty: as the library has it
  }

  bool write_fields(const pb::Message& message, bool more) {
    const auto& type = *message.GetDescriptor();
    const auto& reflection = *message.GetReflection();
    for (int i = 0; i < type.field_count(); ++i) {
      const Field& field = *type.field(i);
      if (field.has_presence() && !reflection.HasField(message, &field)) continue;
      if (std::exchange(more, true)) out_ += ',';
      out_ += '"';
      out_ += field.json_name();
      out_ += "\":";
      if (!(field.is_repeated() ? write_list(message, reflection, field)
                                : write_value(message, reflection, field, kSingle))) {
        return false;
      }
    }
    return true;
  }

  bool write_list(const pb::Message& message, const pb::Reflection& reflection,
                  const Field& field) {
    out_ += '[';
    const int size = reflection.FieldSize(message, &field);
    for (int i = 0; i < size; ++i) {
      if (i > 0) out_ += ',';
      if (!write_value(message, reflection, field, i)) return false;
    }
    out_ += ']';
    return true;
  }

  static constexpr int kSingle = -1;  // in place of an index: the field is not repeated

  bool write_value(const pb::Message& message, const pb::Reflection& reflection, const Field& field,
                   int index) {
    const auto value = [&](auto single, auto repeated) {
      return index == kSingle ? (reflection.*single)(message, &field)
                              : (reflection.*repeated)(message, &field, index);
    };
    using R = pb::Reflection;
    switch (field.cpp_type()) {
      case Field::CPPTYPE_INT32:
        write_number(value(&R::GetInt32, &R::GetRepeatedInt32));
        return true;
      case Field::CPPTYPE_UINT32:
        write_number(value(&R::GetUInt32, &R::GetRepeatedUInt32));
        return true;
      case Field::CPPTYPE_INT64:
        write_quoted(value(&R::GetInt64, &R::GetRepeatedInt64));
        return true;
      case Field::CPPTYPE_UINT64:
        write_quoted(value(&R::GetUInt64, &R::GetRepeatedUInt64));
        return true;
      case Field::CPPTYPE_DOUBLE:
        write_real(value(&R::GetDouble, &R::GetRepeatedDouble));
        return true;
      case Field::CPPTYPE_FLOAT:
        write_real(value(&R::GetFloat, &R::GetRepeatedFloat));
        return true;
      case Field::CPPTYPE_BOOL:
        out_ += value(&R::GetBool, &R::GetRepeatedBool) ? "true" : "false";
        return true;
      case Field::CPPTYPE_ENUM:
        write_enum(*field.enum_type(), value(&R::GetEnumValue, &R::GetRepeatedEnumValue));
        return true;
      case Field::CPPTYPE_STRING: {
        const std::string text = value(&R::GetString, &R::GetRepeatedString);
        if (field.type() == Field::TYPE_BYTES) {
          write_bytes(text);
        } else {
          write_text(text);
        }
        return true;
      }
      case Field::CPPTYPE_MESSAGE:
        return write(index == kSingle ? reflection.GetMessage(message, &field)
                                      : reflection.GetRepeatedMessage(message, &field, index));
    }
    return false;
  }

  template <class Number>
  void write_number(Number number) {
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.begin(), digits.end(), number);
    out_.append(digits.begin(), end);
  }
  // A number of JavaScript has 53 bits.
  template <class Number>
  void write_quoted(Number number) {
    out_ += '"';
    write_number(number);
    out_ += '"';
  }
  template <class Real>
  void write_real(Real number) {
    if (std::isfinite(number)) {
      write_number(number);
    } else {
      out_ += std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    }
  }
  void write_enum(const pb::EnumDescriptor& type, int number) {
    if (const auto* value = type.FindValueByNumber(number)) {
      out_ += '"';
      out_ += value->name();
      out_ += '"';
    } else {
      write_number(number);
    }
  }
  void write_bytes(std::string_view bytes) {
    const std::string encoded = base::encode_base64(bytes);
    out_ += '"';
    out_ += encoded;
    out_.append((4 - encoded.size() % 4) % 4, '=');
    out_ += '"';
  }
  // Besides what JSON asks for: what would end a script that a page holds.
  void write_text(std::string_view text) {
    out_ += '"';
    for (const char character : text) {
      const auto byte = static_cast<unsigned char>(character);
      if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != '<' && byte != '>') {
        out_ += character;
      } else {
        constexpr std::string_view kDigits = "0123456789abcdef";
        out_ += "\\u00";
        out_ += kDigits[byte >> 4U];
        out_ += kDigits[byte & 15U];
      }
    }
    out_ += '"';
  }

  pb::Arena& arena_;
  std::string out_;
};

/// As Prototypes, for the library's reader, which asks some forty times a frame.
class ResolvedTypes : public pb::util::TypeResolver {
 public:
  pb::util::Status ResolveMessageType(const std::string& url, pb::Type* type) override {
    return resolve(messages_, url, type,
                   [&](pb::Type* out) { return generated_->ResolveMessageType(url, out); });
  }
  pb::util::Status ResolveEnumType(const std::string& url, pb::Enum* type) override {
    return resolve(enums_, url, type,
                   [&](pb::Enum* out) { return generated_->ResolveEnumType(url, out); });
  }

 private:
  template <class Type, class Resolve>
  pb::util::Status resolve(std::unordered_map<std::string, Type>& known, const std::string& url,
                           Type* type, Resolve look_up) {
    if (const auto found = known.find(url); found != known.end()) {
      *type = found->second;
      return {};
    }
    auto status = look_up(type);
    if (status.ok()) known.emplace(url, *type);
    return status;
  }

  const std::unique_ptr<pb::util::TypeResolver> generated_{
      pb::util::NewTypeResolverForDescriptorPool(kUrlPrefix, pb::DescriptorPool::generated_pool())};
  std::unordered_map<std::string, pb::Type> messages_;
  std::unordered_map<std::string, pb::Enum> enums_;
};

ResolvedTypes& resolved_types() {
  thread_local ResolvedTypes types;
  return types;
}

bool to_bytes(const pb::Descriptor& type, std::string_view json, std::string& bytes) {
  return pb::util::JsonToBinaryString(&resolved_types(), games::type_url_of(type.full_name()),
                                      {json.data(), json.size()}, &bytes)
      .ok();
}

}  // namespace

std::optional<std::string> json_of(const pb::Descriptor& type, const std::string& bytes) {
  pb::Arena arena;
  auto* message = prototypes().find(type.full_name())->New(&arena);
  if (!message->ParseFromString(bytes)) return std::nullopt;
  JsonWriter writer(arena);
  if (!writer.write(*message)) return std::nullopt;
  return writer.take();
}

std::optional<std::string> read_json(std::string_view json, pb::Message& message) {
  // Some clients put the mark before it (RFC 8259, 8.1).
  json = base::without_mark(json);
  std::string bytes;
  const pb::Descriptor& type = *message.GetDescriptor();
  if (!to_bytes(type, json, bytes)) {
    return json_fault(json, type, [](const pb::Descriptor& of, std::string_view part) {
      std::string unused;
      return to_bytes(of, part, unused);
    });
  }
  if (!message.ParseFromString(bytes)) return "it is too large or nested too deeply";
  return std::nullopt;
}

}  // namespace tesela::codec
