// The account of a bot: which player a strategy of a game is, on every server the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "server/base/crypto.h"

namespace tesela::store {

/// An account that follows from who it is.
struct HashedAccount {
  PlayerId id;           // the first 63 bits of `identity`, and 1 where they are 0
  std::string identity;  // SHA-256: PlayerRow::identity
};

/// Of what `kind` and `parts` say, none of which has a NUL in it: so no two accounts are made of
/// the same bytes. `kind` keeps the accounts of bots and those of issuers apart.
[[nodiscard]] HashedAccount hashed_account(std::string_view kind, std::string_view first,
                                           std::string_view second);

/// A bot's. The names of remote bots are chosen by strangers: who wants to stand at the id of
/// a given player has to find half of a SHA-256, and is refused then by PlayerRow::kind.
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
  return {.id = PlayerId{std::max<std::uint64_t>(id >> 1U, 1)},  // a positive number of 63 bits
          .identity = std::string(hash.begin(), hash.end())};
}

inline HashedAccount bot_account(std::string_view game, std::string_view strategy) {
  return hashed_account("tesela.bot.v1", game, strategy);
}

}  // namespace tesela::store
