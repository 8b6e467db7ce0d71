// The services around the tables, spoken like the lobby.
import { createClient } from '@connectrpc/connect';
import { HistoryService } from '@tesela/client/gen/lobby/v1/history_pb.js';
import { LeaderboardService } from '@tesela/client/gen/lobby/v1/leaderboard_pb.js';
import { MatchmakingService } from '@tesela/client/gen/lobby/v1/matchmaking_pb.js';
import { transport } from './lobby.js';

export const history = createClient(HistoryService, transport);
export const leaderboard = createClient(LeaderboardService, transport);
export const matchmaking = createClient(MatchmakingService, transport);
