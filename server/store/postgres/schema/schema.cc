#include "server/store/postgres/schema/schema.h"

#include <array>
#include <span>
#include <string>
#include <utility>

#include "server/store/postgres/schema/schema_of_counts.h"
#include "server/store/postgres/schema/schema_steps.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// Texts are compared by their bytes, as SQLite does: the order of lists does not depend on the
// database's language.
constexpr std::array kPlayersAndTables{
    "CREATE TABLE players ("
    "  id bigint PRIMARY KEY,"
    "  display_name text COLLATE \"C\" NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  kind bigint NOT NULL CHECK (kind IN (0, 1, 2, 3)),"
    "  identity bytea NOT NULL,"
    "  seen_ms bigint NOT NULL,"
    "  erased_ms bigint)",
    "CREATE INDEX players_by_created ON players (created_ms, id)",
    "CREATE INDEX players_by_name ON players (display_name, created_ms, id)",
    "CREATE INDEX guests_by_seen ON players (seen_ms, id) WHERE kind = 1",
    "CREATE INDEX players_erased ON players (erased_ms, id) WHERE erased_ms IS NOT NULL",

    "CREATE TABLE tables ("
    "  id bigint PRIMARY KEY,"
    "  game text COLLATE \"C\" NOT NULL,"
    "  config bytea NOT NULL,"
    "  options bytea NOT NULL,"
    "  owner_id bigint NOT NULL REFERENCES players (id),"
    "  invite text COLLATE \"C\" NOT NULL,"
    "  seed bytea NOT NULL,"
    "  state bigint NOT NULL CHECK (state IN (1, 2, 3, 4)),"
    "  assisted boolean NOT NULL,"
    "  seat_count bigint NOT NULL CHECK (seat_count >= 1),"
    "  created_ms bigint NOT NULL,"
    "  result bytea,"
    "  ended_ms bigint,"
    "  daily bigint,"
    "  public boolean NOT NULL,"
    "  log_place bigint NOT NULL DEFAULT 0 CHECK (log_place BETWEEN 0 AND 3),"
    "  CHECK ((state = 2) = (result IS NOT NULL)"
    "   AND (state IN (2, 4)) = (ended_ms IS NOT NULL)))",
    "CREATE UNIQUE INDEX daily_tries ON tables (owner_id, game, daily) WHERE daily IS NOT NULL",
    "CREATE INDEX tables_listed ON tables (public, state, created_ms, id)",
    "CREATE INDEX tables_by_game ON tables (game, public, state, created_ms, id)",
    "CREATE INDEX tables_by_end ON tables (ended_ms, id) WHERE ended_ms IS NOT NULL",
    "CREATE INDEX tables_by_owner ON tables (owner_id)",
    "CREATE INDEX tables_to_archive ON tables (ended_ms, id)"
    "  WHERE ended_ms IS NOT NULL AND log_place < 2",

    "CREATE TABLE seats ("
    "  table_id bigint NOT NULL REFERENCES tables (id),"
    "  seat bigint NOT NULL CHECK (seat >= 0),"
    "  player_id bigint NOT NULL REFERENCES players (id),"
    "  strategy text COLLATE \"C\" NOT NULL,"
    "  contribution bytea NOT NULL,"
    "  contribution_state bigint NOT NULL CHECK (contribution_state BETWEEN 0 AND 4),"
    "  game text COLLATE \"C\" NOT NULL,"
    "  public boolean NOT NULL,"
    "  state bigint NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  PRIMARY KEY (table_id, seat))",
    "CREATE INDEX seats_by_player ON seats (player_id, public, state, created_ms, table_id)",
    "CREATE INDEX seats_by_player_and_game"
    "  ON seats (player_id, game, public, state, created_ms, table_id)",
    "CREATE INDEX seats_of_strategies ON seats (public, state, created_ms, table_id)"
    "  WHERE strategy <> ''",

    "CREATE TABLE last_matches ("
    "  player_id bigint PRIMARY KEY REFERENCES players (id),"
    "  table_id bigint NOT NULL REFERENCES tables (id))",
    "CREATE INDEX last_matches_by_table ON last_matches (table_id)",

    "CREATE TABLE removed_tables (id bigint PRIMARY KEY)",
    "CREATE TABLE retention ("
    "  list text COLLATE \"C\" PRIMARY KEY,"
    "  at_ms bigint NOT NULL,"
    "  id bigint NOT NULL)",
    "INSERT INTO retention (list, at_ms, id) VALUES ('tables', 0, 0)",
};

