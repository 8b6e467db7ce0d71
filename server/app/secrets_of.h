// The keys of a server: the operator's, or its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/accounts/issuer.h"
#include "server/accounts/secret_file.h"
#include "server/base/crypto.h"
#include "server/base/text_encoding.h"
#include "server/ops/admin/operator_list.h"
#include "server/ops/config.h"
#include "server/store/key_fingerprint.h"

namespace tesela {

/// The secret from the operator's file, or the server's own.
[[nodiscard]] inline Expected<std::string> secret(accounts::SecretKind kind,
                                                  const std::optional<std::filesystem::path>& file,
                                                  const std::filesystem::path& data) {
  return file ? accounts::read_secret(kind, *file) : accounts::own_secret(kind, data);
}

/// The key of --former-token-secret-file, if one is given, or the one that the data folder's server
/// had before. Errors: those of read_secret and own_secret.
[[nodiscard]] inline Expected<std::optional<std::string>> former_token_key(
    const ops::Config& config) {
  if (config.former_token_secret_file) {
    return accounts::read_secret(accounts::kTokenKey, *config.former_token_secret_file);
  }
  if (config.token_secret_file) return std::nullopt;
  return accounts::former_key(config.data, config.token_ttl);
}

/// The names of the secrets that the server generates itself.
[[nodiscard]] inline std::vector<std::string> own_secrets(const ops::Config& config) {
  std::vector<std::string> names;
  if (!config.token_secret_file) names.emplace_back(accounts::kTokenKey.file);
  if (!config.daily_secret_file) names.emplace_back(accounts::kDailyKey.file);
  if (!config.admin_token_file) names.emplace_back(accounts::kAdminKey.file);
  return names;
}

/// What a shared database keeps of a key: 32 bytes, from which the key does not follow.
[[nodiscard]] inline std::string fingerprint(const std::string& key) {
  const auto digest = base::hmac_sha256(key, "tesela.fingerprint.v1");
  return {digest.begin(), digest.end()};
}

/// The keys that all servers on a shared database must have, by their fingerprints: tokens of one
/// are accepted by the others, and all deal the same daily games. None without --database. Errors:
/// kInvalidArgument for a key that is not given, and those of read_secret.
[[nodiscard]] inline Expected<std::vector<store::KeyFingerprint>> shared_keys(
    const ops::Config& config) {
  std::vector<store::KeyFingerprint> keys;
  if (config.database.empty()) return keys;
  const auto add = [&keys](accounts::SecretKind kind, std::string option,
                           const std::optional<std::filesystem::path>& file) -> Expected<void> {
    const std::string name(kind.what);
    if (!file) {
      return refuse(ErrorCode::kInvalidArgument, "Servers on one database have the same " + name +
                                                     ": with --database, give it in a file with " +
                                                     option + ".");
    }
    const auto key = accounts::read_secret(kind, *file);
    if (!key) return std::unexpected(key.error());
    keys.push_back({name, std::move(option), fingerprint(*key)});
    return {};
  };
  auto added = add(accounts::kTokenKey, "--token-secret-file", config.token_secret_file);
  if (added) {
    auto former = former_token_key(config);
    if (!former) return std::unexpected(std::move(former.error()));
    if (*former) keys.back().former = fingerprint(**former);
  }
  if (added) added = add(accounts::kDailyKey, "--daily-secret-file", config.daily_secret_file);
  if (added && config.node_secret_file) {
    added = add(accounts::kNodeKey, "--node-secret-file", config.node_secret_file);
  }
  if (!added) return std::unexpected(std::move(added.error()));
  return keys;
}

/// Those of --operators-file. Errors: those of ops::read_operators.
[[nodiscard]] inline Expected<std::vector<ops::Operator>> operators(const ops::Config& config) {
  if (!config.operators_file) return {};
  return ops::read_operators(*config.operators_file);
}

/// The line of --oidc-client-secret-file; empty without one. Errors: those of read_private_file,
/// and kInvalidArgument for an empty one.
[[nodiscard]] inline Expected<std::string> oidc_client_secret(const ops::Config& config) {
  if (!config.oidc_client_secret_file) return {};
  constexpr accounts::SecretKind kKind{"client secret", "oidc.secret", accounts::SecretForm::kText};
  auto secret = accounts::read_private_file(kKind, *config.oidc_client_secret_file);
  if (!secret) return secret;
  secret->resize(secret->find_last_not_of(" \t\r\n") + 1);
  if (!secret->empty()) return secret;
  return refuse(ErrorCode::kInvalidArgument,
                "The client secret in " + config.oidc_client_secret_file->string() +
                    " is empty: write what the provider has given this server.");
}

/// The bytes of --webhook-secret-file. Errors: those of read_private_file, and kInvalidArgument for
/// what is no secret of Standard Webhooks.
[[nodiscard]] inline Expected<std::string> webhook_secret(const ops::Config& config) {
  constexpr accounts::SecretKind kKind{"webhook secret", "webhook.secret",
                                       accounts::SecretForm::kText};
  constexpr std::string_view kPrefix = "whsec_";
  auto text = accounts::read_private_file(kKind, *config.webhook_secret_file);
  if (!text) return text;
  text->resize(text->find_last_not_of(" \t\r\n") + 1);
  if (text->starts_with(kPrefix)) {
    auto bytes = base::decode_base64(text->substr(kPrefix.size()));
    if (bytes && bytes->size() >= 24 && bytes->size() <= 64) return *std::move(bytes);
  }
  return refuse(ErrorCode::kInvalidArgument,
                "The webhook secret in " + config.webhook_secret_file->string() +
                    " is none: it must be whsec_ and 24 to 64 bytes in base 64.");
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
