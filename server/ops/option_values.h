// How the text of an option becomes a value of the configuration.
#pragma once

#include <charconv>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "server/ops/config.h"

namespace tesela::ops {

/// Stores an option's text in the configuration. Returns a sentence if the text is invalid.
using Take = std::function<std::string(const std::string& text, Config& config)>;

/// A sentence about arguments that no option takes. It names options, but shows no value: that of a
/// misspelt option may be a secret.
[[nodiscard]] std::string unexpected(const std::vector<std::string>& arguments);

/// The text in quotation marks.
[[nodiscard]] std::string quoted(const std::string& text);

/// A number in [min, max]; `what` is its name in the refusal.
template <class Number>
std::string take_number(const std::string& text, Number min, Number max, const char* what,
                        Number& into) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max) {
    return quoted(text) + " is not " + what + "; give a number from " + std::to_string(min) +
           " to " + std::to_string(max) + ".";
  }
  into = value;
  return {};
}

/// The same for a member.
template <class Number>
Take number(Number Config::* field, Number min, Number max, const char* what) {
  return [=](const std::string& text, Config& config) {
    return take_number<Number>(text, min, max, what, config.*field);
  };
}

/// Accepts any text.
template <class Text>
Take any(Text Config::* field) {
  return [field](const std::string& text, Config& config) -> std::string {
    config.*field = text;
    return {};
  };
}

/// A port, 0 included.
[[nodiscard]] Take port(net::Endpoint Config::* endpoint);
/// An IP address.
[[nodiscard]] Take address(net::Endpoint Config::* endpoint);
[[nodiscard]] Take duration(std::chrono::milliseconds Config::* field,
                            std::chrono::milliseconds min);
[[nodiscard]] Take networks(quota::Networks Config::* field);
/// A URL of http or https.
[[nodiscard]] Take web_address(std::string Config::* field);

/// Checks combinations of options: a sentence, empty if they are valid.
[[nodiscard]] std::string contradiction(const Config& config);

// As Take, each for one option.
std::string take_ops_address(const std::string& text, Config& config);
std::string take_memory_max(const std::string& text, Config& config);
std::string take_ops_port(const std::string& text, Config& config);
std::string take_node_port(const std::string& text, Config& config);
std::string take_node_name(const std::string& text, Config& config);
std::string take_hosts(const std::string& text, Config& config);
std::string take_origins(const std::string& text, Config& config);
std::string take_account_origin(const std::string& text, Config& config);
std::string take_oidc_issuer(const std::string& text, Config& config);
std::string take_oidc_label(const std::string& text, Config& config);
std::string take_push_hosts(const std::string& text, Config& config);
std::string take_webhook_url(const std::string& text, Config& config);
std::string take_otlp_url(const std::string& text, Config& config);
std::string take_rate_bots(const std::string& text, Config& config);
std::string take_log_level(const std::string& text, Config& config);
std::string take_log_format(const std::string& text, Config& config);

}  // namespace tesela::ops