// `life` is the process that owns the table, when there are several. What is packed is not
// compressed again.
constexpr std::array kLogs{
    "CREATE TABLE heads ("
    "  table_id bigint PRIMARY KEY,"
    "  epoch bigint NOT NULL CHECK (epoch >= 1),"
    "  version bigint NOT NULL CHECK (version >= 0),"
    "  life bigint NOT NULL) WITH (fillfactor = 50)",
    // Tables of dead lives are looked for. No version of a table changes this index.
    "CREATE INDEX heads_by_life ON heads (life) WHERE life <> 0",
    "CREATE TABLE events ("
    "  table_id bigint NOT NULL,"
    "  version bigint NOT NULL CHECK (version >= 1),"
    "  epoch bigint NOT NULL,"
    "  record bytea NOT NULL,"
    "  PRIMARY KEY (table_id, version))",
    "CREATE TABLE archives ("
    "  table_id bigint PRIMARY KEY,"
    "  format bigint NOT NULL CHECK (format >= 1),"
    "  events bigint NOT NULL CHECK (events >= 1),"
    "  bytes bigint NOT NULL CHECK (bytes >= 0),"
    "  hash bytea NOT NULL CHECK (octet_length(hash) = 16),"
    "  data bytea NOT NULL)",
    "ALTER TABLE archives ALTER COLUMN data SET STORAGE EXTERNAL",
    "CREATE TABLE snapshots ("
    "  table_id bigint NOT NULL,"
    "  version bigint NOT NULL CHECK (version >= 1),"
    "  position bytea NOT NULL,"
    "  marks bytea NOT NULL,"
    "  PRIMARY KEY (table_id, version))",
};

constexpr std::array kBoards{
    "CREATE TABLE ratings ("
    "  game text COLLATE \"C\" NOT NULL,"
    "  player_id bigint NOT NULL REFERENCES players (id),"
    "  mu double precision NOT NULL,"
    "  sigma double precision NOT NULL,"
    "  games bigint NOT NULL CHECK (games >= 1),"
    "  points bigint NOT NULL,"
    "  at_ms bigint NOT NULL,"
    "  opponents bigint NOT NULL,"
    "  CONSTRAINT ratings_pkey PRIMARY KEY (game, player_id))",
    "CREATE INDEX ratings_by_points ON ratings (game, points DESC, at_ms, player_id)",
    "CREATE INDEX ratings_by_player ON ratings (player_id)",
    "CREATE TABLE meetings ("
    "  game text COLLATE \"C\" NOT NULL,"
    "  player_id bigint NOT NULL,"
    "  opponent_id bigint NOT NULL,"
    "  day bigint NOT NULL,"
    "  games bigint NOT NULL CHECK (games >= 1),"
    "  PRIMARY KEY (game, player_id, opponent_id))",
    // The hash, because a key of an index is at most a third of a page.
    "CREATE TABLE boards ("
    "  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,"
    "  kind bigint NOT NULL CHECK (kind IN (2, 3, 4)),"
    "  game text COLLATE \"C\" NOT NULL,"
    "  config bytea NOT NULL,"
    "  config_hash bytea NOT NULL,"
    "  day bigint NOT NULL,"
    "  CHECK ((kind = 2) = (day = 0)),"
    "  UNIQUE (game, config_hash, day, kind))",
    "CREATE TABLE scores ("
    "  board_id bigint NOT NULL REFERENCES boards (id),"
    "  player_id bigint NOT NULL REFERENCES players (id),"
    "  points bigint NOT NULL,"
    "  at_ms bigint NOT NULL,"
    "  table_id bigint NOT NULL REFERENCES tables (id),"
    "  PRIMARY KEY (board_id, player_id))",
    "CREATE INDEX scores_by_points ON scores (board_id, points DESC, at_ms, player_id)",
    "CREATE INDEX scores_by_player ON scores (player_id, board_id)",
    "CREATE INDEX scores_by_table ON scores (table_id)",
};

