// The offline page speaks the visitor's language, and leaves as soon as the server is back.
const EVERY_MS = 2000;
const LANGUAGES = ['en', 'es', 'de'];

function chosen() {
  try {
    return localStorage.getItem('tesela.language');
  } catch {
    return null; // Storage may be off.
  }
}

const wanted = [chosen(), ...navigator.languages].map((tag) => tag?.slice(0, 2));
document.documentElement.lang = wanted.find((tag) => LANGUAGES.includes(tag)) ?? 'en';

// What the page keeps for itself would answer without a server.
const ask = () =>
  fetch('/app.webmanifest', { cache: 'no-store' }).then(
    ({ ok }) => ok && location.reload(),
    () => {}, // Asked again soon.
  );
setInterval(ask, EVERY_MS);
addEventListener('online', ask);
