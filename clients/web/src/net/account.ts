// The player's account: ways to sign in again, and where one is signed in.
import { createClient } from '@connectrpc/connect';
import {
  AccountService,
  PasskeyPurpose,
  type SignedIn,
} from '@tesela/client/gen/account/v1/account_pb.js';
import { ProfileService } from '@tesela/client/gen/account/v1/profile_pb.js';
import { words } from '../i18n/words.js';
import { router } from '../base/route.svelte.js';
import { formerGuests } from './former_guests.svelte.js';
import { newDevice, playerOf, transport } from './lobby.js';
import { session } from './session.svelte.js';

export const account = createClient(AccountService, transport);
export const profiles = createClient(ProfileService, transport);

/** Whether this browser can make and use passkeys: pages over plain HTTP cannot. */
export const passkeysWork = (): boolean => typeof PublicKeyCredential === 'function';

/** Thrown when the player closed the browser's own question, or it found no passkey. */
export class NoPasskey extends Error {}

/** The browser's answer to a question about passkeys. */
async function asked(question: Promise<unknown>): Promise<PublicKeyCredential> {
  try {
    return (await question) as PublicKeyCredential;
  } catch (error) {
    // The browser does not tell a player who declines from a device without a passkey.
    if (error instanceof DOMException) throw new NoPasskey(error.message);
    throw error;
  }
}

const bytes = (buffer: ArrayBuffer | null): Uint8Array => new Uint8Array(buffer ?? []);
/** What the browser's own functions take: an array that nobody shares. */
const own = (array: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(array);

/** Makes a passkey for the player, called `name` in the list. Errors: NoPasskey. */
export async function addPasskey(name: string): Promise<void> {
  const options = await account.beginPasskey({ purpose: PasskeyPurpose.REGISTER });
  const made = await asked(
    navigator.credentials.create({
      publicKey: {
        challenge: own(options.challenge),
        rp: { id: options.rpId, name: words().appName },
        user: {
          id: own(options.userHandle),
          name: options.userName,
          displayName: options.userName,
        },
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: options.knownIds.map((id) => ({ type: 'public-key', id: own(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        attestation: 'none',
        timeout: options.timeoutMs,
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  await account.addPasskey({
    name,
    clientDataJson: bytes(response.clientDataJSON),
    authenticatorData: bytes(response.getAuthenticatorData()),
  });
}

/** This browser is signed in from here on. It forgets the guest who was here, but for the question
 *  what becomes of the games. */
export function begin(signedIn: SignedIn | undefined, deviceSecret: Uint8Array): void {
  const before = session.player;
  const player = playerOf(signedIn!, deviceSecret);
  formerGuests.keep(player.playerId, before?.playerId === player.playerId ? undefined : before);
  session.begin(player);
}

/** Where a player goes who has signed in: the account asks what comes along of a guest's games. */
export function goOn(): void {
  router.go(formerGuests.of(session.player?.playerId ?? '') ? '/account' : '/games');
}

/** Signs this browser in by one of the passkeys of this device. Errors: NoPasskey. */
export async function signInWithPasskey(): Promise<void> {
  const options = await account.beginPasskey({ purpose: PasskeyPurpose.SIGN_IN });
  const chosen = await asked(
    navigator.credentials.get({
      publicKey: {
        challenge: own(options.challenge),
        rpId: options.rpId,
        userVerification: 'preferred',
        timeout: options.timeoutMs,
      },
    }),
  );
  const response = chosen.response as AuthenticatorAssertionResponse;
  const device = newDevice();
  const { signedIn } = await account.signInWithPasskey({
    credentialId: bytes(chosen.rawId),
    clientDataJson: bytes(response.clientDataJSON),
    authenticatorData: bytes(response.authenticatorData),
    signature: bytes(response.signature),
    userHandle: bytes(response.userHandle),
    ...device,
  });
  begin(signedIn, device.deviceSecret);
}

/** Signs this browser in by a recovery code. */
export async function signInWithCode(code: string): Promise<void> {
  const device = newDevice();
  const { signedIn } = await account.signInWithCode({ code, ...device });
  begin(signedIn, device.deviceSecret);
}

/** Signs this browser out, also where the server cannot be reached. */
export async function signOut(): Promise<void> {
  const { player } = session;
  await account.endSession({ which: { case: 'current', value: true } }).catch(() => {});
  if (!player) return;
  formerGuests.dropOf(player.playerId);
  session.end(player.token, false);
}
