#include "clients/cli/load/wire_reader.h"

namespace tesela::cli {
namespace {

enum WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

}  // namespace

bool WireReader::read_varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80U) return true;
  }
  return false;
}

bool WireReader::skip(std::uint64_t size) {
  if (size > rest_.size()) return false;
  bytes_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::next() {
  if (broken_ || rest_.empty()) return false;
  bytes_ = {};
  number_ = 0;
  std::uint64_t tag = 0;
  std::uint64_t size = 0;
  broken_ = !read_varint(tag);
  if (broken_) return false;
  field_ = static_cast<std::uint32_t>(tag >> 3U);
  switch (tag & 7U) {
    case kVarint:
      broken_ = !read_varint(number_);
      break;
    case kFixed64:
      broken_ = !skip(8);
      bytes_ = {};
      break;
    case kLengthDelimited:
      broken_ = !read_varint(size) || !skip(size);
      break;
    case kFixed32:
      broken_ = !skip(4);
      bytes_ = {};
      break;
    default:
      broken_ = true;
  }
  return !broken_;
}

}  // namespace tesela::cli
