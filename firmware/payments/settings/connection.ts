/** Reads the display's connection as a till sends it: forgives spelling, and finds the kind of display and its wire. */

import Type, { type Static } from 'typebox';
import {
  displayConnection as connectionOf,
  DISPLAY_NAMES,
  type DisplayConnection,
  displayDriver,
} from '../../../drivers/display/registry.ts';
import { maybe } from '../../core/schema/index.ts';
import { terminalFailure } from '../model/failures.ts';

export const MAX_FIELD_LENGTH = 256;

const field = (description: string) => maybe(Type.String({ maxLength: MAX_FIELD_LENGTH, description }));

export const ConnectionSchema = Type.Object(
  {
    connectionType: Type.String({ maxLength: 64, description: `${DISPLAY_NAMES}; the spelling is forgiven` }),
    portName: field('serial: the port, as /dev/ttyACM0, a path under /dev/serial/by-id, or COM3'),
    deviceAddress: field('BLE: hardware address XX:XX:XX:XX:XX:XX; a path means serial'),
    deviceName: field('BLE: name of the display, where no address is given'),
  },
  { title: 'DeviceConnection', description: 'the display', examples: [{ connectionType: 'Screen' }] },
);
export type ConnectionSettings = Static<typeof ConnectionSchema>;

/** Turns a driver's error about a field into one of the terminal. */
function withTerminalErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw terminalFailure(error, { fieldsOf: 'settings.deviceConnection.' });
  }
}

/** @throws {TerminalError} 400 naming the field */
export const displayConnection = (settings: ConnectionSettings): DisplayConnection =>
  withTerminalErrors(() => connectionOf(settings));

/** The settings in our spelling, without fields that are null, which means absent. */
export function normalisedConnection(settings: ConnectionSettings): ConnectionSettings {
  const present = Object.entries(settings).filter(
    ([name, value]) => value !== null || !Object.hasOwn(ConnectionSchema.properties, name),
  );
  return {
    ...(Object.fromEntries(present) as ConnectionSettings),
    connectionType: withTerminalErrors(() => displayDriver(settings)).name,
  };
}