// The servers on the database. `unbroken_since`: the lease was never over since then.
constexpr std::array kServers{
    "CREATE TABLE lives ("
    "  id bigint PRIMARY KEY CHECK (id > 0),"
    "  address text COLLATE \"C\" NOT NULL,"
    "  state text COLLATE \"C\" NOT NULL CHECK (state IN ('alive', 'dead')),"
    "  lease_until timestamptz NOT NULL,"
    "  unbroken_since timestamptz NOT NULL) WITH (fillfactor = 50)",
    // The duties of one server for all, by the numbers of Duty.
    "CREATE TABLE leases ("
    "  duty bigint PRIMARY KEY,"
    "  epoch bigint NOT NULL,"
    "  life bigint NOT NULL)",
    "INSERT INTO leases (duty, epoch, life) VALUES (1, 0, 0), (2, 0, 0)",
    // The keys that all servers have in common (first_connection.cc).
    "CREATE TABLE shared_keys ("
    "  name text COLLATE \"C\" PRIMARY KEY,"
    "  fingerprint bytea NOT NULL)",
    // The bots from outside (FORMAT.md, "On PostgreSQL"). Players and lives end without a look at
    // this table: rows of lives that are not alive do not count, and go with the next offer.
    "CREATE TABLE remote_bots ("
    "  game text COLLATE \"C\" NOT NULL,"
    "  strategy text COLLATE \"C\" NOT NULL,"
    "  offer_id bigint NOT NULL UNIQUE,"
    "  owner_id bigint NOT NULL,"
    "  description text COLLATE \"C\" NOT NULL,"
    "  life bigint NOT NULL,"
    "  since timestamptz NOT NULL DEFAULT now(),"
    "  PRIMARY KEY (game, strategy))",
    // Which tables were made or changed, for the lobbies of the other servers: `writer` is the
    // store that did.
    "CREATE TABLE changes ("
    "  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),"
    "  seq bigint GENERATED ALWAYS AS IDENTITY,"
    "  table_id bigint NOT NULL,"
    "  writer bigint NOT NULL,"
    "  at timestamptz NOT NULL DEFAULT clock_timestamp(),"
    "  PRIMARY KEY (xid, seq))",
    // Which transactions were over at which time: what was over in an old one may be deleted.
    "CREATE TABLE change_moments ("
    "  at timestamptz PRIMARY KEY,"
    "  snapshot pg_snapshot NOT NULL)",
    "CREATE FUNCTION note_table_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    "  INSERT INTO changes (table_id, writer) VALUES (NEW.id,"
    "   coalesce(nullif(current_setting('tesela.writer', true), ''), '0')::bigint);"
    "  RETURN NULL; END $$",
    "CREATE TRIGGER tables_noted AFTER INSERT OR UPDATE OF state, assisted, result, ended_ms"
    "  ON tables FOR EACH ROW EXECUTE FUNCTION note_table_change()",
};

/// The first version, part by part.
constexpr std::array<std::span<const char* const>, 5> kFirstVersion{
    kPlayersAndTables, kLogs, kBoards, kServers, kCountedBoards};

static_assert(kSteps.size() == kSchemaVersion - 1);

constexpr const char* kBeginStep = "BEGIN";
constexpr const char* kCommitStep = "COMMIT";
constexpr const char* kRollBackStep = "ROLLBACK";
// "TESELA" in ASCII.
constexpr const char* kTakeTurns = "SELECT pg_advisory_xact_lock(92656726527041)";
constexpr const char* kFound =
    "SELECT to_regclass('tesela_schema') IS NOT NULL,"
    " EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    "  AND relkind = 'r'), current_setting('server_encoding') = 'UTF8',"
    " to_regclass('schema_version') IS NOT NULL";
constexpr const char* kCreateVersion =
    "CREATE TABLE tesela_schema ("
    " only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),"
    " version bigint NOT NULL, min_reader bigint NOT NULL)";
constexpr const char* kSetFirstVersion =
    "INSERT INTO tesela_schema (version, min_reader) VALUES (1, 1)";
constexpr const char* kVersion = "SELECT version, min_reader FROM tesela_schema";
constexpr const char* kSetVersion = "UPDATE tesela_schema SET version = $1, min_reader = $2";

awaitable<void> run(Connection& connection, const char* sql, Time until) {
  Batch batch;
  batch.add(sql);
  static_cast<void>(co_await connection.run(std::move(batch), until));
}

std::unexpected<Error> before_the_release() {
  return refuse(ErrorCode::kUnavailable,
                "The database was written by a Tesela before the first release: stop its servers, "
                "and run \"tesela-server upgrade\" with the same --database once, which brings it "
                "to this version in place.");
}

