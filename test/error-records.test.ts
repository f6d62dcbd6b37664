/** Each code that a call is refused with has one record, whole in both languages, and something raises it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ErrorRecord } from '../drivers/lib/records.ts';
import { SUB_REASONS } from '../firmware/console/page-data.ts';
import { DeviceRefusal } from '../firmware/core/host/index.ts';
import { FEATURE_ERRORS } from '../firmware/features.ts';
import { terminalProblems } from '../firmware/payments/http/v1/problem.ts';
import { ERROR_TABLE, TERMINAL_PROBLEMS } from '../firmware/payments/model/terminal-error.ts';
import { recognitionProblems } from '../firmware/recognition/http/v1/problem.ts';
import { RECOGNITION_PROBLEMS } from '../firmware/recognition/model/recognition-error.ts';
import { ROOT } from './root.ts';
import { readSources } from './tools/house/sources.ts';

const test = suite('records of errors');
const RECORDS: Readonly<Record<string, ErrorRecord>> = {
  ...TERMINAL_PROBLEMS,
  ...RECOGNITION_PROBLEMS,
  ...FEATURE_ERRORS,
  ...SUB_REASONS,
};
const SAID = Object.entries(RECORDS).filter(([, { page, advice }]) => page !== null || advice !== null);

test('a record that is said has all its texts in both languages', () => {
  assert.ok(SAID.length > 110, `${SAID.length} records`);
  for (const [code, { status, again, advice, page }] of SAID) {
    assert.ok(status >= 400 && status < 600, code);
    assert.is(advice === null, again === null, code);
    // a page sends no JSON that is none
    if (code !== 'JsonParse.*') assert.ok(page !== null, code);
    for (const texts of [advice?.en, advice?.ru])
      if (texts !== undefined) assert.ok(texts.meaning !== '' && texts.todo !== '', code);
    for (const russian of [page?.ru, advice?.ru.meaning])
      assert.ok(russian === undefined || /[а-я]/.test(russian), code);
  }
});

/** What a part calls a code before it becomes one: the member alone, or a name of its own. */
const isRaised = (code: string, sources: string): boolean => {
  const member = code.replace(/^.*\./, '');
  return sources.includes(`'${code}'`) || new RegExp(`'${member}'`).test(sources);
};

test('each code that is said is raised somewhere', () => {
  const sources = readSources(ROOT)
    .filter(({ path }) => !/[-/]records\.ts$|\/pages?\//.test(path))
    .map(({ text }) => text)
    .join('\n');
  const idle = SAID.map(([code]) => code).filter((code) => code !== 'JsonParse.*' && !isRaised(code, sources));
  assert.equal(idle, []);
  assert.not(isRaised('Payments.Nothing', sources));
});

test('an error with a record is answered by its record at either port, whatever part raised it', () => {
  for (const problems of [terminalProblems, recognitionProblems]) {
    const refused = problems.fromError(new DeviceRefusal('NotManaged', 'the machine is not its own'));
    assert.is(refused?.status, RECOGNITION_PROBLEMS['Device.NotManaged'].status);
    const { code, detail } = Object(refused?.body);
    assert.equal([code, detail], ['Device.NotManaged', 'the machine is not its own']);
  }
});

/** Provoked by no test yet, or by its status alone: none comes here, they only go. */
const UNPROVOKED = [
  ...['Packages.Running', 'Packages.BeyondEnd', 'Store.Late'],
  ...['Bluetooth.NoService', 'Bluetooth.NoAdapter', 'Bluetooth.SwitchedOff', 'Bluetooth.NotPermitted'],
];

test('each code that is said is provoked by a test', () => {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== 'error-records.test.ts')
    .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'))
    .join('\n');
  const idle = SAID.map(([code]) => code).filter(
    (code) => code !== 'JsonParse.*' && !tests.includes(code) && !isRaised(code, tests),
  );
  assert.equal(idle.sort(), UNPROVOKED.sort());
});

/** By hand: what the ledgers of lanes, and tills, hold. A number that moves breaks both. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  Bank: [
    ...['Unreachable', 'Refused', 'Contradiction', 'PreviousPaid', 'SameCode', 'PreviousOpen', 'GivenBack'],
    ...['NoCashLinks', 'NotShown', 'NoConsent'],
  ],
  Internal: ['UnexpectedError', 'StorageFull', 'StorageRefused'],
  RequestParams: [
    ...['InvalidField', 'NoDynamicQR', 'UnknownPath', 'WrongMethod', 'UnsupportedMediaType', 'TooLarge'],
    ...['Forbidden', 'NotAuthorised', 'InvalidRequest', 'TooMany'],
  ],
  Payments: [
    ...['NotFound', 'NotAccepted', 'NotRefundable', 'ExceedsPaid', 'IdConflict', 'RefundOpen', 'NotLate'],
    ...['RefundNotFound', 'RefundFollowed', 'RefundDecided', 'Damaged', 'RefundLimit', 'WrongPin', 'TooManyPins'],
    ...['ShiftNotFound', 'ShiftNotOpen'],
  ],
  DriverSettings: [
    ...['IsNotConfigured', 'MissingDeviceConnection', 'MissingBankProfile', 'MissingBankProfiles', 'UnknownBank'],
    ...['BankIsNotBuiltIn', 'StorageFailed'],
  ],
};

test('a number of a code never changes', () => {
  const table: Readonly<Record<string, readonly string[]>> = ERROR_TABLE;
  for (const [category, members] of Object.entries(NUMBERS))
    assert.equal(table[category]?.slice(0, members.length + 1), ['NoError', ...members], category);
});

test.run();
