// What brings a database of schema 3 to schema 4 (FORMAT.md, "Versions of the schema").
#pragma once

#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Marks the accounts of bots as what they are and gives them the ids of bot_account; their seats
/// and ratings follow. Until schema 3 a bot's id was FNV-1a of its game and name: whoever has that
/// id and that name is a bot. A seat of a bot whose id was a person's goes to an account of the
/// bot's own; what such games did to the person's rating cannot be told apart and stays.
///
/// Inside a transaction, without foreign keys. `players` has the columns of schema 4; the seats
/// stand in `old_seats`, whose player_id is changed. Throws StorageError.
void move_bots_to_their_accounts(Connection& connection);

}  // namespace tesela::store
