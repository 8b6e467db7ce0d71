#include "server/maintain.h"

#include <iostream>
#include <string>

#include "server/ops/data_command.h"
#include "server/store/sqlite/backup/backup.h"
#include "server/store/sqlite/backup/restore.h"

namespace tesela {
namespace {

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

}  // namespace

int maintain(int argc, const char* const* argv) {
  const auto command = ops::read_data_command(argc, argv);
  if (!command) {
    (command.error().code == 0 ? std::cout : std::cerr) << command.error().text;
    return command.error().code;
  }
  const auto copied = command->kind == Kind::kBackup
                          ? store::back_up(command->data, command->backup)
                          : store::restore(command->backup, command->data, command->replace);
  if (!copied) {
    std::cerr << "tesela-server " << argv[1] << ": " << copied.error().message << '\n';
    return 1;
  }
  tell(*command, *copied);
  return 0;
}

}  // namespace tesela
