// What the commands of operators have in common: their options, and calls with the admin token.
#pragma once

#include <google/protobuf/message.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "clients/cli/admin/admin_text.h"
#include "clients/cli/admin/moderation_text.h"
#include "clients/cli/admin/table_text.h"
#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/client/connect_client.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"

namespace tesela::cli {

/// The options that are the same for all subcommands.
struct AdminOptions {
  ServerAddress server;
  std::string token_file;
  bool json = false;
};
using AdminOptionsPtr = std::shared_ptr<AdminOptions>;

/// Error: a sentence about the file.
[[nodiscard]] Expected<std::string> read_token(const std::string& name);

/// Calls a method, such as "AdminService/GetStatus".
template <class Response>
Task<Expected<Response>> call(AdminOptions options, std::string method, std::string request) {
  auto token = read_token(options.token_file);
  if (!token) co_return std::unexpected(std::move(token.error()));
  ConnectClient client(options.server, "tesela.admin.v1");
  client.authorise(std::move(*token));
  co_return co_await client.ask<Response>(std::move(method), std::move(request));
}

void print_json(const google::protobuf::Message& response);

template <class Response>
void show(const Response& response, bool json) {
  if (json) {
    print_json(response);
  } else {
    print(std::cout, admin_text(response));
  }
}

/// A subcommand that calls one method with `request`, which the options have filled.
template <class Response, class Request>
CLI::App& add_call(CLI::App& app, const AdminOptionsPtr& options, const char* name,
                   const char* about, const char* method, std::shared_ptr<Request> request) {
  auto& command = add_command(app, name, about);
  command.fallthrough();
  command.callback([options, method, request = std::move(request)] {
    show(value_or_fail(await(call<Response>(*options, method, request->SerializeAsString()))),
         options->json);
  });
  return command;
}

using TakeText = std::function<void(const std::string&)>;

void add_text(CLI::App& command, const char* name, const char* type, const char* about,
              const TakeText& take, bool required = false);

template <class Request>
void add_page_options(CLI::App& command, std::shared_ptr<Request> request) {
  constexpr std::uint32_t kCountMax = 100;  // the server's limit for a page
  command
      .add_option_function<std::uint32_t>(
          "--count", [request](std::uint32_t count) { request->set_page_size(count); },
          "How many, the newest first")
      ->type_name("N")
      ->check(CLI::Range(1U, kCountMax))
      ->default_str("20");
  add_text(command, "--page", "TOKEN", "Go on where a list before ended, which says how",
           [request](const std::string& token) { request->set_page_token(token); });
}

/// The commands about reports of players and acts on them.
void add_moderation(CLI::App& app, const AdminOptionsPtr& options);

}  // namespace tesela::cli
