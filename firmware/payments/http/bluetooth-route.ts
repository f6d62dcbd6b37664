/** Lists the displays in reach, for setting one up. */

import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  BleSearchError,
  type BleSearchErrorCode,
  type HeardDisplay,
  searchDisplays,
} from '../../../drivers/display/wire/ble-search.ts';
import { type ErrorMember, TerminalError } from '../../banks/index.ts';
import { orNull } from '../../core/store/index.ts';

export const HeardAnswer = Type.Object({
  displays: Type.Array(
    Type.Object({
      address: Type.String({ description: '`deviceAddress` of a display' }),
      name: orNull(Type.String(), 'as it calls itself'),
      signal: orNull(Type.Integer(), 'dBm: the nearer to 0, the nearer it is; null for one that is connected'),
    }),
    { description: 'those with a name first, and of these the nearest; not each needs to be a display' },
  ),
});

const MEMBERS: Readonly<Record<BleSearchErrorCode, ErrorMember<'Bluetooth'>>> = {
  'no-service': 'NoService',
  'no-adapter': 'NoAdapter',
  'switched-off': 'SwitchedOff',
  permission: 'NotPermitted',
  failed: 'Failed',
};

function inTerminalWords(error: unknown): unknown {
  if (!(error instanceof BleSearchError)) return error;
  return TerminalError.of('Bluetooth', MEMBERS[error.code], error.message, { cause: error });
}

export function addBluetoothRoute(app: FastifyInstance): void {
  /** A call during a search gets the result of that search. */
  let searching: Promise<HeardDisplay[]> | null = null;
  app.post(
    '/console/api/settings/bluetooth-search',
    {
      config: { role: 'technician', audit: null }, // it keeps the radio busy
      schema: {
        response: { 200: HeardAnswer },
      },
    },
    async () => {
      searching ??= searchDisplays().finally(() => {
        searching = null;
      });
      try {
        return { displays: await searching };
      } catch (error) {
        throw inTerminalWords(error);
      }
    },
  );
}
