// The search of the site: sections that have all words, those first that have them in the heading.
const base = new URL('.', import.meta.url);
const input = document.querySelector('search input');
const list = document.querySelector('search ol');
const shownMax = 12;
let sections;

const load = async () => (sections ??= await (await fetch(new URL('search.json', base))).json());

function scoreOf([, title, heading, text], words) {
  let score = 0;
  for (const word of words) {
    if (heading.toLowerCase().includes(word)) score += 10;
    else if (title.toLowerCase().includes(word)) score += 3;
    else if (text.toLowerCase().includes(word)) score += 1;
    else return 0;
  }
  return score / (1 + heading.length / 200);
}

function itemOf([place, title, heading, text], words) {
  const link = document.createElement('a');
  link.href = new URL(place, base);
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
  const [name, piece] = [document.createElement('b'), document.createElement('span')];
  name.textContent = title === heading ? title : `${title} › ${heading}`;
  piece.textContent = text.slice(at, at + 120);
  link.append(name, piece);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (await load())
    .map((section) => ({ section, score: words.length > 0 ? scoreOf(section, words) : 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, shownMax);
  list.replaceChildren(...found.map(({ section }) => itemOf(section, words)));
  list.hidden = words.length === 0;
  if (words.length > 0 && found.length === 0) list.textContent = 'Nothing found.';
}

input.hidden = false;
input.addEventListener('focus', load);
input.addEventListener('input', search);
list.addEventListener('click', () => (list.hidden = true));
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') list.hidden = true;
  if (event.key !== '/' || event.target === input) return;
  event.preventDefault();
  input.focus();
});
const details = document.querySelector('nav details');
details.open = matchMedia('(min-width: 60rem)').matches;
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });
