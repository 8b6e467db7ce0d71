// The keys of a server: the operator's, or its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/accounts/issuer.h"
#include "server/accounts/secret_file.h"
#include "server/ops/config.h"

namespace tesela {

/// The secret from the operator's file, or the server's own.
[[nodiscard]] inline Expected<std::string> secret(accounts::SecretKind kind,
                                                  const std::optional<std::filesystem::path>& file,
                                                  const std::filesystem::path& data) {
  return file ? accounts::read_secret(kind, *file) : accounts::own_secret(kind, data);
}

/// The names of the secrets that the server generates itself.
[[nodiscard]] inline std::vector<std::string> own_secrets(const ops::Config& config) {
  std::vector<std::string> names;
  if (!config.token_secret_file) names.emplace_back(accounts::kTokenKey.file);
  if (!config.daily_secret_file) names.emplace_back(accounts::kDailyKey.file);
  if (!config.admin_token_file) names.emplace_back(accounts::kAdminKey.file);
  return names;
}

/// The operator's issuer of tokens, if one is configured.
[[nodiscard]] inline Expected<std::optional<accounts::Issuer>> issuer(const ops::Config& config) {
  if (!config.issuer_key_file) return std::nullopt;
  auto opened = accounts::Issuer::open({.key_file = *config.issuer_key_file,
                                        .name = config.issuer_name,
                                        .audience = config.issuer_audience});
  if (!opened) return std::unexpected(std::move(opened.error()));
  return std::move(*opened);
}

}  // namespace tesela
