import type { AppWords } from './en.js';

export const es: AppWords = {
  appName: 'Tesela',
  skipToContent: 'Ir al contenido',
  loading: 'Cargando…',
  tryAgain: 'Reintentar',
  toTables: 'Todas las partidas',

  language: 'Idioma',
  theme: 'Tema',
  themes: { system: 'Sistema', light: 'Claro', dark: 'Oscuro' },
  playingAs: (name) => `Juegas como ${name}`,
  signOut: {
    title: '¿Salir?',
    warning: 'Un invitado que sale no puede volver a sus partidas. Todos podrán seguir viéndolas.',
    leave: 'Salir',
    stay: 'Quedarme',
  },

  signIn: {
    headline: 'Cada jugada cuenta. Cada jugada se guarda.',
    pitch:
      'Juega a 2048 en un servidor que no olvida: cierra la pestaña, pierde la conexión, vuelve. ' +
      'Tu partida te espera en tu última jugada.',
    nameLabel: 'Tu nombre',
    namePlaceholder: 'Hasta 24 caracteres',
    submit: 'Empezar a jugar',
    noAccount: 'Sin cuenta ni correo. Solo un nombre que verán los demás.',
    expired: 'Tu sesión ha terminado. Entra de nuevo para jugar.',
  },

  lobby: {
    title: 'Partidas',
    newGame: 'Nueva partida',
    create: (game) => `Jugar a ${game}`,
    options: 'Opciones',
    yours: 'Tus partidas',
    yoursNone: 'Todavía nada. Tus partidas te esperarán aquí.',
    others: 'En juego ahora',
    othersNone: 'Nadie más está jugando ahora mismo.',
    inPlay: 'En juego',
    over: 'Terminada',
    points: (points) => `${points} puntos`,
    goOn: 'Continuar',
    look: 'Ver',
    watch: 'Mirar',
    more: 'Ver más',
    unreachable: 'No se puede conectar con el servidor.',
    unreachableRetry: 'Se volverá a intentar sin que hagas nada.',
    refused: 'El servidor no lo acepta:',
  },

  table: {
    connecting: 'Conectando…',
    live: 'Conectado',
    offline: 'Sin conexión',
    retryIn: (seconds) => `reintento en ${seconds} s`,
    retryNow: 'Reintentar ya',
    saving: 'Esperando al servidor…',
    moveWaits: 'Tu jugada está guardada y se enviará.',
    moveReturned: (why) => `Tu jugada no se ha hecho. ${why}`,
    ended: 'La conexión ha terminado.',
    watching: (name) => `Estás mirando a ${name}`,
    watchingNobody: 'Estás mirando',
    share: 'Enlace para espectadores',
    shareHint: 'Quien lo abra verá cada jugada mientras juegas.',
    copy: 'Copiar',
    copied: 'Copiado',
    notFound: 'No existe esa partida',
    notFoundHint: 'Puede que el enlace esté incompleto o que la partida ya no exista.',
    newerGame: 'Esta página aún no conoce ese juego. Vuelve a cargarla.',
  },

  nowhere: {
    title: 'Aquí no hay nada',
    hint: 'Esta página no existe.',
  },
};
