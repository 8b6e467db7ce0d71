#include "server/app/migrate.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "server/app/secrets_of.h"
#include "server/base/postgres_limits.h"
#include "server/base/printing/printable.h"
#include "server/store/migration/migration.h"
#include "server/store/postgres/database_url.h"

namespace tesela {
namespace {

using std::chrono::steady_clock;

int failed(const Error& error) {
  std::cerr << "tesela-server migrate: " << base::printable(error.message) << '\n';
  return 1;
}

/// The operator's file of a key, or the one that a server has made in the folder.
Expected<std::filesystem::path> key_file(accounts::SecretKind kind, const std::string& option,
                                         const std::optional<std::filesystem::path>& given,
                                         const std::filesystem::path& data) {
  if (given) return *given;
  std::error_code none;
  std::filesystem::path own = data / kind.file;
  if (std::filesystem::exists(own, none)) return own;
  return refuse(ErrorCode::kNotFound,
                "The data folder " + data.string() + " holds no " + std::string(kind.file) +
                    ": give the " + std::string(kind.what) + " of its server with " + option +
                    ". With another one tokens of the players are refused, and daily games are "
                    "others.");
}

/// The servers on the database, as far as a migration goes.
Expected<ops::Config> servers_of(const ops::DataCommand& command) {
  ops::Config config;
  config.data = command.data;
  config.database = command.database;
  auto token =
      key_file(accounts::kTokenKey, "--token-secret-file", command.token_secret_file, command.data);
  if (!token) return std::unexpected(std::move(token.error()));
  auto daily =
      key_file(accounts::kDailyKey, "--daily-secret-file", command.daily_secret_file, command.data);
  if (!daily) return std::unexpected(std::move(daily.error()));
  std::error_code none;
  std::filesystem::path former = command.data / accounts::kFormerKey.file;
  if (!command.token_secret_file && std::filesystem::exists(former, none)) {
    config.former_token_secret_file = std::move(former);
  }
  config.token_secret_file = std::move(*token);
  config.daily_secret_file = std::move(*daily);
  return config;
}

/// A line on standard error at intervals, and one for each new step.
class ProgressLines {
 public:
  void tell(const std::string& relation, std::int64_t rows, bool compared) {
    const auto now = steady_clock::now();
    const bool same = relation == relation_ && compared == compared_;
    if (same && now - told_ < limits::kMigrationProgressInterval) return;
    relation_ = relation;
    compared_ = compared;
    told_ = now;
    std::cerr << (compared ? "compares " : "copies ") << relation << ": " << rows << " rows\n";
  }

 private:
  std::string relation_;
  bool compared_{};
  steady_clock::time_point told_;
};

void tell(const store::Migrated& migrated, const ops::Config& servers) {
  if (migrated.relations.empty()) {
    std::cout << "this data folder was migrated into the database before: nothing was changed\n";
  } else {
    std::cout << "migrated, and every row was read back and is the same:\n";
  }
  for (const store::MigratedRelation& relation : migrated.relations) {
    std::cout << "  " << relation.name << ": " << relation.rows << " rows, sha256 "
              << relation.digest << '\n';
  }
  std::cout << "players who search must search again\n"
            << "start servers with --database, and with copies of the same keys:\n"
            << "  --token-secret-file " << servers.token_secret_file->string()
            << " --daily-secret-file " << servers.daily_secret_file->string() << '\n';
  if (servers.former_token_secret_file) {
    std::cout << "  --former-token-secret-file " << servers.former_token_secret_file->string()
              << ", for --token-ttl\n";
  }
  std::cout << "no server starts without --database on " << servers.data.string()
            << " any more: its games would go on there, too\n";
}

}  // namespace

int migrate(const ops::DataCommand& command) {
  const auto servers = servers_of(command);
  if (!servers) return failed(servers.error());
  auto keys = shared_keys(*servers);
  if (!keys) return failed(keys.error());
  auto url = store::postgres::database_url(command.database, "--to");
  if (!url) return failed(url.error());
  ProgressLines lines;
  const auto migrated = store::migrate(
      {.from = command.data,
       .to = std::move(*url),
       .keys = std::move(*keys),
       .on_progress = [&lines](const std::string& relation, std::int64_t rows, bool compared) {
         lines.tell(relation, rows, compared);
       }});
  if (!migrated) return failed(migrated.error());
  tell(*migrated, *servers);
  return 0;
}

}  // namespace tesela
