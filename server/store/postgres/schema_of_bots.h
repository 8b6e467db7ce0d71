// The step of the schema that has added the bots from outside (FORMAT.md, "On PostgreSQL").
#pragma once

#include <array>

namespace tesela::store::postgres {

// Players and lives end without a look at this table: rows of lives that are not alive do not
// count, and go with the next offer.
inline constexpr std::array kVersion7{
    "CREATE TABLE remote_bots ("
    "  game text COLLATE \"C\" NOT NULL,"
    "  strategy text COLLATE \"C\" NOT NULL,"
    "  offer_id bigint NOT NULL UNIQUE,"
    "  owner_id bigint NOT NULL,"
    "  description text COLLATE \"C\" NOT NULL,"
    "  life bigint NOT NULL,"
    "  since timestamptz NOT NULL DEFAULT now(),"
    "  PRIMARY KEY (game, strategy))",
};

}  // namespace tesela::store::postgres
