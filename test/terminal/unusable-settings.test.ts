/** A right sale that the settings cannot take: the settings are at fault, no field of the call. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OpenBanks } from '../../firmware/banks/open-banks.ts';
import { BANKS, type BankProfile } from '../../firmware/banks/registry.ts';
import { terminalFailure } from '../../firmware/payments/model/failures.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { CFT, call, each, failed, onSetUpDevice, problem, type TestDevice, temporaryFolder } from '../support.ts';
import { profileOf } from './banks/profiles.ts';
import { sellByQR, sendProfile, showQR, statusOf } from './device-calls.ts';

const test = suite('terminal: settings that no payment can be taken with');
const it = each<[TestDevice]>(test, onSetUpDevice);

it('CFT without an address: a sale is not configured; under /v1 its key can be sent again', async (device) => {
  await sellByQR(device, 100);
  const { baseUrl: _, ...profile } = CFT as typeof CFT & { baseUrl?: string };
  const note = await sendProfile(device, profile);
  assert.equal([note.status, note.body.status], [200, 'success'], note.text);
  const refused = await showQR(device, 200);
  assert.equal(
    { status: refused.status, error_category: refused.body.error_category, error_code: refused.body.error_code },
    { status: 400, error_category: 'DriverSettings', error_code: 1 },
  );
  assert.match(refused.body.error_message, /baseUrl .*banks\.cft\.baseUrl/);
  assert.is(await statusOf(device), 'ERROR', 'the payment before is none of this sale');
  const sale = { json: { amount: 200 }, headers: { 'content-type': 'application/json', 'idempotency-key': 'k' } };
  const answer = await call(`${device.terminal}/v1/payments`, sale);
  assert.equal(problem(answer).slice(0, 2), [409, 'DriverSettings.IsNotConfigured'], answer.text);
  assert.equal([answer.body.field, answer.body.repeat], [undefined, undefined], 'nothing has begun');
  await sendProfile(device, { bankName: 'Sandbox' });
  assert.is((await call(`${device.terminal}/v1/payments`, sale)).status, 201);
});

/** What a till is refused with, where a bank fails to be opened. */
async function refusedTo(opening: Promise<unknown>): Promise<TerminalError> {
  const failure = terminalFailure(await failed(Error, opening));
  assert.instance(failure, TerminalError);
  return failure as TerminalError;
}

test('at every bank: what cannot be opened is, for a sale, not configured; for settings, a field', async () => {
  using folder = temporaryFolder();
  for (const { name, schema } of BANKS) {
    const file = ['caPath', 'signKeyPath'].find((field) => Object.hasOwn(schema.properties, field));
    const isOfFiles = file !== undefined;
    if (!isOfFiles && name !== 'Sandbox') continue; // a fixed code opens as it is
    const whole = profileOf(name, 'https://bank.example', folder.path);
    const profile = { ...whole, ...(isOfFiles && { [file]: `${folder.path}/none.pem` }) } as BankProfile;
    const banks = new OpenBanks({ cftBaseUrl: null, sandboxBaseUrl: null });
    const sale = await refusedTo(banks.open(profile));
    assert.equal([sale.category, sale.member, sale.field], ['DriverSettings', 'IsNotConfigured', null], name);
    assert.match(sale.message, isOfFiles ? file : 'bankName');
    const settings = await refusedTo(banks.renew(profile));
    assert.equal([settings.category, settings.field], ['RequestParams', isOfFiles ? file : 'bankName'], name);
  }
});

test.run();
