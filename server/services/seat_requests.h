// What requests of the lobby ask of a table and its seats.
#pragma once

#include "engine/core/result.h"
#include "server/accounts/issuer.h"
#include "server/directory/lobby/new_table.h"
#include "server/tables/core/seat_command.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::services {

// Errors: kInvalidArgument, with the right form. Refusals that depend on the table are the table's.

[[nodiscard]] Expected<directory::NewTable> new_table_of(lobby::v1::CreateTableRequest request,
                                                         accounts::Identity owner);

[[nodiscard]] Expected<tables::TakeSeat> command_of(lobby::v1::JoinTableRequest request,
                                                    accounts::Identity asker);
[[nodiscard]] Expected<tables::SeatCommand> command_of(const lobby::v1::AddBotRequest& request,
                                                       const accounts::Identity& asker);
[[nodiscard]] Expected<tables::SeatCommand> command_of(const lobby::v1::StartTableRequest& request,
                                                       const accounts::Identity& asker);
[[nodiscard]] Expected<tables::SeatCommand> command_of(const lobby::v1::FreeSeatRequest& request,
                                                       const accounts::Identity& asker);

}  // namespace tesela::services
