/**
 * The kinds of display: two on a wire, and the page, whose driver stands here. A new kind is one file that exports its
 * driver, and one line in `DISPLAYS`.
 */
import { messageOf } from '../lib/errors.ts';
import { type Display, DisplayError, type DisplayOptions, type DisplayState, type Picture } from './contract.ts';
import { ConnectionError, type ConnectionFields, type DisplayDriver, type DisplayTuning } from './driver.ts';
import { payloadBytes } from './payload.ts';
import { BLE } from './wire/ble.ts';
import { SERIAL } from './wire/serial.ts';

/**
 * The display that is a page: an HDMI panel with a kiosk browser. It has no wire: the owner of the picture gives it to
 * all pages that are open. This driver only refuses impossible pictures and closes, as the other drivers do.
 */
class ScreenDisplay implements Display {
  readonly kind = 'screen';
  readonly #options: DisplayOptions;
  #state: DisplayState = Object.freeze({ name: 'ready' });

  constructor(options: DisplayOptions) {
    this.#options = options;
    // the constructor must have returned before `onState` is called
    queueMicrotask(() => this.#tellState());
  }

  /** Always `ready`: a page that is not open just now fetches the picture when it opens. */
  get state(): DisplayState {
    return this.#state;
  }

  async show(picture: Picture): Promise<void> {
    if (this.#state.name === 'closed') throw new DisplayError('screen', 'closed', 'the display was closed');
    if (picture.kind === 'qr') payloadBytes('screen', picture.payload);
  }

  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    this.#state = Object.freeze({ name: 'closed' });
    this.#tellState();
  }

  #tellState(): void {
    try {
      this.#options.onState?.(this.#state);
    } catch (error) {
      this.#options.log?.('a listener to the state of the display failed', { reason: messageOf(error) });
    }
  }
}

const SCREEN: DisplayDriver<{ readonly type: 'screen' }> = {
  type: 'screen',
  name: 'Screen',
  fields: [],
  spellings: ['hdmi'],
  connection: () => ({ type: 'screen' }),
  open: (_, options) => new ScreenDisplay(options),
};

const DISPLAYS = [SERIAL, BLE, SCREEN] as const satisfies readonly DisplayDriver[];

/** The drivers, typed for callers to which their kind does not matter. */
const DRIVERS: readonly DisplayDriver[] = DISPLAYS;

export type DisplayConnection = ReturnType<(typeof DISPLAYS)[number]['connection']>;

const NAMES = DRIVERS.map(({ name }) => name);
/** `A, B or C`, for sentences. */
export const DISPLAY_NAMES = `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`;

/** The fields of a connection that say where each kind of display is. */
export const DISPLAY_FIELDS: readonly {
  readonly name: string;
  readonly fields: readonly (keyof ConnectionFields)[];
}[] = DRIVERS.map(({ name, fields }) => ({ name, fields }));

const fold = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');

/** The kind of display that a till names, in any of its spellings. @throws {ConnectionError} */
export function displayDriver(fields: ConnectionFields): DisplayDriver {
  const sent = fold(fields.connectionType);
  const named = DRIVERS.find(({ name, spellings }) => fold(name) === sent || spellings.includes(sent)) ?? null;
  const meant = DRIVERS.find((driver) => driver.takesOver?.(fields, named?.type ?? null)) ?? named;
  if (meant !== null) return meant;
  throw new ConnectionError('connectionType', `is "${fields.connectionType}"; it must be ${DISPLAY_NAMES}`);
}

/** @throws {ConnectionError} */
export const displayConnection = (fields: ConnectionFields): DisplayConnection =>
  displayDriver(fields).connection(fields) as DisplayConnection;

/**
 * Opens a display. It connects by itself and again after each lost link. Where the hardware or its package is missing,
 * the display is `lost` and gives the reason.
 * @param tuning deadlines, backoff and pauses that differ from the wire's own
 */
export function openDisplay(
  connection: DisplayConnection,
  options: DisplayOptions,
  tuning: DisplayTuning = {},
): Display {
  const driver = DRIVERS.find(({ type }) => type === connection.type);
  if (driver === undefined) throw new RangeError(`no display ${connection.type}`);
  return driver.open(connection, options, tuning);
}
