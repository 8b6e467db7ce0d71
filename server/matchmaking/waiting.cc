#include "server/matchmaking/waiting.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/base/limits.h"
#include "server/matchmaking/matchmaker.h"

namespace tesela::matchmaking {

void Waiting::add(Ticket ticket, Searches searches) {
  calls_.emplace(ticket.id, Calls{.place = tickets_.size(), .searches = std::move(searches)});
  tickets_.push_back(std::move(ticket));
}

void Waiting::remove_gone(Searches& searches) {
  std::vector<TicketId> removed;
  for (const auto& [id, calls] : calls_) {
    const auto gone = [](const auto& search) { return search->gone(); };
    if (std::ranges::any_of(calls.searches, gone)) removed.push_back(id);
  }
  for (const TicketId id : removed) {
    for (auto& search : remove(id)) searches.push_back(std::move(search));
  }
}

Searches Waiting::remove(TicketId id) {
  Calls calls = std::move(calls_.extract(id).mapped());
  if (calls.place + 1 < tickets_.size()) {
    tickets_[calls.place] = std::move(tickets_.back());
    calls_.at(tickets_[calls.place].id).place = calls.place;
  }
  tickets_.pop_back();
  return std::move(calls.searches);
}

Searches Waiting::match(TicketId id, std::int64_t now_ms) {
  const Ticket& matched = ticket(id);
  if (estimates_.size() >= limits::kWaitEstimatesMax) estimates_.clear();
  estimates_[matched.queue].matched_after(waited_ms(matched, now_ms));
  return remove(id);
}

std::optional<std::int64_t> Waiting::next_bots_ms(std::int64_t now_ms) const {
  std::optional<std::int64_t> next;
  for (const Ticket& ticket : tickets_) {
    if (!ticket.bots) continue;
    const std::int64_t due = ticket.since_ms + ticket.bots->after_ms;
    if (due > now_ms && (!next || due < *next)) next = due;
  }
  return next;
}

std::optional<std::int64_t> Waiting::left_ms(const Ticket& ticket, std::int64_t now_ms) const {
  const auto known = estimates_.find(ticket.queue);
  const auto estimate = known == estimates_.end() ? WaitEstimate{} : known->second;
  return estimate.left_ms(ticket, now_ms);
}

void Waiting::tell(std::int64_t now_ms) {
  const auto positions = matchmaking::positions(tickets_);
  for (std::size_t i = 0; i < tickets_.size(); ++i) {
    const Ticket& ticket = tickets_[i];
    auto& [place, searches, told, told_ms] = calls_.at(ticket.id);
    const bool quiet = now_ms - told_ms >= limits::kSearchNewsInterval.count();
    if (told == positions[i] && !quiet) continue;
    told = positions[i];
    told_ms = now_ms;
    const SearchNews news{
        .position = told, .estimate_ms = left_ms(ticket, now_ms), .present = searches};
    for (const auto& search : searches) search->searching(news);
  }
}

namespace {

constexpr double kWeightOfNew = 1.0 / 8;

}  // namespace

void WaitEstimate::matched_after(std::int64_t wait_ms) {
  const auto wait = static_cast<double>(wait_ms);
  mean_ms_ = mean_ms_ ? std::lerp(*mean_ms_, wait, kWeightOfNew) : wait;
}

std::optional<std::int64_t> WaitEstimate::mean_ms() const {
  if (!mean_ms_) return std::nullopt;
  return std::llround(*mean_ms_);
}

std::optional<std::int64_t> WaitEstimate::left_ms(const Ticket& ticket, std::int64_t now_ms) const {
  std::optional<std::int64_t> total = mean_ms();
  if (ticket.bots) {
    total = total ? std::min(*total, ticket.bots->after_ms) : ticket.bots->after_ms;
  }
  if (!total) return std::nullopt;
  return std::max<std::int64_t>(*total - waited_ms(ticket, now_ms), 0);
}

}  // namespace tesela::matchmaking
