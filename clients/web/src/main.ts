import './styles/base.css';
import './styles/tiles.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { i18n } from './i18n/i18n.svelte.js';
import { router } from './base/route.svelte.js';
import { session } from './net/session.svelte.js';
import { fetchAhead } from './screens.js';

fetchAhead(router.route, session.player !== undefined);
i18n.begin().then(() => mount(App, { target: document.getElementById('app')! }));

const endsSoon = session.endsSoon;
if (endsSoon) {
  import('./net/lobby.js')
    .then(({ renewToken }) => renewToken(endsSoon))
    .then((player) => session.player === endsSoon && session.begin(player))
    .catch(() => {}); // The old token is still accepted; the next visit tries again.
}

// Only in what is served by the server itself: Vite's pages change under it.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const worker = navigator.serviceWorker;
  // It asks which table is looked at.
  worker.onmessage = ({ ports }) => ports[0]?.postMessage(location.href);
  // What was loaded before the worker came is for it to keep.
  const loaded = () => performance.getEntriesByType('resource').map(({ name }) => name);
  worker
    .register('/sw.js')
    .then(() => worker.ready)
    .then(({ active }) => active?.postMessage(loaded()))
    .catch(() => {}); // A page without it is as good.
}
