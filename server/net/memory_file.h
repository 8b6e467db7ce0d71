// A file that is nowhere on a disk, for libraries that take what they read by its name alone.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/core/result.h"
#include "server/ops/durable_file.h"

namespace tesela::net {

/// Bytes in memory under a name that this process can open; gone with it. Any thread may read,
/// one at a time replaces.
class MemoryFile {
 public:
  /// Errors: kUnavailable with a sentence when there is no memory or descriptor for it.
  [[nodiscard]] static Expected<MemoryFile> make(std::string_view bytes);

  /// Who opens the name from now on reads these bytes; who has it open, those before to their end.
  /// Errors: those of `make`; then the bytes stay as they were.
  [[nodiscard]] Expected<void> replace(std::string_view bytes);

  /// Good as long as this object lives; the same after `replace`.
  [[nodiscard]] std::filesystem::path name() const;

 private:
  explicit MemoryFile(ops::Descriptor file) : file_(std::move(file)) {}

  ops::Descriptor file_;
};

}  // namespace tesela::net
