/**
 * Calls by which a person or a program sets up the bank and the display: the settings and the forms for them, whose fields
 * come from each adapter's profile schema; a trial of a bank's profile, stored or not; a search for displays over Bluetooth.
 */

import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { DISPLAY_FIELDS } from '../../../../drivers/display/registry.ts';
import {
  BleSearchError,
  type BleSearchErrorCode,
  type HeardDisplay,
  searchDisplays,
} from '../../../../drivers/display/wire/ble-search.ts';
import { foundPorts } from '../../../../drivers/display/wire/serial-path.ts';
import type { Fields } from '../../../../drivers/lib/strict-json.ts';
import {
  BANKS,
  type BankAdapter,
  type BankProfile,
  BankTestError,
  FILE_KIND,
  type FileKind,
  requiredFields,
} from '../../../banks/index.ts';
import { noteForAudit, sendOnce } from '../../../core/http/index.ts';
import { orNull } from '../../../core/schema/index.ts';
import { type ErrorMember, TerminalError } from '../../model/terminal-error.ts';
import { profileName, SETTINGS_EXAMPLE, SettingsSchema } from '../../settings/settings-document.ts';
import type { Terminal } from '../../terminal.ts';

const FieldForm = Type.Object({
  name: Type.String({ description: 'of the field in a profile' }),
  required: Type.Boolean(),
  secret: Type.Boolean({ description: 'it is never returned' }),
  file: Type.Boolean({ description: 'it names a file: a path on the device, or what `keepCertificate` answers' }),
  maxLength: Type.Integer(),
  choices: Type.Array(Type.String(), { description: 'what it may be; empty: any text' }),
  help: Type.String({ description: 'what it is, in a sentence' }),
});

export const FormsAnswer = Type.Object({
  banks: Type.Array(
    Type.Object({
      name: Type.String({ description: '`bankName` of a profile' }),
      play: Type.Boolean({ description: 'a bank without money' }),
      fields: Type.Array(FieldForm),
    }),
  ),
  displays: Type.Array(
    Type.Object({
      name: Type.String({ description: '`connectionType` of the display' }),
      fields: Type.Array(Type.String(), { description: 'of `deviceConnection`, any of which says where it is' }),
    }),
  ),
});

/** The part of a field's schema that a form needs. */
interface FieldSchema {
  readonly [FILE_KIND]?: FileKind;
  readonly description?: string;
  readonly maxLength?: number;
  readonly anyOf?: readonly { readonly const?: string }[];
}

const DEFAULT_MAX_LENGTH = 512;

function formOf(adapter: BankAdapter): Static<typeof FormsAnswer>['banks'][number] {
  const required = requiredFields(adapter);
  const fields = Object.entries<FieldSchema>(adapter.schema.properties).filter(([name]) => name !== 'bankName');
  return {
    name: adapter.name,
    play: adapter.isPlay ?? false,
    fields: fields
      .map(([name, { [FILE_KIND]: kind, description = '', maxLength = DEFAULT_MAX_LENGTH, anyOf = [] }]) => ({
        name,
        required: required.includes(name),
        secret: adapter.secretFields.includes(name),
        file: kind !== undefined,
        maxLength,
        choices: anyOf.flatMap((choice) => choice.const ?? []),
        help: description,
      }))
      .toSorted((one, other) => Number(other.required) - Number(one.required)),
  };
}

const FORMS: Static<typeof FormsAnswer> = {
  banks: BANKS.map(formOf),
  displays: DISPLAY_FIELDS.map(({ name, fields }) => ({ name, fields: [...fields] })),
};

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
      noteForAudit(request, await withOwnFieldNames(() => terminal.updateSettings(request.body)));
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

const TrialBody = Type.Object(
  {
    bankProfile: Type.Optional(
      profileName('a kept profile, whose secrets stand for those that are left out; else the one in use'),
    ),
    profile: Type.Optional(
      Type.Unsafe<Fields>(
        Type.Object(
          { bankName: Type.Optional(Type.String({ description: 'which bank; the spelling is forgiven' })) },
          {
            additionalProperties: Type.Unknown(),
            description: 'a profile as in the settings; left out, the kept one is tried as it is',
          },
        ),
      ),
    ),
  },
  { additionalProperties: false, examples: [{ profile: { bankName: 'Sandbox' } }] },
);

/** The bank is reached, trusted, and takes the credentials. */
export const TriedAnswer = Type.Object({
  bankName: Type.String(),
  asked: Type.Boolean({ description: 'false for a bank that is never asked, as a fixed code' }),
  ms: Type.Integer({ description: 'how long the bank took' }),
  untried: Type.Array(Type.String(), {
    description:
      'fields of the profile that are sent with a payment alone: only the first payment shows whether they are right',
  }),
});

/** The results of a trial in the audit trail, which has the bank beside it and none of the profile's fields. */
const WORKS = 'works';
const auditOutcome = (error: unknown): string =>
  error instanceof BankTestError
    ? `BankTest.${error.code}`
    : error instanceof TerminalError
      ? `${error.category}.${error.member}`
      : 'failed';

export function addBankTestRoute(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/console/api/settings/bank-test',
    {
      config: { role: 'technician', audit: { event: 'bank-tried' } }, // it calls the named address with the stored secrets; its handler adds which, and the result
      schema: { body: TrialBody, response: { 200: TriedAnswer } },
    },
    async (request, reply) => {
      const { bankProfile = null, profile = null } = request.body;
      let tried: BankProfile | null = null;
      const note = (outcome: string): void =>
        noteForAudit(request, { ...(tried !== null && { bank: tried.bankName }), outcome });
      try {
        tried = terminal.settings.profileToTry(bankProfile, profile);
        const { bankName, isAsked, ms, untried } = await terminal.tryBank(tried);
        note(WORKS);
        return { bankName, asked: isAsked, ms, untried: [...untried] };
      } catch (error) {
        note(auditOutcome(error));
        if (error instanceof BankTestError && error.code === 'TooOften')
          reply.header('retry-after', error.more.seconds);
        throw error;
      }
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
  let searching: Promise<HeardDisplay[]> | null = null;
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
