/** Calls by which a person or a program sets up the bank and the display. */

import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  BleSearchError,
  type BleSearchErrorCode,
  type HeardDisplay,
  searchDisplays,
} from '../../../drivers/display/wire/ble-search.ts';
import { foundPorts } from '../../../drivers/display/wire/serial-path.ts';
import { type ErrorMember, TerminalError } from '../../banks/index.ts';
import { noteForAudit, sendOnce } from '../../core/http/index.ts';
import { orNull } from '../../core/store/index.ts';
import { SETTINGS_EXAMPLE, SettingsSchema } from '../settings/settings-document.ts';
import type { Terminal } from '../terminal.ts';
import { FORMS, FormsAnswer } from './forms.ts';
import { SETTINGS_BYTES, SettingsAnswer } from './nine-calls-schemas.ts';

/** The text of a test picture: a person who scans it reads what it is. */
const TEST_PICTURE = 'LANEWARE TEST';

/** The settings as they were sent, secrets masked. */
const Current = Type.Object({ settings: SettingsAnswer.properties.settings });
/** Stricter than the older call, as everything new is: a misspelt field must not be lost. */
const ToSet = Type.Object(SettingsSchema.properties, {
  additionalProperties: false,
  examples: [SETTINGS_EXAMPLE],
});
const Ports = Type.Object({
  ports: Type.Array(
    Type.Object({
      path: Type.String({ description: '`portName` of a display' }),
      label: Type.String({ description: 'as its maker calls it; may be empty' }),
    }),
    { description: 'those of USB first' },
  ),
});
const Shown = Type.Object({ shown: Type.String({ description: 'what the code holds' }) });

/** Renames the fields of a refusal: the older call has them in its member `settings`. @throws {TerminalError} */
async function inWordsOfV1<T>(update: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    throw error instanceof TerminalError ? error.renameFields('settings') : error;
  }
}

export function addSettingsRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.get(
    '/console/api/settings',
    {
      config: { role: 'till' },
      schema: {
        response: { 200: Current },
      },
    },
    async () => ({ settings: terminal.describeSettings() }),
  );

  app.put(
    '/console/api/settings',
    {
      config: { role: 'technician', audit: { event: 'settings' } },
      bodyLimit: SETTINGS_BYTES,
      schema: {
        body: ToSet,
        response: { 200: Current },
      },
    },
    async (request) => {
      noteForAudit(request, await inWordsOfV1(() => terminal.updateSettings(request.body)));
      return { settings: terminal.describeSettings() };
    },
  );

  app.get(
    '/console/api/settings/forms',
    {
      config: { role: 'till' },
      onSend: sendOnce,
      schema: {
        response: { 200: FormsAnswer },
      },
    },
    async () => FORMS,
  );

  app.get(
    '/console/api/settings/serial-ports',
    {
      config: { role: 'till' },
      schema: {
        response: { 200: Ports },
      },
    },
    async () => ({ ports: await foundPorts() }),
  );

  app.post(
    '/console/api/settings/test-picture',
    {
      config: { role: 'till', audit: null },
      schema: {
        response: { 200: Shown },
      },
    },
    async () => {
      await terminal.showInfoQR(TEST_PICTURE);
      return { shown: TEST_PICTURE };
    },
  );
}

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

/** Lists the displays in reach, for setting one up. */
export function addBluetoothRoute(app: FastifyInstance): void {
  /** A call during a search gets the result of that search. */
  let searching: Promise<HeardDisplay[]> | null = null;
  app.post(
    '/console/api/settings/bluetooth-search',
    {
      config: { role: 'technician', audit: null }, // a search keeps the radio busy
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
