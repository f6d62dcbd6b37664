/** `PUT /v1/settings` names each field at fault as its own body has it; the older call names it as that one's has. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, SANDBOX_SETTINGS, startTestDevice } from '../support.ts';

const test = suite('settings under /v1');

const WRONG: readonly (readonly [settings: object, code: string, field: string])[] = [
  [{ ...SANDBOX_SETTINGS, bankProfile: 'shop' }, 'DriverSettings.MissingBankProfile', 'bankProfile'],
  [
    { ...SANDBOX_SETTINGS, bankProfiles: { sandbox: { bankName: 'No such' } } },
    'DriverSettings.UnknownBank',
    'bankProfiles.sandbox.bankName',
  ],
  [
    { ...SANDBOX_SETTINGS, bankProfiles: { sandbox: { bankName: 'CFT' } } },
    'CFTBankSettings.MissingAccAlias',
    'bankProfiles.sandbox.accAlias',
  ],
  [{ ...SANDBOX_SETTINGS, bankProfiles: { sandbox: 'none' } }, 'RequestParams.InvalidField', 'bankProfiles.sandbox'],
  [
    { ...SANDBOX_SETTINGS, deviceConnection: { connectionType: 'Drum' } },
    'RequestParams.InvalidField',
    'deviceConnection.connectionType',
  ],
];

test('a field at fault is named as the body of the call has it', async () => {
  await using device = await startTestDevice();
  for (const [settings, code, field] of WRONG) {
    const body = JSON.stringify(settings);
    const headers = { 'content-type': 'application/json' };
    const refused = await call(`${device.terminal}/v1/settings`, { method: 'PUT', headers, body });
    assert.is(refused.status, 400, refused.text);
    assert.is(refused.body.code, code, refused.text);
    assert.is(refused.body.field, field, refused.text);
    assert.not.match(refused.body.detail, 'settings.', 'the sentence, too');
    const older = await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
    assert.match(older.text, 'settings.', 'the older call has them in its member');
  }
});

test.run();
