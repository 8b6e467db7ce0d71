#include "tests/server/store/postgres/database.h"

#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "server/base/store_limits.h"
#include "server/store/postgres/postgres_store.h"

namespace tesela::store {
namespace {

constexpr std::chrono::seconds kStartTimeMax{60};

/// The newest version that is installed.
std::filesystem::path programs() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path all{"/usr/lib/postgresql"};
  if (std::filesystem::is_directory(all)) {
    for (const auto& version : std::filesystem::directory_iterator(all)) {
      if (std::filesystem::exists(version.path() / "bin/postgres")) found.push_back(version.path());
    }
  }
  if (found.empty()) {
    throw std::runtime_error(
        "PostgreSQL is not installed: install the package postgresql, as tests/run.sh does.");
  }
  return *std::ranges::max_element(found) / "bin";
}

void run_to_end(const std::vector<std::string>& command) {
  int status = 0;
  if (::waitpid(spawn(command), &status, 0) < 0 || status != 0) {
    throw std::runtime_error(command.front() + " … initdb failed.");
  }
}

}  // namespace

std::filesystem::path folder_of_postgres() {
  std::string name = "/tmp/tesela-pg-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for PostgreSQL");
  if (::geteuid() == 0) {
    const passwd* user = ::getpwnam("postgres");
    if (user == nullptr || ::chown(name.c_str(), user->pw_uid, user->pw_gid) != 0) {
      throw std::runtime_error("There is no user postgres, which the package postgresql makes.");
    }
  }
  return name;
}

std::vector<std::string> as_postgres() {
  if (::geteuid() != 0) return {};
  return {"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=QUIT"};
}

pid_t spawn(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setpgid(0, 0);  // a Ctrl-C of the tests is not its
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

PostgresServer::PostgresServer() : folder_(folder_of_postgres()), programs_(programs()) {
  auto initdb = command("initdb");
  for (const char* argument : {"-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
                               "--no-sync", "--no-instructions"}) {
    initdb.emplace_back(argument);
  }
  run_to_end(initdb);
  start();
}

PostgresServer::~PostgresServer() {
  crash();
  std::filesystem::remove_all(folder_);
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

std::vector<std::string> PostgresServer::command(const std::string& program) const {
  auto command = as_postgres();
  command.push_back(programs_ / program);
  command.emplace_back("-D");
  command.push_back(folder_ / "data");
  return command;
}

void PostgresServer::start() {
  auto postgres = command("postgres");
  // What is tested is the death of processes, not of the machine.
  for (const char* setting : {"listen_addresses=", "fsync=off", "max_connections=200",
                              "log_min_messages=panic", "shared_buffers=64MB", "autovacuum=off"}) {
    postgres.emplace_back("-c");
    postgres.emplace_back(setting);
  }
  postgres.emplace_back("-k");
  postgres.push_back(folder_);
  process_ = spawn(postgres);
  const auto end = std::chrono::steady_clock::now() + kStartTimeMax;
  while (PQping(url("postgres").c_str()) != PQPING_OK) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("PostgreSQL hangs.");
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
}

void PostgresServer::crash() {
  if (process_ <= 0) return;
  ::kill(process_, SIGQUIT);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

std::string PostgresServer::url(const std::string& database) const {
  return "postgres://postgres@/" + database + "?host=" + folder_.string();
}

const std::string& PostgresServer::prepared() {
  if (prepared_.empty()) {
    prepared_ = "tesela_prepared";
    Session(url("postgres")).run("CREATE DATABASE " + prepared_);
    const auto made = PostgresStore::open({.url = url(prepared_), .wait = limits::kStoreWait});
    if (!made) throw std::runtime_error(made.error().message);
  }
  return prepared_;
}

struct Session::Handle {
  PGconn* connection;
  ~Handle() { PQfinish(connection); }
};

Session::Session(const std::string& url)
    : handle_(std::make_unique<Handle>(PQconnectdb(url.c_str()))) {
  if (PQstatus(handle_->connection) != CONNECTION_OK) {
    throw std::runtime_error(PQerrorMessage(handle_->connection));
  }
}

Session::~Session() = default;

std::vector<std::string> Session::run(const std::string& sql) {
  PGresult* const result = PQexec(handle_->connection, sql.c_str());
  const ExecStatusType status = PQresultStatus(result);
  std::vector<std::string> rows;
  for (int row = 0; row < PQntuples(result); ++row) rows.emplace_back(PQgetvalue(result, row, 0));
  PQclear(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    throw std::runtime_error(sql + ": " + PQerrorMessage(handle_->connection));
  }
  return rows;
}

Database::Database(PostgresServer& server, bool empty) : server_(server) {
  static int count = 0;
  name_ = "tesela_" + std::to_string(++count);
  const std::string from = empty ? "template1" : server_.prepared();
  // Copied as files, it takes half the time to make and to drop.
  Session(server_.url("postgres"))
      .run("CREATE DATABASE " + name_ + " TEMPLATE " + from + " STRATEGY file_copy");
}

Database::~Database() {
  Session(server_.url("postgres")).run("DROP DATABASE " + name_ + " WITH (FORCE)");
}

void wait_for_blocked(const Database& database) {
  // In a transaction, activity stays as it was first seen.
  Session watcher(database.url());
  while (watcher
             .run("SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                  " AND wait_event_type = 'Lock'")
             .empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
}

}  // namespace tesela::store
