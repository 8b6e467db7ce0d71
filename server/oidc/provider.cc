#include "server/oidc/provider.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/base/loop.h"
#include "server/base/text_encoding.h"
#include "server/base/urls/url_query.h"
#include "server/oidc/id_token.h"
#include "server/oidc/oidc_limits.h"
#include "server/store/bot_account.h"

namespace tesela::oidc {

using accounts::Jwt;
using accounts::text_in;
using boost::asio::awaitable;
using fetch::Question;
using fetch::Url;
using nlohmann::json;
using std::chrono::steady_clock;
using std::chrono::system_clock;

/// What a provider publishes (OpenID Connect Discovery 1.0), at one time.
struct Provider::Documents {
  std::string authorization_endpoint;
  std::string token_endpoint;
  bool secret_in_form{};  // it takes the client's secret there alone
  bool names_itself{};    // in its answers (RFC 9207)
  Jwks keys;
  Time asked{};
};

namespace {

constexpr std::string_view kDiscovery = "/.well-known/openid-configuration";
/// Longer than a locator of a recovery code, shorter than the id of a passkey.
constexpr std::size_t kAccountBytes = 15;
constexpr unsigned kOk = 200;
constexpr unsigned kBadRequest = 400;

std::unexpected<Error> away(std::string sentence) {
  return refuse(ErrorCode::kUnavailable, std::move(sentence));
}

std::unexpected<Error> denied(std::string sentence) {
  return refuse(ErrorCode::kPermissionDenied, std::move(sentence));
}

/// What players are told; the operator reads the reason in the log.
std::unexpected<Error> cannot_be_asked(const Error& reason) {
  static auto lines = base::SeldomLog::of_strangers();
  lines.log(spdlog::level::warn, "the provider of --oidc-issuer cannot be asked: {}",
            reason.message);
  return away("The sign-in provider cannot be asked now; try again in a minute.");
}

Expected<void> check_secret(const Claimant& claimant) {
  if (claimant.browser_secret.size() == limits::kOidcSecretBytes) return {};
  return refuse(ErrorCode::kInvalidArgument, "The browser_secret must be 32 random bytes.");
}

std::string text_of(const base::Sha256& hash) {
  return base::encode_base64url({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

/// RFC 6749, section 2.3.1.
std::string basic(std::string_view client_id, std::string_view client_secret) {
  std::string shown = base::encode_base64(base::percent_encoded(client_id) + ':' +
                                          base::percent_encoded(client_secret));
  while (shown.size() % 4 != 0) shown += '=';
  return "Basic " + shown;
}

bool lists(const json& document, const char* name, std::string_view value) {
  const auto list = document.find(name);
  return list != document.end() && list->is_array() &&
         std::ranges::find(*list, json(value)) != list->end();
}

/// While the documents are asked for. Its end wakes those that wait.
class Asking {
 public:
  Asking(bool& asking, std::shared_ptr<boost::asio::steady_timer> waited_for)
      : asking_(asking), waited_for_(std::move(waited_for)) {
    asking_ = true;
  }
  ~Asking() {
    asking_ = false;
    waited_for_->cancel();
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  bool& asking_;
  const std::shared_ptr<boost::asio::steady_timer> waited_for_;
};

template <class T>
awaitable<Expected<T>> counted(base::Places& calls, awaitable<Expected<T>> work) {
  const auto place = calls.take();
  if (!place) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "Too many sign in elsewhere now; try again in a minute.");
  }
  co_return co_await std::move(work);
}

}  // namespace

Provider::Provider(Options options)
    : options_(std::move(options)),
      issuer_host_(Url::parse(options_.issuer)->host),
      challenges_(options_.key),
      pool_(1, limits::kGrpcNiceness, "oidc"),
      asked_for_(std::make_shared<boost::asio::steady_timer>(pool_.at(0), Time::max())) {
  pool_.run();
}

template <class T>
awaitable<Expected<T>> Provider::there(awaitable<Expected<T>> work) {
  auto counted_work = counted(calls_, std::move(work));
  co_return co_await pool_.any().call(std::move(counted_work));
}

awaitable<Expected<Provider::Begun>> Provider::begin(Claimant claimant) {
  return there(begin_here(std::move(claimant)));
}

awaitable<Expected<Provider::Proof>> Provider::finish(Claimant claimant, Answer answer) {
  return there(finish_here(std::move(claimant), std::move(answer)));
}

std::string Provider::bound(const Claimant& claimant) const {
  return claimant.browser_secret + options_.issuer + '\0' + options_.client_id;
}

std::string Provider::derived(std::string_view what, std::string_view state,
                              const Claimant& claimant) const {
  std::string bytes(what);
  bytes.append(1, '\0').append(state).append(claimant.browser_secret);
  return text_of(base::hmac_sha256(options_.key, bytes));
}

awaitable<Expected<Provider::Begun>> Provider::begin_here(Claimant claimant) {
  if (auto fit = check_secret(claimant); !fit) co_return std::unexpected(std::move(fit.error()));
  const auto known = co_await documents();
  if (!known) co_return std::unexpected(known.error());
  std::string state = base::encode_base64url(challenges_.make(
      claimant.purpose, claimant.player, system_clock::now(), bound(claimant), limits::kOidcTime));
  const std::string challenge = text_of(base::sha256(derived("verifier", state, claimant)));
  const std::string& page = (*known)->authorization_endpoint;
  std::string url = page + (page.find('?') == std::string::npos ? '?' : '&');
  url += "response_type=code&scope=openid&client_id=" + base::percent_encoded(options_.client_id);
  url += "&redirect_uri=" + base::percent_encoded(options_.redirect_uri) + "&state=" + state;
  url += "&nonce=" + derived("nonce", state, claimant);
  url += "&code_challenge_method=S256&code_challenge=" + challenge;
  co_return Begun{.url = std::move(url), .state = std::move(state)};
}

awaitable<Expected<Provider::Proof>> Provider::finish_here(Claimant claimant, Answer answer) {
  if (auto fit = check_secret(claimant); !fit) co_return std::unexpected(std::move(fit.error()));
  constexpr std::size_t kMost = limits::kOidcCodeBytesMax;
  if (answer.code.empty() || answer.code.size() > kMost || answer.issuer.size() > kMost ||
      answer.state.size() > kMost) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "These are no `code`, `state` and `iss`: the provider sends them.");
  }
  const auto challenge =
      challenges_.check(base::decode_base64(answer.state).value_or(""), claimant.purpose,
                        claimant.player, system_clock::now(), bound(claimant));
  if (!challenge) {
    co_return denied(
        "This sign-in was begun somewhere else, or more than 15 minutes ago: begin again.");
  }
  const auto known = co_await documents();
  if (!known) co_return std::unexpected(known.error());
  const bool silent = answer.issuer.empty() && !(*known)->names_itself;
  if (!silent && answer.issuer != options_.issuer) {
    co_return denied("This is the answer of another provider: begin again.");
  }
  std::string verifier = derived("verifier", answer.state, claimant);
  const auto token = co_await exchange(*known, std::move(answer.code), std::move(verifier));
  if (!token) co_return std::unexpected(token.error());
  const auto judged = co_await judge(*known, *token);
  if (!judged) co_return std::unexpected(judged.error());
  const auto subject = subject_of(*token,
                                  {.issuer = options_.issuer,
                                   .client_id = options_.client_id,
                                   .nonce = derived("nonce", answer.state, claimant)},
                                  system_clock::now());
  if (!subject) co_return std::unexpected(subject.error());
  std::string account = store::hashed_account("tesela.oidc.v1", options_.issuer, *subject).identity;
  account.resize(kAccountBytes);
  co_return Proof{.account = std::move(account), .challenge = *challenge};
}

awaitable<Expected<Jwt>> Provider::exchange(DocumentsPtr documents, std::string code,
                                            std::string verifier) {
  Question question{.url = *Url::parse(documents->token_endpoint)};
  question.headers = {{"accept", "application/json"},
                      {"content-type", "application/x-www-form-urlencoded"}};
  question.only_public = question.url.host != issuer_host_;
  question.body = "grant_type=authorization_code&code=" + base::percent_encoded(code) +
                  "&redirect_uri=" + base::percent_encoded(options_.redirect_uri) +
                  "&code_verifier=" + verifier;
  const bool in_header = !options_.client_secret.empty() && !documents->secret_in_form;
  if (in_header) {
    question.headers.emplace_back("authorization",
                                  basic(options_.client_id, options_.client_secret));
  } else {
    question.body += "&client_id=" + base::percent_encoded(options_.client_id);
    if (!options_.client_secret.empty()) {
      question.body += "&client_secret=" + base::percent_encoded(options_.client_secret);
    }
  }
  const auto answer = co_await fetcher_.ask(std::move(question));
  if (!answer) co_return cannot_be_asked(answer.error());
  const json body = json::parse(answer->body, nullptr, false);
  const std::string error = body.is_object() ? text_in(body, "error") : "";
  if (answer->status == kBadRequest && (error == "invalid_grant" || error == "invalid_request")) {
    co_return denied("The provider does not take this sign-in (any more): begin again.");
  }
  if (answer->status != kOk) {
    co_return cannot_be_asked({ErrorCode::kUnavailable,
                               "its token endpoint answered " + std::to_string(answer->status) +
                                   "; it must know this client, its secret and its redirect URI."});
  }
  auto token = body.is_object() ? Jwt::read(text_in(body, "id_token")) : std::nullopt;
  if (!token) co_return denied("The provider has sent no ID token: begin again.");
  co_return *std::move(token);
}

awaitable<Expected<void>> Provider::judge(DocumentsPtr documents, const Jwt& token) {
  const Time asked = steady_clock::now();
  if (documents->keys.have_signed(token)) co_return Expected<void>{};
  const auto newer = co_await this->documents(asked);
  if (!newer) co_return std::unexpected(newer.error());
  if ((*newer)->keys.have_signed(token)) co_return Expected<void>{};
  co_return denied("The ID token is not signed by the provider: begin again.");
}

awaitable<Expected<Provider::DocumentsPtr>> Provider::documents(Time since) {
  while (true) {
    const Time now = steady_clock::now();
    if (documents_ && documents_->asked > since &&
        now - documents_->asked < limits::kOidcDocumentsAge) {
      co_return documents_;
    }
    if (asking_) {
      static_cast<void>(co_await asked_for_->async_wait(base::use_tuple));
      continue;
    }
    const bool again = asked_ != Time::min() && now - asked_ < limits::kOidcAgainAfter;
    if (again && failure_) co_return std::unexpected(*failure_);
    const Asking asking(asking_, asked_for_);
    if (again) {
      boost::asio::steady_timer pause(pool_.at(0), asked_ + limits::kOidcAgainAfter);
      static_cast<void>(co_await pause.async_wait(base::use_tuple));
    }
    asked_ = steady_clock::now();
    auto found = co_await ask_for_documents();
    failure_.reset();
    if (!found) co_return std::unexpected(failure_.emplace(found.error()));
    documents_ = std::move(*found);
    co_return documents_;
  }
}

awaitable<Expected<std::string>> Provider::ask_at(std::string_view text) {
  const auto url = Url::parse(text);
  if (!url) co_return away("its documents name no usable address, where one must be.");
  Question question{.url = *url};
  question.headers = {{"accept", "application/json"}};
  question.only_public = url->host != issuer_host_;
  auto answer = co_await fetcher_.ask(std::move(question));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  if (answer->status == kOk) co_return std::move(answer->body);
  co_return away(url->host + " answered " + std::to_string(answer->status) + ".");
}

awaitable<Expected<Provider::DocumentsPtr>> Provider::ask_for_documents() {
  std::string base = options_.issuer;
  if (base.ends_with('/')) base.pop_back();
  const Time asked = steady_clock::now();
  base.append(kDiscovery);
  const auto text = co_await ask_at(base);
  if (!text) co_return cannot_be_asked(text.error());
  const json document = json::parse(*text, nullptr, false);
  if (!document.is_object() || text_in(document, "issuer") != options_.issuer) {
    co_return cannot_be_asked({ErrorCode::kUnavailable, "its document is of another issuer."});
  }
  auto found = std::make_shared<Documents>();
  found->authorization_endpoint = text_in(document, "authorization_endpoint");
  found->token_endpoint = text_in(document, "token_endpoint");
  if (!Url::parse(found->authorization_endpoint) || !Url::parse(found->token_endpoint)) {
    co_return cannot_be_asked({ErrorCode::kUnavailable, "its document names no usable addresses."});
  }
  constexpr const char* kMethods = "token_endpoint_auth_methods_supported";
  found->secret_in_form = lists(document, kMethods, "client_secret_post") &&
                          !lists(document, kMethods, "client_secret_basic");
  found->names_itself =
      document.value("authorization_response_iss_parameter_supported", json{}) == true;
  const std::string jwks_uri = text_in(document, "jwks_uri");
  const auto set = co_await ask_at(jwks_uri);
  if (!set) co_return cannot_be_asked(set.error());
  auto keys = Jwks::read(*set);
  if (!keys) co_return cannot_be_asked({ErrorCode::kUnavailable, "its keys cannot be read."});
  found->keys = *std::move(keys);
  found->asked = asked;
  co_return found;
}

}  // namespace tesela::oidc
