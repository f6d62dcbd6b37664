/** Bodies and answers of the nine calls, each status included: validation, serialisation and OpenAPI come from here. */

import Type from 'typebox';
import { MAX_PAYLOAD_BYTES, PAYLOAD_SIZE } from '../../../../drivers/display/payload.ts';
import { DEFAULT_TTL_MINUTES, MAX_TTL_MINUTES } from '../../../core/config/index.ts';
import { CSV_NAME, MINUTES, maybe } from '../../../core/schema/index.ts';
import { PAYMENT_STATES } from '../../model/payment.ts';
import { SETTINGS_EXAMPLE, SettingsSchema } from '../../settings/settings-document.ts';
import { SaleBody } from '../v1/sale-routes.ts';
import { StoredSettings } from '../v1/settings-routes.ts';

export const Success = Type.Object(
  { status: Type.Literal('success') },
  { title: 'Success', description: 'done', examples: [{ status: 'success' }] },
);

const errorFields = {
  error_category: Type.Optional(Type.String({ description: 'category of the error table' })),
  error_message: Type.Optional(Type.String({ description: 'a sentence that says what is wrong and what to do' })),
  error_code: Type.Optional(Type.Integer({ description: 'place of the error in its category' })),
};

/** A success that may carry a warning. */
const Done = Type.Object(
  { status: Type.Literal('success'), ...errorFields },
  {
    title: 'Done',
    examples: [
      { status: 'success' },
      {
        status: 'success',
        error_category: 'Bank',
        error_message: 'the code of the same sale is shown again: it may still be paid',
        error_code: 5,
      },
      {
        status: 'success',
        error_category: 'SerialPort',
        error_message: 'the display is not connected: cannot open /dev/ttyACM0',
        error_code: 1,
      },
    ],
    description:
      'of showQR: the code is on the display; of settings: they are stored. The other fields are there where something must be known beside it. Of showQR: `Bank` / `SameCode`, `Unreachable` (whether an earlier payment was paid is not known) or `PreviousPaid` (an earlier one was accepted, and no till has read so). Of settings: what is still missing before a payment can be shown, such as an address of the bank, or a display that can be opened',
  },
);

export const Failure = Type.Object(
  { status: Type.Literal('error'), ...errorFields },
  { title: 'Failure', description: 'refused or failed; nothing has changed unless the message says so' },
);

export const DynamicStatusAnswer = Type.Object(
  {
    status: Type.Enum(['success', 'error']),
    dynamicQRStatus: Type.Enum([...PAYMENT_STATES], {
      title: 'PaymentState',
      description:
        'PENDING: ask again. ACCEPTED: paid, for good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has reported; the other fields say why it is ERROR, and of PENDING why the bank does not report. STATIC: a fixed code is shown, on which no bank reports. EMPTY: no payment was asked for yet, which only `getDynamicQRStatus` answers',
    }),
    ...errorFields,
  },
  {
    title: 'DynamicQRStatus',
    description: 'state of the last dynamic QR transaction',
    examples: [{ status: 'success', dynamicQRStatus: 'PENDING' }],
  },
);

/** With HTTP 400 the state is EMPTY, or the call itself is refused. */
export const NoDynamicStatusAnswer = Type.Union([DynamicStatusAnswer, Failure], {
  description: 'no dynamic QR code has been shown yet, or the call is refused',
});

export const UpdateSettingsBody = Type.Object(
  { settings: SettingsSchema },
  { title: 'UpdateSettings', examples: [{ settings: SETTINGS_EXAMPLE }] },
);
export const SettingsAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    settings: StoredSettings,
  },
  { title: 'CurrentSettings', examples: [{ status: 'success', settings: SETTINGS_EXAMPLE }] },
);
export const VersionAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    version: Type.String({ description: 'three dotted parts' }),
  },
  { title: 'Version', examples: [{ status: 'success', version: '0.1.0' }] },
);

export const ShowQRBody = Type.Object(
  {
    amount: SaleBody.properties.amount,
    purpose: SaleBody.properties.purpose,
    ttl: maybe(
      Type.Integer({
        ...MINUTES,
        minimum: 0,
        maximum: MAX_TTL_MINUTES,
        description: `minutes; ${DEFAULT_TTL_MINUTES} when absent or 0; what is more than \`terminal.ttlMaxMinutes\` (60) counts as that`,
      }),
    ),
  },
  { title: 'ShowQR', examples: [{ amount: 12345, purpose: 'Apples', ttl: 10 }] },
);

export const ShowInfoQRBody = Type.Object(
  {
    infoQR: Type.String({
      minLength: 1,
      maxLength: MAX_PAYLOAD_BYTES,
      description: `what the code says: ${PAYLOAD_SIZE}`,
    }),
  },
  { title: 'ShowInfoQR', examples: [{ infoQR: 'https://shop.example/apples' }] },
);

export const ExportBody = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 1024,
      pattern: CSV_NAME,
      description: 'the file on the device, ending in .csv; a relative one lands in the exports folder',
    }),
  },
  { title: 'ExportToCSV', examples: [{ path: 'payments.csv' }] },
);

export const DisplayStatusBody = Type.Object(
  {
    status: Type.Integer({
      minimum: 0,
      maximum: 6,
      description: `the symbol of a state: ${PAYMENT_STATES.map((state, ordinal) => `${ordinal} ${state}`).join(', ')}`,
    }),
  },
  { title: 'DisplayStatus', examples: [{ status: 3 }] },
);

/** Answers of a call that changes something; all calls share the refusals. */
export const successAnswers = { 200: Success };

/** Answers of such a call whose success may carry a warning. */
export const doneAnswers = { 200: Done };
