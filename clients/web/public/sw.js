// Shows notifications when the page is closed, and serves the page itself when the server cannot be
// reached. Calls are never answered from here: what is shown of a game that goes on comes from the
// server.

/** Replaced by what the build has made of index.html (vite.config.ts): a release of its own. */
const RELEASE = 'development';
const APP = `app-${RELEASE}`;
/** The others are written by the page: src/net/kept_games.ts and src/screens/notifications.ts. */
const CACHES = [APP, 'games', 'notifications'];
/** Without a hash in their names: from the network first. */
const SHELL = ['/', '/theme.js', '/icon.svg'];
/** Pages of their own. */
const OTHER_PAGES = /^\/(admin|explore|docs)\b/;
/** A page that does not answer has stopped. */
const PLACE_WITHIN_MS = 500;
const SUBSCRIBE = '/tesela.account.v1.NotificationService/Subscribe';

const isAsset = ({ origin, pathname }) =>
  origin === location.origin && pathname.startsWith('/assets/');

self.addEventListener('install', (event) => event.waitUntil(install()));

async function install() {
  const cache = await caches.open(APP);
  await cache.addAll(SHELL);
  const page = await (await cache.match('/')).text();
  await cache.addAll(page.match(/\/assets\/[\w.-]+/g) ?? []);
}

self.addEventListener('activate', (event) => event.waitUntil(activate()));

async function activate() {
  const old = (await caches.keys()).filter((name) => !CACHES.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

// What a page had loaded before there was a worker: the browser has it still.
self.addEventListener('message', (event) => {
  const assets = event.data.map((url) => new URL(url)).filter(isAsset);
  event.waitUntil(Promise.all(assets.map((url) => asset(url.href))));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const kept = request.mode === 'navigate' ? '/' : url.pathname;
  if (request.method !== 'GET' || OTHER_PAGES.test(url.pathname)) return;
  if (isAsset(url)) event.respondWith(asset(request));
  else if (SHELL.includes(kept) && url.origin === location.origin) {
    event.respondWith(fetch(request).catch(async () => (await inApp(kept)) ?? Response.error()));
  }
});

/** Modules are asked for with an Origin, and what is kept was not: a proxy may tell them apart. */
const inApp = (request) => caches.match(request, { cacheName: APP, ignoreVary: true });

/** Its name changes with its content. */
async function asset(request) {
  const kept = await inApp(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(APP)).put(request, response.clone()).catch(() => {});
  return response;
}

/** What the page has left here for notifications. */
async function settings() {
  const kept = await caches.match('/notifications', { cacheName: 'notifications' });
  return kept ? kept.json() : { titles: {}, games: {} };
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())));

async function show({ kind, table, challenge, game, from, until }) {
  const path = table ? `/t/${encodeURIComponent(table)}` : `/challenge#${challenge}`;
  const watched = (await windowsAt(path)).some(({ focused }) => focused);
  if (watched || until <= Date.now()) return;
  const { titles, games, language, end } = await settings();
  const accepted = table && kind === 'challenge';
  const time = { weekday: 'short', hour: 'numeric', minute: 'numeric' };
  const when = until && new Intl.DateTimeFormat(language, time).format(until);
  await self.registration.showNotification(titles[accepted ? 'accepted' : kind] ?? 'Tesela', {
    body: [games[game] ?? game, from, when && end?.replace('{when}', when)]
      .filter(Boolean)
      .join(' · '),
    icon: '/icon-192.png',
    lang: language,
    tag: table ?? challenge,
    renotify: true,
    data: path,
  });
  await navigator.setAppBadge?.((await self.registration.getNotifications()).length);
}

/** An invitation behind the # of a table's address changes nothing. */
async function windowsAt(path) {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const places = await Promise.all(all.map(placeOf));
  const goal = location.origin + path;
  return all.filter((_, at) => places[at] === goal || places[at].startsWith(`${goal}#`));
}

/** Where the page is now: its client knows where it was loaded. */
function placeOf(client) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(client.url), PLACE_WITHIN_MS);
    client.postMessage('place', [port2]);
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function open(path) {
  const [there] = await windowsAt(path);
  await (there ? there.focus() : self.clients.openWindow(path));
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)));

async function subscribeAgain({ newSubscription }) {
  const { token, key: applicationServerKey } = await settings();
  if (!token) return;
  const options = { userVisibleOnly: true, applicationServerKey };
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  await fetch(SUBSCRIBE, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, ...keys }),
  });
}
