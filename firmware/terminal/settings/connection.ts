/** The terminal's connection as a till sends it: spelling forgiven, kind found, wire settled. */
import Type, { type Static } from 'typebox';
import type { DisplayConnection } from '../../../drivers/display/registry.ts';
import { maybe } from '../../store/schema.ts';
import { TerminalError } from '../errors.ts';

const MAX_FIELD_LENGTH = 256;

const field = (description: string) => maybe(Type.String({ maxLength: MAX_FIELD_LENGTH, description }));

export const ConnectionSchema = Type.Object({
  connectionType: Type.String({ maxLength: 64, description: 'Serial, BLE or Screen; the spelling is forgiven' }),
  portName: field('serial: the port, as /dev/ttyACM0, a path under /dev/serial/by-id, or COM3'),
  deviceAddress: field('BLE: hardware address XX:XX:XX:XX:XX:XX; a path means serial'),
  deviceName: field('BLE: name of the display, where no address is given'),
});
export type ConnectionSettings = Static<typeof ConnectionSchema>;

const SPELLINGS: ReadonlyMap<string, DisplayConnection['type']> = new Map([
  ['serial', 'serial'],
  ['serialport', 'serial'],
  ['com', 'serial'],
  ['comport', 'serial'],
  ['uart', 'serial'],
  ['usb', 'serial'],
  ['rs232', 'serial'],
  ['ble', 'ble'],
  ['bluetooth', 'ble'],
  ['bluetoothle', 'ble'],
  ['screen', 'screen'],
  ['hdmi', 'screen'],
]);

const CANONICAL = { serial: 'Serial', ble: 'BLE', screen: 'Screen' } as const;

const HARDWARE_ADDRESS = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;
const PORT = /^(\/|\\\\\.\\COM\d+$|COM\d+$)/i;

const refuse = (name: string, must: string): never => {
  throw TerminalError.invalid(`settings.deviceConnection.${name}`, must);
};

function typeOf(settings: ConnectionSettings): DisplayConnection['type'] {
  const named = SPELLINGS.get(settings.connectionType.toLowerCase().replaceAll(/[\s_-]/g, ''));
  if (PORT.test(settings.deviceAddress ?? '') && named !== 'screen') return 'serial';
  return named ?? refuse('connectionType', `is "${settings.connectionType}"; it must be Serial, BLE or Screen`);
}

function serialPath({ portName, deviceAddress }: ConnectionSettings): string {
  const path =
    portName || deviceAddress || refuse('portName', 'is required for a serial display, as /dev/ttyACM0 or COM3');
  if (PORT.test(path)) return path;
  return /^[\w.-]+$/.test(path)
    ? `/dev/${path}`
    : refuse('portName', `is "${path}", which is no port: write it as /dev/ttyACM0 or COM3`);
}

function bleIdentity({ deviceAddress, deviceName }: ConnectionSettings) {
  const address = deviceAddress || null;
  const name = deviceName || null;
  if (address === null && name === null) refuse('deviceAddress', 'or deviceName is required for a Bluetooth display');
  if (address !== null && !HARDWARE_ADDRESS.test(address))
    refuse('deviceAddress', `is "${address}"; write it as XX:XX:XX:XX:XX:XX`);
  return { address: address?.toUpperCase() ?? null, name };
}

/** @throws {TerminalError} 400 naming the field */
export function displayConnection(settings: ConnectionSettings): DisplayConnection {
  const type = typeOf(settings);
  if (type === 'serial') return { type, path: serialPath(settings) };
  if (type === 'ble') return { type, ...bleIdentity(settings) };
  return { type };
}

/** The same settings in our spelling, without the fields that are null, which is the same as absent. */
export function tidiedConnection(settings: ConnectionSettings): ConnectionSettings {
  const present = Object.entries(settings).filter(
    ([name, value]) => value !== null || !Object.hasOwn(ConnectionSchema.properties, name),
  );
  return { ...(Object.fromEntries(present) as ConnectionSettings), connectionType: CANONICAL[typeOf(settings)] };
}
