// The words of the search for opponents.
import { i18n, type Dictionary } from './i18n.svelte.js';

const en = {
  title: 'Find opponents',
  lead: 'Say what you want to play, and the server seats you with others who want the same.',
  signIn: 'Sign in to find opponents.',
  game: 'Game',
  mode: 'How serious',
  modes: { casual: 'Casual', ranked: 'Ranked' },
  about: {
    casual: 'Whoever is there soon. Nothing is at stake.',
    ranked: 'Opponents of like strength. The result moves everybody’s rating; there are no hints.',
  },
  bots: 'When nobody comes',
  botsAfter: {
    0: 'People only',
    15: 'Bots after 15 s',
    60: 'Bots after 1 min',
    300: 'Bots after 5 min',
  } as Record<number, string>,
  level: 'Level of the bots',
  levelOf: (level: number, name: string) => `Level ${level}, such as ${name}`,
  search: 'Find a game',

  party: 'With friends',
  partyLead: 'Those who open your link sit at one table with you.',
  partySize: 'How many you are',
  makeParty: 'Make a party',
  partyTitle: 'Your party',
  partyLink: 'Link for your friends',
  partyLinkHint: 'Everybody opens it and says that they are ready. Then the search begins.',
  ready: 'I am ready',
  present: (present: number, size: number) => `${present} of ${size} are ready`,
  noParty: 'This link leads to no party',
  noPartyHint: 'It may be incomplete. Ask for it once more.',
  people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  another: 'Search for something else',

  searching: 'Looking for opponents',
  inTitle: 'Searching…',
  waited: 'Waiting for',
  first: 'You are next in line',
  position: (place: string) => `You are number ${place} in line`,
  estimate: (time: string) => `about ${time} more`,
  joining: 'Joining the queue…',
  broken: 'The line is broken. The search goes on by itself when it is back.',
  keep: 'Keep this page open; you may look at another tab meanwhile.',
  botsIn: (time: string) => `Bots take the free seats in ${time}`,
  cancel: 'Cancel',
  found: 'Found! Here is your table.',

  again: 'Search again',
  elsewhere: 'The search goes on in another window of yours.',
  left: 'Somebody of the party has left.',
};

const es: typeof en = {
  title: 'Buscar rivales',
  lead: 'Di a qué quieres jugar y el servidor te sienta con otros que quieren lo mismo.',
  signIn: 'Entra para buscar rivales.',
  game: 'Juego',
  mode: 'Con qué seriedad',
  modes: { casual: 'Amistosa', ranked: 'Que puntúe' },
  about: {
    casual: 'Con quien esté pronto. No hay nada en juego.',
    ranked: 'Rivales de fuerza parecida. El resultado mueve el nivel de todos; no hay pistas.',
  },
  bots: 'Si no viene nadie',
  botsAfter: {
    0: 'Solo personas',
    15: 'Bots tras 15 s',
    60: 'Bots tras 1 min',
    300: 'Bots tras 5 min',
  },
  level: 'Nivel de los bots',
  levelOf: (level, name) => `Nivel ${level}, como ${name}`,
  search: 'Buscar partida',

  party: 'Con amigos',
  partyLead: 'Quienes abran tu enlace se sientan contigo a la misma mesa.',
  partySize: 'Cuántos sois',
  makeParty: 'Formar un grupo',
  partyTitle: 'Tu grupo',
  partyLink: 'Enlace para tus amigos',
  partyLinkHint: 'Cada uno lo abre y dice que está listo. Entonces empieza la búsqueda.',
  ready: 'Ya estoy',
  present: (present, size) => `${present} de ${size} ya están`,
  noParty: 'Este enlace no lleva a ningún grupo',
  noPartyHint: 'Puede que esté incompleto. Pídelo otra vez.',
  people: (count) => (count === 1 ? '1 persona' : `${count} personas`),
  another: 'Buscar otra cosa',

  searching: 'Buscando rivales',
  inTitle: 'Buscando…',
  waited: 'Esperando desde hace',
  first: 'Eres el siguiente',
  position: (place) => `Eres el número ${place} de la cola`,
  estimate: (time) => `unos ${time} más`,
  joining: 'Entrando en la cola…',
  broken: 'Se ha cortado la conexión. La búsqueda sigue sola cuando vuelva.',
  keep: 'Deja esta página abierta; mientras, puedes mirar otra pestaña.',
  botsIn: (time) => `Los bots ocupan los asientos libres en ${time}`,
  cancel: 'Cancelar',
  found: '¡Encontrada! Aquí está tu mesa.',

  again: 'Buscar otra vez',
  elsewhere: 'La búsqueda sigue en otra ventana tuya.',
  left: 'Alguien del grupo se ha ido.',
};

const dictionary: Dictionary<typeof en> = { en, es };

export const words = () => i18n.words(dictionary);
