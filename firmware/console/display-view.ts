/** Composes the customer's picture as pages and tools get it, and its schemas. */

import Type, { type Static } from 'typebox';
import { CLEAR, type Picture } from '../../drivers/display/contract.ts';
import { payloadProblem } from '../../drivers/display/payload.ts';
import { qrPath } from '../../drivers/display/qr-svg.ts';
import { DISPLAY_LANGUAGES, type DisplayLanguage } from '../../drivers/lib/languages.ts';
import type { Clock } from '../core/host/index.ts';
import { orNull } from '../core/schema/index.ts';
import type { PageSound } from '../features/feature.ts';
import { remainingMsOf, type Terminal } from '../payments/index.ts';
import { OK } from '../recognition/index.ts';

const fields = {
  code: Type.Literal(OK),
  kind: Type.Enum(['clear', 'qr', 'status']),
  payload: Type.Optional(Type.String({ description: 'of `qr`: what the code holds' })),
  amount: Type.Optional(Type.Integer({ description: 'of `qr`, where it is a payment: kopecks' })),
  purpose: Type.Optional(Type.String({ description: 'of `qr`, where the payment has one' })),
  leftMs: Type.Optional(
    Type.Integer({ description: 'of `qr`, where it is a payment: how long its code can still be paid' }),
  ),
  claim: Type.Optional(
    Type.Object(
      {
        code: Type.String({ description: "makes a technician's token" }),
        address: Type.String({ description: 'of the page where it is typed' }),
      },
      {
        description:
          'of a code for the technician: sent only to pages on the machine itself, which are its screen; for all others the display is then clear',
      },
    ),
  ),
  receipt: Type.Optional(
    Type.Object(
      { words: orNull(Type.String(), 'of the till') },
      { description: 'of `qr`, where it is the code of a receipt' },
    ),
  ),
  status: Type.Optional(Type.Enum(['success', 'failure', 'waiting'], { description: 'of `status`: the symbol' })),
  test: Type.Boolean({ description: 'whether no money moves: the sandbox bank, or a profile for tests' }),
  language: Type.Enum([...DISPLAY_LANGUAGES], {
    description: 'what the screen speaks, as `terminal.displayLanguage` has it',
  }),
  sound: orNull(
    Type.Object({
      number: Type.Integer({ description: 'another one where there is a new sound' }),
      path: Type.String({ description: 'at which it is fetched' }),
      isOnDisplay: Type.Boolean({ description: 'the customer’s page plays it' }),
    }),
    'what pages play; null: nothing',
  ),
  display: Type.Object(
    {
      state: Type.Enum(['connecting', 'ready', 'lost', 'closed']),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'what is wrong with the link' }),
    },
    { description: 'the link to the real display; `closed` until one is set up' },
  ),
};

export const DisplayStateSchema = Type.Object(fields);

export const DisplayEventSchema = Type.Object({
  ...fields,
  qr: Type.Optional(
    Type.Object(
      {
        size: Type.Integer({ description: 'modules on a side, the quiet zone included' }),
        path: Type.String({ description: 'SVG path of the dark modules, one unit each' }),
      },
      {
        description: 'of `qr`: how to draw it, so that no page can draw a code that is no longer the present one',
      },
    ),
  ),
});

type DisplayStateView = Static<typeof DisplayStateSchema>;
export type DisplayEvent = Static<typeof DisplayEventSchema>;

/** A configured idle picture may hold more than a code can; the display is then clear. */
const drawable = (picture: Picture): Picture =>
  picture.kind === 'qr' && payloadProblem(picture.payload) !== null ? CLEAR : picture;

/** Who views the picture: only a person in front of the device may see a code for the technician. */
export type Viewer = 'own-screen' | 'anybody';

const seenBy = (viewer: Viewer, picture: Picture): Picture =>
  viewer === 'anybody' && picture.kind === 'qr' && picture.claim !== undefined ? CLEAR : picture;

/** Composes the customer's picture for calls and streams. */
export class DisplayView {
  readonly #terminal: Pick<Terminal, 'screen' | 'isPlayMoney' | 'ledger'>;
  readonly #clock: Clock;
  readonly #language: DisplayLanguage;
  readonly #sound: () => PageSound | null;

  constructor(
    terminal: Pick<Terminal, 'screen' | 'isPlayMoney' | 'ledger'>,
    clock: Clock,
    displayLanguage: DisplayLanguage,
    sound: () => PageSound | null,
  ) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#language = displayLanguage;
    this.#sound = sound;
  }

  stateFor(viewer: Viewer): DisplayStateView {
    const { screen, ledger } = this.#terminal;
    const { displayState: link } = screen;
    const shown = screen.payment === null || !ledger.isOpen ? null : ledger.find(screen.payment);
    return {
      code: OK,
      ...drawable(seenBy(viewer, screen.picture)),
      ...(shown === null ? {} : { leftMs: Math.max(0, Math.round(remainingMsOf(shown, this.#clock))) }),
      test: this.#terminal.isPlayMoney(shown),
      language: this.#language,
      sound: this.#sound(),
      display: { state: link.name, reason: 'reason' in link ? (link.reason ?? null) : null },
    };
  }

  /** Makes a function that composes the event of the current picture. A code is drawn once, and not for each event. */
  eventsFor(viewer: Viewer): () => DisplayEvent {
    let drawn: { readonly payload: string; readonly qr: NonNullable<DisplayEvent['qr']> } | null = null;
    return () => {
      const state = this.stateFor(viewer);
      if (state.payload === undefined) return state;
      if (drawn?.payload !== state.payload) drawn = { payload: state.payload, qr: qrPath(state.payload) };
      return { ...state, qr: drawn.qr };
    };
  }
}
