// Shows a page of its own when the server cannot be reached. It keeps nothing else: whatever comes
// from the network is never older than the server, and the app is never served from here.
const CACHE = 'offline-2';
const KEPT = ['/offline.html', '/offline.css', '/offline.js', '/icon.svg'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
});

self.addEventListener('activate', (event) => {
  const forgetOld = caches
    .keys()
    .then((names) =>
      Promise.all(names.filter((name) => name !== CACHE).map((n) => caches.delete(n))),
    );
  event.waitUntil(forgetOld.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const kept = request.mode === 'navigate' ? KEPT[0] : new URL(request.url).pathname;
  if (request.method !== 'GET' || !KEPT.includes(kept)) return;
  event.respondWith(
    fetch(request).catch(async () => (await caches.match(kept)) ?? Response.error()),
  );
});
