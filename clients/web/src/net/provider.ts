// Signing in at the operator's provider (OpenID Connect).
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { router } from '../base/route.svelte.js';
import { recallInTab, rememberInTab } from '../base/storage.js';
import { account, begin } from './account.js';
import { guestName, newDevice } from './lobby.js';
import { session } from './session.svelte.js';

/** What the operator calls the provider; '' without one. */
export const providerLabel = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=sign-in-with]')?.content ?? '';

const SECRET_BYTES = 32;
const KEPT = 'provider';

/** What this tab keeps while the player is at the provider. */
interface Begun {
  state: string;
  secret: string;
  add: boolean;
  /** The id of the player who left; '' for none. */
  playerId: string;
}

function takeBegun(state: string | null): Begun | undefined {
  const begun = JSON.parse(recallInTab(KEPT) ?? 'null') as Begun | null;
  if (begun?.state !== state || state === null) return undefined;
  rememberInTab(KEPT, 'null'); // an answer is used once
  return begun ?? undefined;
}

/** Leaves for the provider, to sign in or to `add` it to the account. */
export async function goToProvider(add: boolean): Promise<void> {
  const playerId = session.player?.playerId ?? '';
  const browserSecret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const { authorizationUrl, state } = await account.beginOidc({ add, browserSecret });
  const begun: Begun = { state, secret: base64Encode(browserSecret), add, playerId };
  rememberInTab(KEPT, JSON.stringify(begun));
  location.assign(authorizationUrl);
}

/** What became of an answer: `foreign` was not begun in this tab, or before another player signed
 *  in, and is let be. */
export type Arrival = 'signedIn' | 'added' | 'declined' | 'foreign';

/** Ends what `goToProvider` has begun. */
export async function comeFromProvider(query: URLSearchParams): Promise<Arrival> {
  const begun = takeBegun(query.get('state'));
  if (!begun) return 'foreign';
  router.rename('/account/oidc'); // a code does not stay in the history
  if (session.player && session.player.playerId !== begun.playerId) return 'foreign';
  const code = query.get('code');
  if (!code) return 'declined';
  const answer = {
    code,
    state: begun.state,
    iss: query.get('iss') ?? '',
    browserSecret: base64Decode(begun.secret),
  };
  if (begun.add) {
    await account.addOidc({ answer });
    return 'added';
  }
  const device = newDevice();
  const { signedIn } = await account.signInWithOidc({
    answer,
    displayName: guestName(),
    ...device,
  });
  begin(signedIn, device.deviceSecret);
  return 'signedIn';
}
