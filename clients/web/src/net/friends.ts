// Whom the player follows and blocks, and challenges.
import { createClient } from '@connectrpc/connect';
import { FriendService } from '@tesela/client/gen/account/v1/friends_pb.js';
import { transport } from './lobby.js';

export const friends = createClient(FriendService, transport);

/** A player, as requests name one. */
export const whom = (playerId: string) => ({
  who: { case: 'playerId' as const, value: playerId },
});

/** Behind the #, as the invitation to a table. */
export const challengeLink = (challengeId: string): string =>
  `${location.origin}/challenge#${challengeId}`;

/** The form of a challenge to a player; without one, for whoever has its link. */
export const challengePath = (playerId = ''): string =>
  `/friends/challenge${playerId && `/${playerId}`}`;
