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
  void add(std::string_view record) {
    bytes_ += record;
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  /// Valid until `add`.
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }
  /// Of all records together.
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  /// The memory that the list takes.
  [[nodiscard]] std::size_t memory() const {
    return bytes_.capacity() + ends_.capacity() * sizeof(std::uint32_t);
  }
  /// SHA-256 over each record with its length before it, as four bytes, little-endian.
  [[nodiscard]] base::Sha256 hash() const {
    std::string hashed;
    hashed.reserve(bytes_.size() + 4 * ends_.size());
    for (std::size_t i = 0; i < size(); ++i) {
      const std::string_view record = (*this)[i];
      for (unsigned shift = 0; shift < 32; shift += 8) {
        hashed += static_cast<char>(record.size() >> shift & 0xffU);
      }
      hashed += record;
    }
    return base::sha256(hashed);
  }

  friend bool operator==(const RecordList&, const RecordList&) = default;

 private:
  std::string bytes_;
  std::vector<std::uint32_t> ends_;  // limits::kArchiveBytesMax fits
};

}  // namespace tesela::archive
