// The server's reasons in words for a player.
import { Reason } from '@tesela/client/gen/play/v1/play_pb.js';
import { i18n } from './i18n.svelte.js';
import { sentenceOfOperator } from './operator.js';

/** NOT_YOUR_TURN as its message is called: notYourTurn. */
const messageOf = (reason: Reason): string =>
  (Reason[reason] ?? '')
    .toLowerCase()
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** An operator's own reason, for closing a table or about the player, is told in the server's
 *  sentence; so is a reason that this page does not know. */
export const sentenceOf = ({ reason, message }: { reason: Reason; message: string }): string => {
  if (reason === Reason.TABLE_CLOSED && message !== CLOSED) return message;
  if (sentenceOfOperator(message)) return message;
  const sentences: Readonly<Record<string, string>> = i18n.messages.reasons;
  return sentences[messageOf(reason)] ?? message;
};

/** The server's sentence where the operator gave no reason. */
const CLOSED = 'The table was closed.';
