/** The call that searches for displays over Bluetooth. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  BleSearchError,
  type BleSearchErrorCode,
  type FoundDisplay,
  searchDisplays,
} from '../../../../drivers/display/wire/ble-search.ts';
import { orNull } from '../../../core/schema/index.ts';
import { type ErrorMember, TerminalError } from '../../model/terminal-error.ts';

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

/** Codes of a failed search, as errors of the terminal name them. */
const SEARCH_ERRORS: Readonly<Record<BleSearchErrorCode, ErrorMember<'Bluetooth'>>> = {
  'no-service': 'NoService',
  'no-adapter': 'NoAdapter',
  'switched-off': 'SwitchedOff',
  permission: 'NotPermitted',
  failed: 'Failed',
};

function searchFailure(error: unknown): unknown {
  if (!(error instanceof BleSearchError)) return error;
  return TerminalError.of('Bluetooth', SEARCH_ERRORS[error.code], error.message, { cause: error });
}

/** Lists the displays in reach, for setting one up. */
export function addBluetoothRoute(app: FastifyInstance): void {
  /** A call during a search gets the result of that search. */
  let searching: Promise<FoundDisplay[]> | null = null;
  app.post(
    '/console/api/settings/bluetooth-search',
    {
      config: { role: 'technician', audit: null }, // a search keeps the radio busy
      schema: { response: { 200: HeardAnswer } },
    },
    async () => {
      searching ??= searchDisplays().finally(() => {
        searching = null;
      });
      try {
        return { displays: await searching };
      } catch (error) {
        throw searchFailure(error);
      }
    },
  );
}
