/**
 * What a driver declares of its kind of display. One file exports it, one line in `registry.ts` adds it, and nothing
 * else knows it.
 */
import { FieldError } from '../lib/errors.ts';
import type { Display, DisplayErrorCode, DisplayOptions } from './contract.ts';
import type { DISPLAY_ERRORS } from './error-records.ts';
import type { WireTuning } from './wire/wire-display.ts';

/** Which display, and where it is, as a till writes it. */
export interface ConnectionFields {
  readonly connectionType: string;
  readonly portName?: string | null;
  readonly deviceAddress?: string | null;
  readonly deviceName?: string | null;
}

/** A field of the connection is missing or wrong. */
export class ConnectionError extends FieldError<keyof ConnectionFields> {}

/** Times that a test or a slow wire may change. */
export interface DisplayTuning extends Partial<WireTuning> {
  /** The wait between a Bluetooth connection and its first byte. */
  readonly settleMs?: number;
}

/** A code of `error-records.ts`, such as `SerialPort.NotOpenError`. */
export type DisplayFailure = keyof typeof DISPLAY_ERRORS;

export interface DisplayDriver<Connection extends { readonly type: string } = { readonly type: string }> {
  /** The `type` of a connection to this kind of display, and the `kind` of the display. */
  readonly type: string;
  /** The name of the kind in answers to a till. */
  readonly name: string;
  /** Fields of a connection that say where the display is: one of them is enough. */
  readonly fields: readonly Exclude<keyof ConnectionFields, 'connectionType'>[];
  /** Other spellings, in lower case without spaces, hyphens and underscores. */
  readonly spellings: readonly string[];
  /** Whether the fields mean this kind despite `connectionType`. @param named the type that it names; null for none */
  takesOver?(fields: ConnectionFields, named: string | null): boolean;
  /** The error code of each failure; left out where all are `Screen.NotAvailable`. */
  readonly failures?: Readonly<Record<DisplayErrorCode, DisplayFailure>>;
  /** @throws {ConnectionError} */
  connection(fields: ConnectionFields): Connection;
  /** Opens the display, which connects by itself and again after each lost link. */
  open(connection: Connection, options: DisplayOptions, tuning: DisplayTuning): Display;
}
