/** The sandbox bank of this device: the CFT API, without money. */
import { Type } from 'typebox';
import { bankAdapter, unusableField, WHOLE_RANGE } from './adapter.ts';
import { CftBank } from './cft/cft.ts';

/** What it is told where a bank would be told who is paid; any text would do. */
const MERCHANT = { extEntityId: 'LANEWARE', merchantId: 'SANDBOX', accAlias: 'SANDBOX' } as const;

export const SANDBOX = bankAdapter({
  name: 'Sandbox',
  aliases: ['sandboxbank'],
  isPlay: true,
  schema: Type.Object({ bankName: Type.Literal('Sandbox') }, { additionalProperties: false }),
  identityFields: [],
  secretFields: [],
  capabilities: WHOLE_RANGE,
  open(_profile, { sandboxBaseUrl }) {
    if (sandboxBaseUrl === null) {
      throw unusableField('bankName', 'the sandbox bank does not run here (sandboxBank.enabled)');
    }
    return new CftBank({ ...MERCHANT, baseUrl: sandboxBaseUrl });
  },
});
