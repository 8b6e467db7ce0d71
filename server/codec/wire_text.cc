#include "server/codec/wire_text.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/base/text_encoding.h"

namespace tesela::codec {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

std::optional<std::string> broken_text(std::string_view bytes, const Descriptor& type) {
  CodedInputStream in(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                      static_cast<int>(bytes.size()));
  while (const std::uint32_t tag = in.ReadTag()) {
    const auto* field = type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
    std::uint32_t size = 0;
    if (field == nullptr ||
        WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      if (!WireFormatLite::SkipField(&in, tag)) return std::nullopt;
      continue;
    }
    if (!in.ReadVarint32(&size)) return std::nullopt;
    const auto begin = static_cast<std::size_t>(in.CurrentPosition());
    if (size > bytes.size() - begin) return std::nullopt;
    const std::string_view content = bytes.substr(begin, size);
    if (field->type() == FieldDescriptor::TYPE_STRING && !base::is_utf8(content))
      return field->name();
    if (field->type() == FieldDescriptor::TYPE_MESSAGE) {
      if (auto inner = broken_text(content, *field->message_type())) {
        return field->name() + "." + *inner;
      }
    }
    if (!in.Skip(static_cast<int>(size))) return std::nullopt;
  }
  return std::nullopt;
}

namespace {

/// Adds the names of the fields that lead to the first NUL, the last one first. False: there is
/// none.
bool find_nul(const Message& message, std::string& path) {
  const auto& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  const auto holds_nul = [&](const FieldDescriptor* field, int i) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      return find_nul(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                           : reflection.GetMessage(message, field),
                      path);
    }
    std::string copy;
    const std::string& text = field->is_repeated()
                                  ? reflection.GetRepeatedStringReference(message, field, i, &copy)
                                  : reflection.GetStringReference(message, field, &copy);
    return text.find('\0') != std::string::npos;
  };
  for (const FieldDescriptor* field : fields) {
    if (field->type() != FieldDescriptor::TYPE_STRING &&
        field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      continue;
    }
    const int size = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < size; ++i) {
      if (!holds_nul(field, i)) continue;
      if (!path.empty()) path.insert(0, ".");
      path.insert(0, field->name());
      return true;
    }
  }
  return false;
}

}  // namespace

Expected<void> check_no_nul(const Message& message) {
  std::string path;
  if (!find_nul(message, path)) return {};
  return refuse(ErrorCode::kInvalidArgument, path + " holds the character U+0000: leave it out.");
}

}  // namespace tesela::codec
