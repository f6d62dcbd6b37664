/** Calls by which a person or a program sets up the bank and the display. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { foundPorts } from '../../../../drivers/display/wire/serial-path.ts';
import { addAuditFacts, sendOnce } from '../../../core/http/index.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import { SETTINGS_EXAMPLE, SettingsSchema } from '../../settings/settings-document.ts';
import type { Terminal } from '../../terminal.ts';
import { FORMS, FormsAnswer } from './setup-forms.ts';

/** The text of a test picture: a person who scans it reads what it is. */
const TEST_PICTURE = 'LANEWARE TEST';

/** Room for the profiles of many banks. */
export const SETTINGS_BYTES = 64 * 1024;

/** The settings as they were sent. */
export const StoredSettings = Type.Object(
  {
    bankProfile: Type.String({ description: 'empty until configured' }),
    bankProfiles: Type.Object({}, { additionalProperties: Type.Unknown() }),
    deviceConnection: Type.Object({ connectionType: Type.String() }, { additionalProperties: Type.Unknown() }),
  },
  {
    title: 'StoredSettings',
    additionalProperties: Type.Unknown(),
    description: 'as they were sent, secrets masked',
  },
);

const SettingsAnswer = Type.Object({ settings: StoredSettings });
/** Unlike the older call it refuses unknown fields: a misspelt one must not be lost. */
const SettingsBody = Type.Object(SettingsSchema.properties, {
  additionalProperties: false,
  examples: [SETTINGS_EXAMPLE],
});
const PortsAnswer = Type.Object({
  ports: Type.Array(
    Type.Object({
      path: Type.String({ description: '`portName` of a display' }),
      label: Type.String({ description: 'as its maker calls it; may be empty' }),
    }),
    { description: 'those of USB first' },
  ),
});
const PictureAnswer = Type.Object({ shown: Type.String({ description: 'what the code holds' }) });

/** Takes `settings.` off the fields that a refusal names: the older call has them in that member. @throws {TerminalError} */
async function withOwnFieldNames<T>(update: () => Promise<T>): Promise<T> {
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
      schema: { response: { 200: SettingsAnswer } },
    },
    async () => ({ settings: terminal.describeSettings() }),
  );

  app.put(
    '/console/api/settings',
    {
      config: { role: 'technician', audit: { event: 'settings' } },
      bodyLimit: SETTINGS_BYTES,
      schema: { body: SettingsBody, response: { 200: SettingsAnswer } },
    },
    async (request) => {
      addAuditFacts(request, await withOwnFieldNames(() => terminal.updateSettings(request.body)));
      return { settings: terminal.describeSettings() };
    },
  );

  app.get(
    '/console/api/settings/forms',
    {
      config: { role: 'till' },
      onSend: sendOnce,
      schema: { response: { 200: FormsAnswer } },
    },
    async () => FORMS,
  );

  app.get(
    '/console/api/settings/serial-ports',
    {
      config: { role: 'till' },
      schema: { response: { 200: PortsAnswer } },
    },
    async () => ({ ports: await foundPorts() }),
  );

  app.post(
    '/console/api/settings/test-picture',
    {
      config: { role: 'till', audit: null },
      schema: { response: { 200: PictureAnswer } },
    },
    async () => {
      await terminal.showInfoQR(TEST_PICTURE);
      return { shown: TEST_PICTURE };
    },
  );
}
