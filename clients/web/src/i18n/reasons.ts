import { Reason } from '../gen/tesela/play/v1/play_pb.js';
import { i18n, type Dictionary } from './i18n.svelte.js';

type Sentences = Partial<Record<Reason, string>>;

/** Reasons that are left out use the server's own sentence. */
const dictionary: Dictionary<Sentences> = {
  en: {
    [Reason.UNAUTHENTICATED]: 'Your session has ended.',
    [Reason.NOT_SEATED]: 'You are watching this game.',
    [Reason.NOT_YOUR_TURN]: 'It is not your turn.',
    [Reason.ILLEGAL_MOVE]: 'The rules do not allow it.',
    [Reason.GAME_OVER]: 'The game is over.',
    [Reason.STALE]: 'The board had changed in the meantime.',
    [Reason.RATE_LIMITED]: 'Too many messages at once.',
    [Reason.BUSY]: 'The table is busy.',
    [Reason.STORE_UNAVAILABLE]: 'The server cannot save moves right now.',
    [Reason.TOO_MANY_CONNECTIONS]: 'Too many people are connected.',
    [Reason.NOT_STARTED]: 'The game begins when every seat is taken.',
    [Reason.RANKED]: 'This game is ranked: there are no hints.',
    [Reason.NOT_SHOWN_YET]: 'A daily game is shown to others once its day is over.',
    [Reason.REPLACED]: 'You play on in another window.',
    [Reason.TIME_OVER]: 'Your time is over: the server moves for you.',
    [Reason.NO_TALK]: 'At this table people do not talk like that.',
    [Reason.INVITE_NEEDED]: 'This table is private: open it with the link you were given.',
    [Reason.NO_SPECTATORS]: 'Only its players may watch this table.',
    [Reason.NOT_PRACTICE]: 'Moves are taken back at practice tables only.',
    [Reason.TABLE_CLOSED]: 'The table was closed.',
    [Reason.MALFORMED]: 'The server cannot read that.',
    [Reason.INTERNAL]: 'Something went wrong on the server.',
  },
  es: {
    [Reason.UNAUTHENTICATED]: 'Tu sesión ha terminado.',
    [Reason.NOT_SEATED]: 'Estás mirando esta partida.',
    [Reason.NOT_YOUR_TURN]: 'No es tu turno.',
    [Reason.ILLEGAL_MOVE]: 'Las reglas no lo permiten.',
    [Reason.GAME_OVER]: 'La partida ha terminado.',
    [Reason.STALE]: 'El tablero había cambiado entretanto.',
    [Reason.RATE_LIMITED]: 'Demasiados mensajes a la vez.',
    [Reason.BUSY]: 'La mesa está ocupada.',
    [Reason.STORE_UNAVAILABLE]: 'El servidor no puede guardar jugadas ahora mismo.',
    [Reason.TOO_MANY_CONNECTIONS]: 'Hay demasiada gente conectada.',
    [Reason.NOT_STARTED]: 'La partida empieza cuando se ocupan todos los asientos.',
    [Reason.RANKED]: 'Esta partida puntúa: no hay pistas.',
    [Reason.NOT_SHOWN_YET]: 'La partida del día se muestra a los demás cuando acaba el día.',
    [Reason.REPLACED]: 'Sigues jugando en otra ventana.',
    [Reason.TIME_OVER]: 'Se te acabó el tiempo: el servidor juega por ti.',
    [Reason.NO_TALK]: 'En esta mesa no se habla así.',
    [Reason.INVITE_NEEDED]: 'Esta mesa es privada: ábrela con el enlace que te dieron.',
    [Reason.NO_SPECTATORS]: 'Solo quienes juegan pueden ver esta mesa.',
    [Reason.NOT_PRACTICE]: 'Solo en mesas de práctica se deshacen jugadas.',
    [Reason.TABLE_CLOSED]: 'La mesa se ha cerrado.',
    [Reason.MALFORMED]: 'El servidor no lo entiende.',
    [Reason.INTERNAL]: 'Algo ha fallado en el servidor.',
  },
};

/** What a reason of the server means to a player, in the language of now. */
export const sentenceOf = ({ reason, message }: { reason: Reason; message: string }): string => {
  // An operator's reason for closing a table stands in the server's sentence alone.
  if (reason === Reason.TABLE_CLOSED && message !== dictionary.en[reason]) return message;
  return i18n.words(dictionary)[reason] ?? message;
};