/// Makes the first version in an empty database. Under the lock.
awaitable<Expected<void>> make_first_version(Connection& connection, Time until) {
  Batch question;
  question.add(kFound);
  const auto found = co_await connection.run(std::move(question), until);
  if (!found.front()[0].flag(2)) {
    co_return refuse(ErrorCode::kUnavailable,
                     "The database's encoding is not UTF-8: create it with ENCODING 'UTF8'.");
  }
  if (found.front()[0].flag(0)) co_return Expected<void>{};
  if (found.front()[0].flag(3)) co_return before_the_release();
  if (found.front()[0].flag(1)) {
    co_return refuse(ErrorCode::kCorrupt,
                     "The database of --database has tables of another program: give Tesela a "
                     "database of its own.");
  }
  Batch batch;
  batch.add(kCreateVersion);
  batch.add(kSetFirstVersion);
  for (const auto& part : kFirstVersion) {
    for (const char* sql : part) batch.add(sql);
  }
  static_cast<void>(co_await connection.run(std::move(batch), until));
  co_return Expected<void>{};
}

std::unexpected<Error> too_new(std::int64_t version) {
  return refuse(ErrorCode::kUnavailable,
                "The database was written by a newer Tesela (schema " + std::to_string(version) +
                    "; this one knows " + std::to_string(kSchemaVersion) +
                    "): start that version, or give this one another database with --database.");
}

std::unexpected<Error> unfinished_migration() {
  return refuse(
      ErrorCode::kUnavailable,
      "A migration into the database is not finished: run \"tesela-server migrate\" again "
      "with the same folder, and it goes on where it was.");
}

/// The version of the database, or that it is too new. Under the lock.
awaitable<Expected<std::int64_t>> usable_version(Connection& connection, Time until) {
  Batch question;
  question.add(kVersion);
  const auto found = co_await connection.run(std::move(question), until);
  const std::int64_t version = found.front()[0].number(0);
  if (found.front()[0].number(1) == kNoReader) co_return unfinished_migration();
  if (found.front()[0].number(1) > kSchemaVersion) co_return too_new(version);
  co_return version;
}

/// Takes the step, if there is one that the database has not taken yet. Under the lock.
awaitable<Expected<void>> take(Connection& connection, const Step* step, Time until) {
  const auto version = co_await usable_version(connection, until);
  if (!version) co_return std::unexpected(version.error());
  if (step == nullptr || *version >= step->version) co_return Expected<void>{};
  Batch batch;
  for (const char* sql : step->statements) batch.add(sql);
  batch.add(kSetVersion).number(step->version).number(step->min_reader);
  static_cast<void>(co_await connection.run(std::move(batch), until));
  co_return Expected<void>{};
}

/// Makes the first version, and takes a step if there is one.
awaitable<Expected<void>> change(Connection& connection, const Step* step, Time until) {
  co_await run(connection, kBeginStep, until);
  co_await run(connection, kTakeTurns, until);
  auto changed = co_await make_first_version(connection, until);
  if (changed) changed = co_await take(connection, step, until);
  co_await run(connection, changed ? kCommitStep : kRollBackStep, until);
  co_return changed;
}

}  // namespace

awaitable<Expected<void>> prepare_schema(Connection& connection, Time until,
                                         std::span<const Step> steps) {
  auto ready = co_await change(connection, nullptr, until);
  for (const Step& step : steps) {
    if (ready) ready = co_await change(connection, &step, until);
  }
  co_return ready;
}

awaitable<Expected<void>> prepare_schema(Connection& connection, Time until) {
  return prepare_schema(connection, until, kSteps);
}

awaitable<Expected<void>> expect_this_schema(Connection& connection, Time until) {
  Batch question;
  question.add(kFound);
  const auto found = co_await connection.run(std::move(question), until);
  if (found.front()[0].flag(3)) co_return before_the_release();
  if (!found.front()[0].flag(0)) {
    co_return refuse(ErrorCode::kNotFound, "The database of --database holds no data of a server.");
  }
  const auto version = co_await usable_version(connection, until);
  if (!version) co_return std::unexpected(version.error());
  if (*version == kSchemaVersion) co_return Expected<void>{};
  co_return refuse(ErrorCode::kUnavailable,
                   "The database has schema " + std::to_string(*version) + ", and this program " +
                       std::to_string(kSchemaVersion) + ": use the program of its servers.");
}

std::span<const char* const> count_boards() {
  return kCountAnew;
}

}  // namespace tesela::store::postgres
