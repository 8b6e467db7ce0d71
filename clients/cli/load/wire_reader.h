// Walks the fields of an encoded protobuf message without building it: for the load client, which
// looks at three fields of a frame and shares its cores with the server that it measures. Source of
// the format: https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <cstdint>
#include <string_view>

namespace tesela::cli {

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// Moves to the next field. False at the end of the message, and when the bytes are broken.
  [[nodiscard]] bool next();
  /// Whether the message was read to its end without a fault.
  [[nodiscard]] bool ok() const { return !broken_ && rest_.empty(); }

  /// The field's number.
  [[nodiscard]] std::uint32_t field() const { return field_; }
  /// The value of a varint field; 0 for the others.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// The value of a string, bytes, message or packed field, inside the message given; empty for the
  /// others.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  bool read_varint(std::uint64_t& value);
  bool skip(std::uint64_t size);

  std::string_view rest_;
  std::string_view bytes_;
  std::uint64_t number_ = 0;
  std::uint32_t field_ = 0;
  bool broken_ = false;
};

}  // namespace tesela::cli
