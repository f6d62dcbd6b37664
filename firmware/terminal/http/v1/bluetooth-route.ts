/** Lists the displays in reach, for setting one up. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  BleSearchError,
  type BleSearchErrorCode,
  type HeardDisplay,
  searchDisplays,
} from '../../../../drivers/display/wire/ble-search.ts';
import type { TypeBoxProvider } from '../../../http/index.ts';
import { type ErrorMember, TerminalError } from '../../errors.ts';
import { orNull } from './fields.ts';
import { refusals } from './problem.ts';

export const HeardAnswer = Type.Object(
  {
    displays: Type.Array(
      Type.Object({
        address: Type.String({ description: '`deviceAddress` of a display' }),
        name: orNull(Type.String(), 'as it calls itself'),
        signal: orNull(Type.Integer(), 'dBm: the nearer to 0, the nearer it is; null for one that is connected'),
      }),
      { description: 'those with a name first, and of these the nearest; not each needs to be a display' },
    ),
  },
  {
    title: 'BluetoothDisplays',
    description: 'what was heard',
    examples: [{ displays: [{ address: 'D9:24:D0:38:94:22', name: 'V8BL120025', signal: -54 }] }],
  },
);

const MEMBERS: Readonly<Record<BleSearchErrorCode, ErrorMember<'Bluetooth'>>> = {
  'no-service': 'NoService',
  'no-adapter': 'NoAdapter',
  'switched-off': 'SwitchedOff',
  permission: 'NotPermitted',
  failed: 'Failed',
};

function inTerminalWords(error: unknown): unknown {
  if (!(error instanceof BleSearchError)) return error;
  return TerminalError.of(500, 'Bluetooth', MEMBERS[error.code], error.message, { cause: error });
}

export function addBluetoothRoute(plain: FastifyInstance): void {
  /** A call during a search gets the result of that search. */
  let searching: Promise<HeardDisplay[]> | null = null;
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/console/api/settings/bluetooth-search',
    {
      schema: {
        operationId: 'searchBluetooth',
        tags: ['device'],
        summary: 'Listen for displays over Bluetooth',
        description:
          'For 6 s; after that the state of the radio is restored. A device that is only remembered, and out of reach, is left out.',
        response: {
          200: HeardAnswer,
          ...refusals(
            ...(['Bluetooth.NoService', 'Bluetooth.NoAdapter', 'Bluetooth.SwitchedOff'] as const),
            ...(['Bluetooth.NotPermitted', 'Bluetooth.Failed'] as const),
          ),
        },
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
