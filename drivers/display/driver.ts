/** What a kind of display declares. One file exports it, one line in `registry.ts` takes it in, and nothing else knows it. */
import { FieldError } from '../lib/errors.ts';
import type { Display, DisplayOptions } from './contract.ts';
import type { WireTuning } from './wire/wire-display.ts';

/** Which display, and where it is, as a till writes it. */
export interface ConnectionFields {
  readonly connectionType: string;
  readonly portName?: string | null;
  readonly deviceAddress?: string | null;
  readonly deviceName?: string | null;
}

/** A field that leads to no display. */
export class ConnectionError extends FieldError<keyof ConnectionFields> {}

/** What a test or a slow wire may want otherwise. */
export interface DisplayTuning extends Partial<WireTuning> {
  /** Between a Bluetooth connection and its first byte. */
  readonly settleMs?: number;
}

export interface DisplayDriver<Connection extends { readonly type: string } = { readonly type: string }> {
  /** What a connection of this kind says of itself, and `kind` of its display. */
  readonly type: string;
  /** As a till is answered. */
  readonly name: string;
  /** Of a connection, those that say where the display is: one of them is enough. */
  readonly fields: readonly Exclude<keyof ConnectionFields, 'connectionType'>[];
  /** Other spellings, in lower case without spaces, hyphens and underscores. */
  readonly spellings: readonly string[];
  /** Whether the fields mean this kind despite `connectionType`. @param named the type that it names; null for none */
  takesOver?(fields: ConnectionFields, named: string | null): boolean;
  /** @throws {ConnectionError} */
  connection(fields: ConnectionFields): Connection;
  /** Connects by itself, and again whenever it was lost. */
  open(connection: Connection, options: DisplayOptions, tuning: DisplayTuning): Display;
}
