// The records of a game, encoded, in one piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/crypto.h"

namespace tesela::archive {

/// A value. The record at `index` is that of version index + 1.
class RecordList {
 public:
  void add(std::string_view record);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  /// Valid until `add`.
  [[nodiscard]] std::string_view operator[](std::size_t index) const;
  /// Of all records together.
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  /// The memory that the list takes.
  [[nodiscard]] std::size_t memory() const {
    return bytes_.capacity() + ends_.capacity() * sizeof(std::uint32_t);
  }
  /// SHA-256 over each record with its length before it, as four bytes, little-endian.
  [[nodiscard]] base::Sha256 hash() const;

  friend bool operator==(const RecordList&, const RecordList&) = default;

 private:
  std::string bytes_;
  std::vector<std::uint32_t> ends_;  // limits::kArchiveBytesMax fits
};

}  // namespace tesela::archive
