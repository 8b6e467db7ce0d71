// Carries a data folder on SQLite over to a database on PostgreSQL.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/key_fingerprint.h"

namespace tesela::store {

struct MigrationOptions {
  std::filesystem::path from;  // the data folder
  std::string to;              // postgres://…
  /// What servers on the database must have (PostgresStore::Options::shared_keys).
  std::vector<KeyFingerprint> keys;
  /// Called with each transaction, and with each part that was compared.
  std::function<void(const std::string& relation, std::int64_t rows, bool compared)> on_progress{};
};

/// A relation that is the same on both sides.
struct MigratedRelation {
  std::string name;
  std::int64_t rows{};
  std::string digest;  // SHA-256 of the rows in their order, in hexadecimal
};

struct Migrated {
  std::vector<MigratedRelation> relations;  // empty: an earlier run has finished the migration
};

/// Copies the relations of FORMAT.md, "From SQLite to PostgreSQL", reads them back, compares every
/// row with the folder's, and only then lets servers use the database. Blocks; memory is bounded.
/// The folder is not changed, but for the mark with which no server starts there any more. May be
/// killed at any moment: called again, it goes on after the last transaction. Errors, each a
/// sentence for the operator: those of migration::Source::open and migration::Target::open;
/// kCorrupt (a row differs, or the folder's database is damaged); kUnavailable (either database
/// refuses, or the connection was lost).
[[nodiscard]] Expected<Migrated> migrate(const MigrationOptions& options);

}  // namespace tesela::store
