// How much memory a server on this machine uses, from Linux's /proc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tesela::cli {

/// The process that listens on TCP `port` of this machine. Empty when none does, or when it belongs
/// to another user.
[[nodiscard]] std::optional<pid_t> find_listener(std::uint16_t port);

/// Resident memory in bytes. Empty when there is no such process.
[[nodiscard]] std::optional<std::size_t> resident_bytes(pid_t pid);

}  // namespace tesela::cli
