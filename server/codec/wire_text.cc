#include "server/codec/wire_text.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstddef>
#include <cstdint>

#include "server/base/text_encoding.h"

namespace tesela::codec {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
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

}  // namespace tesela::codec
