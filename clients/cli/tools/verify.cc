#include <google/protobuf/any.pb.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/client/dice_notes.h"
#include "clients/cli/client/player_file.h"
#include "engine/core/result.h"
#include "server/execution/verify.h"

namespace tesela::cli {
namespace {

using lobby::v1::GameRecord;
using lobby::v1::GetRecordResponse;

Expected<std::string> read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return refuse(ErrorCode::kNotFound, "The file " + name + " cannot be read.");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Encodes the contents of the Any fields of `message` again as C++ does, because protobuf's JSON
/// parser does not pack repeated numbers. Unknown types stay as they are.
void encode_again(Message& message) {
  if (auto* any = dynamic_cast<google::protobuf::Any*>(&message)) {
    const std::string& url = any->type_url();
    const auto* type = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
        url.substr(url.rfind('/') + 1));
    if (type == nullptr) return;
    auto& factory = *google::protobuf::MessageFactory::generated_factory();
    const std::unique_ptr<Message> held(factory.GetPrototype(type)->New());
    if (held->ParseFromString(any->value())) any->set_value(held->SerializeAsString());
    return;
  }
  const auto& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const auto* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      encode_again(*reflection.MutableMessage(&message, field));
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      encode_again(*reflection.MutableRepeatedMessage(&message, field, i));
    }
  }
}

/// GetRecord's answer or its record alone, each as JSON or in its binary form.
Expected<GameRecord> parse(const std::string& bytes) {
  GameRecord record;
  const auto first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || bytes[first] != '{') {
    // Both begin with a message, but only in one of them that is a table with an id.
    GetRecordResponse answer;
    if (answer.ParseFromString(bytes) && !answer.record().table().table_id().empty()) {
      return std::move(*answer.mutable_record());
    }
    if (record.ParseFromString(bytes) && !record.table().table_id().empty()) return record;
    return refuse(ErrorCode::kInvalidArgument,
                  "This is no record: expected a tesela.lobby.v1.GameRecord, as JSON or binary.");
  }
  GetRecordResponse response;
  if (google::protobuf::util::JsonStringToMessage(bytes, &response).ok() && response.has_record()) {
    encode_again(*response.mutable_record());
    return std::move(*response.mutable_record());
  }
  const auto status = google::protobuf::util::JsonStringToMessage(bytes, &record);
  if (status.ok()) {
    encode_again(record);
    return record;
  }
  const std::string why(status.message());
  return refuse(ErrorCode::kInvalidArgument,
                "This is no record: expected a tesela.lobby.v1.GameRecord as JSON (" +
                    why.substr(0, why.find('\n')) + ").");
}

/// Whether the record agrees with what this program has saved about the dice; prints the result.
bool check_noted(const GameRecord& record) {
  const auto note = DiceNotes(state_directory()).find(record.table().table_id());
  if (!note) return true;
  if (note->commitment != record.table().commitment()) {
    print(std::cout, "UNTRUE the commitment that was shown here is another one: {}\n",
          hex(note->commitment));
    return false;
  }
  const bool there = std::ranges::any_of(record.contributions(), [&](const auto& added) {
    return added.bytes() == note->contribution;
  });
  print(std::cout, "{}the commitment was shown here before {} was added to the dice{}\n",
        there ? "true   " : "UNTRUE ", hex(note->contribution),
        there ? "" : ", which is not in the record");
  return there;
}

/// Whether the record in the file is true; prints the result.
bool verify_file(const std::string& name) {
  const auto bytes = read_file(name);
  const auto record = bytes ? parse(*bytes) : std::unexpected(bytes.error());
  if (!record) {
    print(std::cerr, "{}: {}\n", name, record.error().message);
    return false;
  }
  const auto verdict = execution::verify(*record);
  print(std::cout, "{}{} table {}, {} versions: {}\n", verdict.ok() ? "true   " : "UNTRUE ",
        record->table().game(), record->table().table_id(), verdict.versions(), verdict.message());
  if (!verdict.commitment().empty()) {
    print(std::cout, "       commitment  {}\n       server seed {}\n", hex(verdict.commitment()),
          hex(verdict.server_seed()));
  }
  if (verdict.ok()) {
    print(std::cout, "       not covered, the server's word alone:\n");
    for (const auto& field : verdict.not_covered()) print(std::cout, "         {}\n", field);
  }
  return check_noted(*record) && verdict.ok();
}

}  // namespace

void add_verify(CLI::App& app) {
  auto files = std::make_shared<std::vector<std::string>>();
  auto& verify = add_command(
      app, "verify",
      "Execute finished games again, and check every version, score and the commitment");
  verify
      .add_option(
          "RECORD", *files,
          "Files, each the answer of HistoryService.GetRecord or its record, as JSON or binary")
      ->required()
      ->expected(1, -1);
  verify.callback([files] {
    bool all_true = true;
    for (const auto& file : *files) all_true = verify_file(file) && all_true;
    if (!all_true) throw CLI::RuntimeError(1);
  });
}

}  // namespace tesela::cli
