// A PostgreSQL of the tests' own, in a folder that goes with it, and databases there.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tesela::store {

/// A new folder of the user under which PostgreSQL runs, with a short path: so are those of
/// sockets.
std::filesystem::path folder_of_postgres();
/// The beginning of a command that runs as this user where the tests run as root, and ends with
/// them.
std::vector<std::string> as_postgres();
/// Starts a command.
pid_t spawn(const std::vector<std::string>& command);

/// A running PostgreSQL, on a socket in its folder. It ends with the process that started it.
class PostgresServer {
 public:
  /// Throws std::runtime_error with a sentence where PostgreSQL is not installed.
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// The one that tests share; started when it is first asked for.
  static PostgresServer& shared();

  /// Ends as after a crash: connections are cut, and nothing is written back.
  void crash();
  /// Starts again after a crash, and waits until it accepts connections.
  void start();

  /// The folder of the socket.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::string url(const std::string& database) const;
  /// The name of a database with the schema and nothing else, to be copied.
  const std::string& prepared();

 private:
  /// A command of PostgreSQL as another user than root, under which it does not run.
  [[nodiscard]] std::vector<std::string> command(const std::string& program) const;

  std::filesystem::path folder_;
  std::filesystem::path programs_;
  pid_t process_{-1};
  std::string prepared_;
};

/// A session of a test, beside the store's. Throws std::runtime_error.
class Session {
 public:
  explicit Session(const std::string& url);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs statements. The first column of the last one's rows.
  std::vector<std::string> run(const std::string& sql);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

/// A new database with the schema, or an empty one; dropped at the end.
class Database {
 public:
  explicit Database(PostgresServer& server, bool empty = false);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string url() const { return server_.url(name_); }

 private:
  PostgresServer& server_;
  std::string name_;
};

/// Waits until a session of the database waits for a lock.
void wait_for_blocked(const Database& database);

}  // namespace tesela::store
