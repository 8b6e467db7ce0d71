#include "server/app/data_check.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/base/printing/printable.h"
#include "server/check/check.h"
#include "server/check/data.h"
#include "server/store/postgres/database_url.h"

namespace tesela {
namespace {

int not_checked(const Error& error) {
  std::cerr << "tesela-server check: " << base::printable(error.message) << '\n';
  return 1;
}

Expected<std::unique_ptr<check::Data>> open(const ops::DataCommand& command) {
  if (command.database.empty()) return check::open_folder(command.data);
  auto url = store::postgres::database_url(command.database, "--database");
  if (!url) return std::unexpected(std::move(url.error()));
  return check::open_database(*url);
}

}  // namespace

int check_data(const ops::DataCommand& command) {
  spdlog::set_level(spdlog::level::off);  // the lines of a server, about the same
  boost::asio::io_context io{1};
  const auto data = open(command);
  if (!data) return not_checked(data.error());
  std::optional<Expected<check::Checked>> answer;
  boost::asio::co_spawn(io,
                        check::check(**data,
                                     [](const std::string& line) {
                                       std::cout << base::printable(line) << '\n' << std::flush;
                                     }),
                        [&](const std::exception_ptr& thrown, Expected<check::Checked> checked) {
                          if (thrown) std::rethrow_exception(thrown);
                          answer = std::move(checked);
                        });
  io.run();
  const Expected<check::Checked>& checked = answer.value();
  if (!checked) return not_checked(checked.error());
  std::cout << "read " << checked->tables << " tables with their logs and snapshots, and "
            << checked->rows << " other rows: ";
  if (checked->damaged == 0) {
    std::cout << "nothing is damaged\n";
    return 0;
  }
  std::cout << checked->damaged << (checked->damaged == 1 ? " is" : " are") << " damaged\n";
  return 1;
}

}  // namespace tesela
