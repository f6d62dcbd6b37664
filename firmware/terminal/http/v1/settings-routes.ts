/** The bank and the display are set up, by a person at a page or by a program. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { foundPorts } from '../../../../drivers/display/wire/found-ports.ts';
import { noteForAudit, sendOnce, type TypeBoxProvider } from '../../../http/index.ts';
import { TerminalError } from '../../errors.ts';
import { SettingsSchema } from '../../settings/settings-document.ts';
import type { Terminal } from '../../terminal.ts';
import { SettingsAnswer } from '../schemas.ts';
import { FormsAnswer, forms } from './forms.ts';
import { refusals } from './problem.ts';

/** Room for the profiles of many banks. */
const SETTINGS_BYTES = 64 * 1024;
/** The text of a test picture: a person who scans it reads what it is. */
const TEST_PICTURE = 'LANEWARE TEST';

const EXAMPLE = {
  bankProfile: 'sandbox',
  bankProfiles: { sandbox: { bankName: 'Sandbox' } },
  deviceConnection: { connectionType: 'Screen' },
};
const Current = Type.Object(
  { settings: SettingsAnswer.properties.settings },
  {
    title: 'SettingsInUse',
    description: 'as they were sent, secrets masked',
    examples: [{ settings: EXAMPLE }],
  },
);
/** Stricter than the call of the interface documents, as all that is new: a field that is misspelt must not be lost. */
const ToSet = Type.Object(SettingsSchema.properties, {
  title: 'SettingsToSet',
  additionalProperties: false,
  examples: [EXAMPLE],
});
const Ports = Type.Object(
  {
    ports: Type.Array(
      Type.Object({
        path: Type.String({ description: '`portName` of a display' }),
        label: Type.String({ description: 'as its maker calls it; may be empty' }),
      }),
      { description: 'those of USB first' },
    ),
  },
  {
    title: 'SerialPorts',
    description: 'where a display may be plugged in',
    examples: [{ ports: [{ path: '/dev/ttyACM0', label: 'Mertech' }] }],
  },
);
const Shown = Type.Object(
  { shown: Type.String({ description: 'what the code holds' }) },
  { title: 'TestPicture', description: 'it is on the display', examples: [{ shown: TEST_PICTURE }] },
);

/** A refusal names the fields of the older call, which has them in its member `settings`. @throws {TerminalError} */
async function inWordsOfV1<T>(update: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    throw error instanceof TerminalError ? error.outOf('settings') : error;
  }
}

export function addSettingsRoutes(plain: FastifyInstance, terminal: Terminal): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.get(
    '/console/api/settings',
    {
      schema: {
        operationId: 'getSettings',
        tags: ['device'],
        summary: 'The bank and the display that are set up, secrets masked',
        description: 'As they were sent, the profiles that are not in use included. Each secret is `<PASSWORD>`.',
        response: { 200: Current },
      },
    },
    async () => ({ settings: terminal.describeSettings() }),
  );

  app.put(
    '/console/api/settings',
    {
      bodyLimit: SETTINGS_BYTES,
      schema: {
        operationId: 'putSettings',
        tags: ['device'],
        summary: 'Set the bank and the display up',
        description:
          'All of it, in place of what was set: the profile in use is judged, a masked secret keeps the stored one, and nothing has changed where it is refused.',
        body: ToSet,
        response: { 200: Current, ...refusals('RequestParams.TooMany') },
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
      onSend: sendOnce,
      schema: {
        operationId: 'getSettingsForms',
        tags: ['device'],
        summary: 'What each bank and each display asks for',
        description:
          'For a page that sets them up: fields in the order in which they are asked for, those that must be there first.',
        response: { 200: FormsAnswer },
      },
    },
    async () => forms(),
  );

  app.get(
    '/console/api/settings/serial-ports',
    {
      schema: {
        operationId: 'getSerialPorts',
        tags: ['device'],
        summary: 'Where a display may be plugged in',
        description: 'The serial ports of this machine, those of USB first.',
        response: { 200: Ports },
      },
    },
    async () => ({ ports: await foundPorts() }),
  );

  app.post(
    '/console/api/settings/test-picture',
    {
      schema: {
        operationId: 'showTestPicture',
        tags: ['device'],
        summary: 'Show a test picture on the display that is set up',
        description: 'A code that says so when it is scanned. No payment is made, and none is cancelled by it.',
        response: { 200: Shown, ...refusals('DriverSettings.IsNotConfigured') },
      },
    },
    async () => {
      await terminal.showInfoQR(TEST_PICTURE);
      return { shown: TEST_PICTURE };
    },
  );
}
