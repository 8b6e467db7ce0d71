#include "server/accounts/secret_file.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/durable_file.h"
#include "server/base/limits.h"
#include "server/base/text_encoding.h"

namespace tesela::accounts {
namespace {

std::unexpected<Error> cannot(std::string what, const std::filesystem::path& file, ErrorCode code) {
  return refuse(code, std::move(what) + " " + file.string() + ": " +
                          std::generic_category().message(errno) + ".");
}

// Written to a temporary file and renamed, so that a crash leaves no partial key.
Expected<std::string> make_secret(SecretKind kind, const std::filesystem::path& file) {
  const std::string the_key = "The " + std::string(kind.what);
  const auto bytes = base::random_seed();
  static_assert(std::tuple_size_v<decltype(bytes)> == kSecretBytes);
  std::string secret{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (kind.form == SecretForm::kText) secret = base::encode_base64url(secret);
  const std::string content = kind.form == SecretForm::kText ? secret + "\n" : secret;
  std::filesystem::path draft = file;
  draft += ".tmp";
  if (!base::write_private_file(draft, content)) {
    return cannot(the_key + " cannot be written to", draft, ErrorCode::kUnavailable);
  }
  if (std::rename(draft.c_str(), file.c_str()) != 0 || !base::sync_folder(file.parent_path())) {
    return cannot(the_key + " cannot be put at", file, ErrorCode::kUnavailable);
  }
  return secret;
}

/// Whether the text is a valid field value of RFC 9110.
bool fits_header(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

bool may_own(uid_t owner, const std::filesystem::path& folder) {
  struct stat status{};
  return owner == ::geteuid() || owner == 0 ||
         (::stat(folder.c_str(), &status) == 0 && owner == status.st_uid);
}

/// What others may not do with a file of the operator, as bits of its mode. As PostgreSQL has it, a
/// group may read what another user, such as root, has given to it.
mode_t of_others(const struct stat& status) {
  return status.st_uid == ::geteuid() && status.st_uid != 0 ? S_IRWXG | S_IRWXO : S_IWGRP | S_IRWXO;
}

/// The same of a file in the data folder: Kubernetes lets the group of a volume (fsGroup) write it.
mode_t of_others_in_data(const struct stat& /*status*/) {
  return S_IRWXO;
}

/// Whether the file is on a mount that cannot be written: engines of containers mount secrets so,
/// for one container alone, and let all its users read them.
bool is_mounted_secret(const std::filesystem::path& file) {
  struct statvfs mount{};
  return ::statvfs(file.c_str(), &mount) == 0 && (mount.f_flag & ST_RDONLY) != 0;
}

/// Refuses a file that others may read or write.
Expected<void> check_rights(SecretKind kind, const std::filesystem::path& file,
                            mode_t (*forbidden)(const struct stat&)) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return {};  // reading it says why
  const mode_t open = status.st_mode & forbidden(status);
  if (open == 0 || is_mounted_secret(file)) return {};
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%04o", status.st_mode & 07777U);
  return refuse(ErrorCode::kInvalidArgument,
                "The " + std::string(kind.what) + " in " + file.string() +
                    " is not used: its mode " + mode.data() +
                    " lets others read or change it; run chmod " +
                    (status.st_uid == ::geteuid() ? "600 " : "640 ") + file.string() + ".");
}

Expected<void> check_size(const std::string& what, std::string_view secret) {
  if (secret.size() >= kSecretBytes) return {};
  return refuse(ErrorCode::kInvalidArgument, what + " has " + std::to_string(secret.size()) +
                                                 " bytes; it needs at least " +
                                                 std::to_string(kSecretBytes) + ".");
}

Expected<void> removed(SecretKind kind, const std::filesystem::path& file) {
  if (std::remove(file.c_str()) == 0 && base::sync_folder(file.parent_path())) return {};
  return cannot("The " + std::string(kind.what) + " cannot be removed:", file,
                errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable);
}

/// The content of a file for a secret.
Expected<std::string> checked(SecretKind kind, const std::filesystem::path& file,
                              std::string secret) {
  const std::string what = "The " + std::string(kind.what) + " in " + file.string();
  const bool text = kind.form == SecretForm::kText;
  if (text) secret.erase(secret.find_last_not_of(" \t\r\n") + 1);
  auto right = text ? check_text_secret(what, secret) : check_size(what, secret);
  if (!right) return std::unexpected(std::move(right.error()));
  return secret;
}

}  // namespace

Expected<void> check_text_secret(const std::string& what, std::string_view secret) {
  if (!fits_header(secret)) {
    return refuse(ErrorCode::kInvalidArgument,
                  what + " must be one word of letters, digits and signs of ASCII.");
  }
  return check_size(what, secret);
}

Expected<std::string> read_private_file(SecretKind kind, const std::filesystem::path& file) {
  if (auto own = check_rights(kind, file, of_others); !own) {
    return std::unexpected(std::move(own.error()));
  }
  errno = 0;
  std::ifstream in{file, std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
  if (!in) {
    return cannot("The " + std::string(kind.what) + " cannot be read from", file,
                  ErrorCode::kNotFound);
  }
  return bytes;
}

Expected<std::string> read_secret(SecretKind kind, const std::filesystem::path& file) {
  auto bytes = read_private_file(kind, file);
  if (!bytes) return bytes;
  return checked(kind, file, *std::move(bytes));
}

Expected<std::string> own_secret(SecretKind kind, const std::filesystem::path& data) {
  const std::filesystem::path file = data / kind.file;
  // A link in the folder must not lead to a file outside.
  auto own = base::read_plain_file(file, limits::kKeyFileBytesMax);
  if (own && !may_own(own->owner, data)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The file " + file.string() +
                      " is not read: it is neither the server's, nor its folder's owner's, nor"
                      " root's.");
  }
  if (own) {
    if (auto closed = check_rights(kind, file, of_others_in_data); !closed) {
      return std::unexpected(std::move(closed.error()));
    }
    return checked(kind, file, std::move(own->bytes));
  }
  if (own.error().code != ErrorCode::kNotFound) return std::unexpected(std::move(own.error()));
  std::error_code error;
  std::filesystem::create_directories(data, error);
  return make_secret(kind, file);
}

Expected<void> retire_token_key(const std::filesystem::path& data, bool at_once) {
  const std::filesystem::path key = data / kTokenKey.file;
  const std::filesystem::path former = data / kFormerKey.file;
  std::error_code error;
  if (at_once) {
    const bool retired = std::filesystem::remove(former, error);
    auto done = removed(kTokenKey, key);
    if (!done && done.error().code == ErrorCode::kNotFound && retired) return {};
    return done;
  }
  if (std::filesystem::exists(former, error)) {
    return refuse(ErrorCode::kTooSoon,
                  "Tokens of the key before are accepted still: " + former.string() +
                      " goes when a server starts --token-ttl after the last change. --at-once"
                      " signs everybody out.");
  }
  // The time first: after a crash in between, the former key must not look expired.
  std::filesystem::last_write_time(key, std::filesystem::file_time_type::clock::now(), error);
  if (error || std::rename(key.c_str(), former.c_str()) != 0 || !base::sync_folder(data)) {
    return cannot("The token key cannot be renamed:", key,
                  errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable);
  }
  return {};
}

Expected<std::optional<std::string>> former_key(const std::filesystem::path& data,
                                                std::chrono::milliseconds time) {
  const std::filesystem::path file = data / kFormerKey.file;
  std::error_code error;
  const auto since = std::filesystem::last_write_time(file, error);
  if (error) return std::nullopt;
  // Two wall-clock times may differ here: tokens expire by the same clock.
  if (std::filesystem::file_time_type::clock::now() - since >= time) {
    std::filesystem::remove(file, error);
    return std::nullopt;
  }
  return own_secret(kFormerKey, data);
}

Expected<void> retire_admin_key(const std::filesystem::path& data) {
  return removed(kAdminKey, data / kAdminKey.file);
}

}  // namespace tesela::accounts
