/** A fixed code, printed or registered elsewhere: the customer types the amount, and no outcome can be known. */
import { Type } from 'typebox';
import { MAX_PAYLOAD_BYTES, PAYLOAD_SIZE, payloadProblem } from '../../drivers/display/payload.ts';
import { bankAdapter, line, unusableField, WHOLE_RANGE } from './adapter.ts';
import { sbpLinkWarning } from './sbp-link.ts';

const StaticProfile = Type.Object(
  {
    bankName: Type.Literal('Static'),
    staticQR: line(1, MAX_PAYLOAD_BYTES, `what the QR code holds, most often a link; ${PAYLOAD_SIZE}`),
  },
  { additionalProperties: false },
);

export const STATIC = bankAdapter({
  name: 'Static',
  aliases: ['staticqr'],
  schema: StaticProfile,
  distinctiveFields: ['staticQR'],
  secretFields: [],
  capabilities: WHOLE_RANGE,
  settingsErrors: 'StaticBankSettings',
  warning: ({ staticQR }) => sbpLinkWarning(staticQR),
  open({ staticQR }) {
    const problem = payloadProblem(staticQR);
    if (problem !== null) throw unusableField('staticQR', `it ${problem}`);
    return Object.freeze({ kind: 'static', payload: staticQR });
  },
});
