// Whether the live tables of a server are still its own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <vector>

#include "server/store/ownership.h"
#include "server/tables/table.h"

namespace tesela::directory {

/// The tables whose head in the database differs from the table's: another owner has it, it was
/// deleted, or the database does not have its events, or others. On the loop of the tables. Tables
/// that could not be looked at are not among them: while the database is away the lease ends, and
/// after the next freeze they are looked at again.
boost::asio::awaitable<std::vector<std::shared_ptr<tables::Table>>> lost_tables(
    store::Ownership& ownership, std::vector<std::shared_ptr<tables::Table>> tables);

}  // namespace tesela::directory
