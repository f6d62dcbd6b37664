/** The displays. A new kind is one file that exports its driver, and one line in `DISPLAYS`. */
import type { Display, DisplayError, DisplayOptions } from './contract.ts';
import {
  ConnectionError,
  type ConnectionFields,
  type DisplayDriver,
  type DisplayFailure,
  type DisplayTuning,
} from './driver.ts';
import { SCREEN } from './screen.ts';
import { BLE } from './wire/ble.ts';
import { SERIAL } from './wire/serial.ts';

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
  readonly fields: DisplayDriver['fields'];
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

/** The error code of a failure, by the kind of its display. */
export const displayFailure = ({ kind, code }: Pick<DisplayError, 'kind' | 'code'>): DisplayFailure =>
  DRIVERS.find(({ type }) => type === kind)?.failures?.[code] ?? 'Screen.NotAvailable';

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
