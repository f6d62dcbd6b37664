/** The sandbox bank of this device, without money. It is asked as the RBS gateway, which can all that a till may want of a bank. */
import { Type } from 'typebox';
import { bankAdapter, unusableField } from './adapter.ts';
import { Rbs } from './dialects/rbs.ts';
import { ALFA } from './dialects/rbs-adapter.ts';

/** Anybody is a merchant there. */
const LOGIN = { userName: 'laneware', password: 'sandbox' } as const;

export const SANDBOX = bankAdapter({
  name: 'Sandbox',
  aliases: ['sandboxbank'],
  isPlay: true,
  schema: Type.Object({ bankName: Type.Literal('Sandbox') }, { additionalProperties: false }),
  secretFields: [],
  capabilities: ALFA.capabilities,
  open(_profile, { sandboxBaseUrl }) {
    if (sandboxBaseUrl === null) {
      throw unusableField('bankName', 'the sandbox bank does not run here (sandboxBank.enabled)');
    }
    return new Rbs({ ...LOGIN, baseUrl: `${sandboxBaseUrl}/rbs/payment/rest`, returnUrl: `${sandboxBaseUrl}/` });
  },
});
