/** A fixed code, printed or registered elsewhere: the customer types the amount, and no outcome can be known. */
import { Type } from 'typebox';
import { MAX_PAYLOAD_BYTES } from '../../../drivers/display/contract.ts';
import { TerminalError } from '../errors.ts';
import { bankAdapter, line, WHOLE_RANGE } from './adapter.ts';
import { BankProfileError } from './profile-error.ts';
import { fitsQr } from './qr-payload.ts';
import { sbpLinkWarning } from './sbp-link.ts';

const StaticProfile = Type.Object(
  {
    bankName: Type.Literal('Static'),
    staticQR: line(
      1,
      MAX_PAYLOAD_BYTES,
      `what the QR code holds, most often a link; 1 to ${MAX_PAYLOAD_BYTES} bytes of UTF-8`,
    ),
  },
  { additionalProperties: false },
);

export const STATIC = bankAdapter({
  name: 'Static',
  aliases: ['staticqr'],
  schema: StaticProfile,
  tellingFields: ['staticQR'],
  identityFields: ['staticQR'],
  secretFields: [],
  limits: WHOLE_RANGE,
  missing: (_field, message) => TerminalError.of(400, 'StaticBankSettings', 'MissingStaticQR', message),
  warning: ({ staticQR }) => sbpLinkWarning(staticQR),
  merchant: ({ staticQR }) => [staticQR],
  open({ staticQR }) {
    if (!fitsQr(staticQR)) {
      throw new BankProfileError('payload', 'staticQR', `it must have 1 to ${MAX_PAYLOAD_BYTES} bytes of UTF-8`);
    }
    return Object.freeze({ kind: 'static', payload: staticQR });
  },
});
