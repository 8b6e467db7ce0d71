// tesela-server: reads the command line, serves, and waits for a signal.
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

#include "server/accounts/secret_file.h"
#include "server/app/data_check.h"
#include "server/app/machine_limits.h"
#include "server/app/migrate.h"
#include "server/app/server.h"
#include "server/app/service_notify.h"
#include "server/base/printing/printable.h"
#include "server/base/printing/standard_output.h"
#include "server/base/printing/version.h"
#include "server/net/endpoint.h"
#include "server/ops/config.h"
#include "server/ops/data_command.h"
#include "server/ops/last_backup.h"
#include "server/ops/logging.h"
#include "server/rpc/grpc/library_logs.h"
#include "server/store/postgres/database_url.h"
#include "server/store/sqlite/backup/backup.h"
#include "server/store/sqlite/backup/compact.h"
#include "server/upgrade/upgrade.h"

namespace tesela {
namespace {

namespace asio = boost::asio;
using Kind = ops::DataCommand::Kind;

std::string counted(auto count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// "12 tables, 40960 bytes, and 2 keys (daily.key, token.key)"
std::string text_of(const store::Copied& copied) {
  std::string keys;
  for (const std::string& key : copied.keys) keys += (keys.empty() ? " (" : ", ") + key;
  return counted(copied.tables, "table") + ", " + counted(copied.bytes, "byte") + ", and " +
         counted(copied.keys.size(), "key") + keys + (keys.empty() ? "" : ")");
}

void tell(const ops::DataCommand& command, const store::Copied& copied) {
  const bool is_backup = command.kind == Kind::kBackup;
  std::cout << (is_backup ? "backed up " : "restored ") << text_of(copied)
            << (is_backup ? " to " : " into ")
            << (is_backup ? command.backup : command.data).string() << '\n';
  if (!copied.aside.empty()) {
    std::cout << "what was there before is in " << copied.aside.string() << '\n';
  }
}

/// Its exit status.
int compact(const ops::DataCommand& command) {
  const auto compacted = store::compact(command.data);
  if (!compacted) {
    std::cerr << "tesela-server compact: " << base::printable(compacted.error().message) << '\n';
    return 1;
  }
  std::cout << "the database has " << counted(compacted->after, "byte") << "; it had "
            << compacted->before << '\n';
  return 0;
}

/// Its exit status.
int upgrade(const ops::DataCommand& command) {
  const bool in_folder = command.database.empty();
  Expected<std::string> url;
  if (!in_folder) url = store::postgres::database_url(command.database, "--database");
  const auto upgraded = !url        ? std::unexpected(url.error())
                        : in_folder ? upgrade::upgrade_folder(command.data)
                                    : upgrade::upgrade_database(*url);
  if (!upgraded) {
    std::cerr << "tesela-server upgrade: " << base::printable(upgraded.error().message) << '\n';
    return 1;
  }
  if (!*upgraded) {
    std::cout << "the data are of this version already: nothing was changed\n";
  } else {
    for (const std::string& sentence : (*upgraded)->unreadable) {
      std::cerr << base::printable(sentence) << '\n';
    }
    std::cout << "upgraded; " << counted((*upgraded)->packed, "log")
              << " of finished games packed anew\n";
  }
  return 0;
}

/// Its exit status.
int rotate(const ops::DataCommand& command) {
  const auto done = command.key == "token"
                        ? accounts::retire_token_key(command.data, command.at_once)
                        : accounts::retire_admin_key(command.data);
  if (!done) {
    std::cerr << "tesela-server rotate: " << base::printable(done.error().message) << '\n';
    return 1;
  }
  std::cout << "restart the server: it makes a new " << command.key << " key\n";
  return 0;
}

/// Runs the command that ops::is_data_command has recognised. The exit status: 0 done, 1 failed, 2
/// not understood.
int maintain(int argc, const char* const* argv) {
  const auto command = ops::read_data_command(argc, argv);
  if (!command) {
    (command.error().code == 0 ? std::cout : std::cerr) << command.error().text;
    return command.error().code;
  }
  if (command->kind == Kind::kCompact) return compact(*command);
  if (command->kind == Kind::kRotate) return rotate(*command);
  if (command->kind == Kind::kUpgrade) return upgrade(*command);
  if (command->kind == Kind::kMigrate) return migrate(*command);
  if (command->kind == Kind::kCheck) return check_data(*command);
  const auto copied = command->kind == Kind::kBackup
                          ? store::back_up(command->data, command->backup)
                          : store::restore(command->backup, command->data, command->replace);
  if (!copied) {
    std::cerr << "tesela-server " << argv[1] << ": " << base::printable(copied.error().message)
              << '\n';
    return 1;
  }
  tell(*command, *copied);
  if (command->kind == Kind::kBackup && !ops::note_backup(command->data)) {
    std::cerr << "tesela-server backup: the server will not know of it: "
              << std::generic_category().message(errno) << '\n';
  }
  return 0;
}

asio::awaitable<void> reload_on(asio::signal_set& hangups, Server& server) {
  for (;;) {
    co_await hangups.async_wait(asio::use_awaitable);
    server.reload();
  }
}

/// Why a start has failed. Where a limit of the process was reached, libraries tell the call alone.
std::string sentence_of(const std::exception& failure) {
  int code = 0;
  if (const auto* error = dynamic_cast<const boost::system::system_error*>(&failure)) {
    code = error->code().value();
  } else if (const auto* other = dynamic_cast<const std::system_error*>(&failure)) {
    code = other->code().value();
  }
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  if (code == EMFILE || code == ENFILE) {
    return "the process may open " + std::to_string(files.rlim_cur) +
           " files, too few for its threads and ports: allow more (ulimit -n, LimitNOFILE of"
           " systemd, nofile of a container).";
  }
  if (code == EAGAIN) {
    return "no further thread can be started: allow more (ulimit -u, TasksMax of systemd,"
           " pids_limit of a container), or use fewer (--threads, --bot-threads).";
  }
  return failure.what();
}

int serve(ops::Config config) {
  // Before any thread starts, so that signals go to this thread alone.
  asio::io_context waiting;
  asio::signal_set signals(waiting, SIGINT, SIGTERM);
  asio::signal_set hangups(waiting, SIGHUP);
  fit_connections(config);
  // Beyond RLIMIT_FSIZE a write shall fail instead of ending the process.
  std::signal(SIGXFSZ, SIG_IGN);
  Server server(config);
  spdlog::info("tesela-server {} serves {}://{} and gRPC on {}, data in {}", base::kVersion,
               config.tls_certificate_file ? "https" : "http",
               net::host_and_port(config.http.address, server.http_port()),
               net::host_and_port(config.grpc.address, server.grpc_port()), config.data.string());
  if (config.ops_port) {
    spdlog::info("operators are served on http://{}",
                 net::host_and_port(config.ops_address, server.ops_port()));
  }
  notify_service_manager("READY=1");
  asio::co_spawn(waiting, reload_on(hangups, server), asio::detached);
  signals.async_wait([&waiting](boost::system::error_code, int signal) {
    spdlog::info("stopping on signal {}", signal);
    waiting.stop();
  });
  waiting.run();
  notify_service_manager("STOPPING=1");
  server.stop();
  spdlog::info("stopped; everything is flushed");
  return 0;
}

int run(int argc, const char* const* argv) {
  rpc::adopt_library_logs();
  umask(S_IRWXG | S_IRWXO);   // files with seeds and keys are private
  prctl(PR_SET_DUMPABLE, 0);  // nor is a core dump written, which would hold them
  if (ops::is_data_command(argc, argv)) {
    ops::start_logging(ops::LogFormat::kText, spdlog::level::warn);  // not on standard output
    return maintain(argc, argv);
  }
  auto config = ops::read_config(argc, argv);
  if (!config) {
    (config.error().code == 0 ? std::cout : std::cerr) << config.error().text;
    return config.error().code;
  }
  ops::start_logging(config->log_format, config->log_level);
  for (const std::string& sentence : config->warnings) spdlog::warn("{}", sentence);
  try {
    return serve(std::move(*config));
  } catch (const std::exception& failure) {
    spdlog::critical("cannot serve: {}", sentence_of(failure));
    return 1;
  }
}

}  // namespace
}  // namespace tesela

int main(int argc, char** argv) {
  return tesela::base::status_with_output(tesela::run(argc, argv), "tesela-server");
}
