// Notifications on this device while the page is closed: Web Push. The service worker shows them,
// with the words that are left for it here (public/sw.js).
import { createClient } from '@connectrpc/connect';
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { NotificationService } from '@tesela/client/gen/account/v1/notifications_pb.js';
import { recall, remember } from '../base/storage.js';
import { games } from '../games/index.js';
import { i18n } from '../i18n/i18n.svelte.js';
import { transport } from '../net/lobby.js';
import { session } from '../net/session.svelte.js';

export const notifications = createClient(NotificationService, transport);

/** Why this device gets no notifications, by what messages call it. */
export type Obstacle = 'noPush' | 'homeScreen' | 'denied' | 'dismissed' | 'noKey' | 'noService';

/** The caches that the page shares with the worker; pages over plain HTTP have none. */
const CACHE = 'notifications';
/** Who is notified in this browser: a subscription of somebody else's is left alone. */
const WHOSE = 'notifications';
/** As what the server knows this device. A device that was turned off elsewhere stays so. */
const KNOWN = 'notifications.known';

const knownAs = (endpoint: string): string =>
  [endpoint, i18n.language, session.token?.slice(-12)].join(' ');

/** What can be known without asking anybody. */
export function obstacle(): Obstacle | undefined {
  if ('PushManager' in globalThis && 'serviceWorker' in navigator) {
    return Notification.permission === 'denied' ? 'denied' : undefined;
  }
  const { userAgent, maxTouchPoints } = navigator;
  const mobile = /iPhone|iPad/.test(userAgent) || (/Mac/.test(userAgent) && maxTouchPoints > 1);
  return mobile && isSecureContext ? 'homeScreen' : 'noPush';
}

/** Undefined where there is none; one that is being installed is waited for. */
async function workerOf(): Promise<ServiceWorkerRegistration | undefined> {
  const { serviceWorker } = navigator;
  return (await serviceWorker?.getRegistration()) && serviceWorker.ready;
}

async function subscription(): Promise<PushSubscription | undefined> {
  const worker = await workerOf();
  return (await worker?.pushManager?.getSubscription()) ?? undefined;
}

/** Where this device is notified; '' when it is not. */
export const endpointHere = async (): Promise<string> => (await subscription())?.endpoint ?? '';

/** Asks for permission, and subscribes. Only at a click. */
export async function turnOn(): Promise<Obstacle | undefined> {
  const known = obstacle();
  if (known) return known;
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'dismissed';
  return subscribe();
}

async function subscribe(): Promise<Obstacle | undefined> {
  const { publicKey } = await notifications.getPushKey({});
  if (publicKey.length === 0) return 'noKey';
  const worker = await workerOf();
  if (!worker) return 'noPush';
  const options = { userVisibleOnly: true, applicationServerKey: new Uint8Array(publicKey) };
  let subscribed: PushSubscription;
  try {
    const older = await worker.pushManager.getSubscription();
    const key = older?.options.applicationServerKey;
    if (key && base64Encode(new Uint8Array(key)) !== base64Encode(publicKey)) {
      await older.unsubscribe(); // the operator has another key
    }
    subscribed = await worker.pushManager.subscribe(options);
  } catch {
    return 'noService';
  }
  const { endpoint = '', keys = {} } = subscribed.toJSON();
  const [p256dh, auth] = [keys.p256dh, keys.auth].map((key) => base64Decode(key ?? ''));
  await notifications.subscribe({ endpoint, p256dh: p256dh!, auth: auth! });
  remember(WHOSE, session.player?.playerId);
  remember(KNOWN, knownAs(endpoint));
  await instruct(publicKey);
  return undefined;
}

/** What the worker says, and by what it subscribes again when the browser has another endpoint. */
async function instruct(publicKey: Uint8Array): Promise<void> {
  const { notifications: words } = await i18n.later();
  const { titles, until } = words;
  const instructions = {
    language: i18n.language,
    titles: {
      'your-turn': titles.yourTurn,
      'time-short': titles.timeShort,
      challenge: titles.challenge,
      accepted: titles.accepted,
      rematch: titles.rematch,
    },
    end: until({ when: '{when}' }),
    games: Object.fromEntries(games.map(({ name, title }) => [name, title])),
    token: session.token,
    key: base64Encode(publicKey, 'url'),
  };
  const cache = await caches.open(CACHE);
  await cache.put('/notifications', new Response(JSON.stringify(instructions)));
}

/** At a visit: another token, language or endpoint. What fails is done at the next one. */
export async function renew(): Promise<void> {
  if (recall(WHOSE) !== session.player?.playerId || obstacle()) return;
  if (Notification.permission !== 'granted') return;
  if (recall(KNOWN) !== knownAs(await endpointHere())) await subscribe();
}

/** A guest was merged into the account: notifications of this browser are the account's. */
export async function follow(guest: string): Promise<void> {
  if (recall(WHOSE) === guest) await subscribe();
}

/** This browser is notified no more; the server is told by whoever calls this. */
export async function forget(): Promise<void> {
  remember(WHOSE, undefined);
  await globalThis.caches?.delete(CACHE); // first: it has the token
  await (await subscription())?.unsubscribe();
}

/** What was told of a table is known: it is looked at, or the turn is over. */
export async function seen(tableId: string): Promise<void> {
  const told = await (await workerOf())?.getNotifications({ tag: tableId });
  for (const one of told ?? []) one.close();
}
