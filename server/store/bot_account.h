// The ids of accounts that are derived by hashing: those of bots and of an issuer's players.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "server/base/crypto.h"

namespace tesela::store {

/// The id and identity of a derived account.
struct HashedAccount {
  PlayerId id;           // the first 63 bits of `identity`; 1 if they are 0
  std::string identity;  // SHA-256: PlayerRow::identity
};

/// Hashes the three texts, which must not contain NUL, so that different accounts never hash the
/// same bytes. `kind` separates the accounts of bots from those of issuers.
[[nodiscard]] HashedAccount hashed_account(std::string_view kind, std::string_view first,
                                           std::string_view second);

/// The account of a bot. Clients choose the names of remote bots: to get the id of a given player,
/// they would have to find half of a SHA-256, and PlayerRow::kind would still refuse the account.
[[nodiscard]] HashedAccount bot_account(std::string_view game, std::string_view strategy);

inline HashedAccount hashed_account(std::string_view kind, std::string_view first,
                                    std::string_view second) {
  std::string named(kind);
  named += '\0';
  named += first;
  named += '\0';
  named += second;
  const base::Sha256 hash = base::sha256(named);
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < sizeof id; ++i) id = id << 8U | hash[i];
  return {.id = PlayerId{std::max<std::uint64_t>(id >> 1U, 1)},  // 63 bits, positive
          .identity = std::string(hash.begin(), hash.end())};
}

inline HashedAccount bot_account(std::string_view game, std::string_view strategy) {
  return hashed_account("tesela.bot.v1", game, strategy);
}

}  // namespace tesela::store
