/** What each failure of another part is called in the terminal's table of errors, and in which words. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DisplayError, type DisplayErrorCode } from '../../drivers/display/contract.ts';
import { FieldError } from '../../drivers/lib/errors.ts';
import { BankError, type BankErrorCode } from '../../firmware/banks/bank-error.ts';
import { type FailureContext, terminalFailure } from '../../firmware/payments/model/failures.ts';
import { codeNamed, ERROR_TABLE, isErrorCode, TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { fileFailure } from '../../firmware/payments/reports/papers/file-failure.ts';
import { drawingFailure } from '../../firmware/payments/service/screen/display-failure.ts';

const test = suite('terminal: failures of other parts');

function answerOf(error: unknown): [number, string, string] {
  assert.instance(error, TerminalError);
  const { status, category, member, errorCode } = error as TerminalError;
  assert.ok(errorCode >= 1, `${member} has a place in ${category}`);
  return [status, category, member];
}

const words = (error: unknown, context?: FailureContext): string => (terminalFailure(error, context) as Error).message;

const wordsOfDrawing = (error: DisplayError, drawn: string): string => (drawingFailure(error, drawn) as Error).message;

/** As the interface has called them since the first release: a till may go by them. */
const DISPLAYS: Readonly<Record<DisplayErrorCode, readonly [serial: string, ble: string]>> = {
  'not-connected': ['SerialPort NotOpenError', 'BLEController ConnectionError'],
  lost: ['SerialPort ResourceError', 'BLEController RemoteHostClosedError'],
  timeout: ['SerialPort TimeoutError', 'BLEController NetworkError'],
  'not-found': ['SerialPort DeviceNotFoundError', 'BLEController UnknownRemoteDeviceError'],
  permission: ['SerialPort PermissionError', 'BLEController MissingPermissionsError'],
  busy: ['SerialPort OpenError', 'BLEController AuthorizationError'],
  adapter: ['SerialPort UnsupportedOperationError', 'BLEController InvalidBluetoothAdapterError'],
  protocol: ['SerialPort UnknownError', 'BLEInit ServiceNotFound'],
  closed: ['SerialPort NotOpenError', 'BLEController ConnectionError'],
  payload: ['SerialPort WriteError', 'BLEService CharacteristicWriteError'],
};

for (const [code, [serial, ble]] of Object.entries(DISPLAYS) as [DisplayErrorCode, readonly [string, string]][]) {
  test(`a display's ${code} has its category by wire, by Bluetooth and elsewhere`, () => {
    for (const [kind, name] of [
      ['serial', serial],
      ['ble', ble],
      ['screen', 'Screen NotAvailable'],
      ['lamp', 'Screen NotAvailable'],
    ] as const) {
      const error = new DisplayError(kind, code, 'x');
      assert.is(answerOf(drawingFailure(error, 'the code')).join(' '), `500 ${name}`);
    }
    const half = code === 'lost' || code === 'timeout';
    const error = new DisplayError('serial', code, 'it broke');
    for (const drawn of ['the picture', 'the code'])
      assert.is(wordsOfDrawing(error, drawn), `it broke; ${half ? `${drawn} may have been seen` : 'nothing is shown'}`);
  });
}

test('why a display is not connected says more than that it is not', () => {
  const cause = new DisplayError('serial', 'permission', 'it may not be opened');
  const error = new DisplayError('serial', 'not-connected', 'the display is not connected', { cause });
  assert.equal(answerOf(drawingFailure(error, 'the code')), [500, 'SerialPort', 'PermissionError']);
  assert.is(wordsOfDrawing(error, 'the code'), 'the display is not connected; nothing is shown');
});

test("a bank's failure is reported in its own words and with its own code", () => {
  for (const [code, member] of [
    ['unreachable', 'Unreachable'],
    ['refused', 'Refused'],
    ['contradiction', 'Contradiction'],
  ] as const satisfies readonly (readonly [BankErrorCode, string])[]) {
    const error = new BankError(code, 'it said no', { bankCode: 'E7' });
    assert.equal(answerOf(terminalFailure(error)), [500, 'Bank', member]);
    assert.is(words(error), 'it said no (bank code E7)');
    assert.is(words(new BankError(code, 'it said no')), 'it said no');
  }
});

test('a field that is of no use is named, where it stands', () => {
  const error = new FieldError('portName', 'is no port');
  assert.equal(answerOf(terminalFailure(error)), [400, 'RequestParams', 'InvalidField']);
  assert.is(words(error), 'portName is no port');
  assert.is(words(error, { fieldsOf: 'settings.' }), 'settings.portName is no port');
});

test('a ledger that cannot be written is reported with the consequence', () => {
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  assert.equal(answerOf(terminalFailure(full)), [500, 'Internal', 'StorageFull']);
  assert.is(words(full), 'the storage of the device is full: free some space');
  assert.is(words(full, { therefore: 'so' }), 'the storage of the device is full: free some space; so');
  const refused = Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' });
  assert.equal(answerOf(terminalFailure(refused)), [500, 'Internal', 'StorageRefused']);
  assert.is(words(refused, { therefore: 'so' }), 'the ledger cannot be written: EROFS: read-only; so');
  const held = Object.assign(new Error('another program holds money.db (pid 7): close it'), { errcode: 5 });
  assert.equal(answerOf(terminalFailure(held)), [500, 'Internal', 'StorageRefused']);
  assert.match(words(held, { therefore: 'so' }), /another program holds money\.db \(pid 7\): close it; so$/);
});

test('an unforeseen error is returned unchanged, and so is one that has its wording already', () => {
  const damaged = Object.assign(new Error('malformed'), { errcode: 11 });
  for (const error of [new Error('x'), new TypeError('y'), damaged, null, 'text', TerminalError.invalid('a', 'b')]) {
    assert.is(terminalFailure(error, { therefore: 'so' }), error);
  }
});

test("a file that cannot be written is reported by the system's error, with its reason", () => {
  for (const [code, member] of [
    ['ENOENT', 'OpenError'],
    ['EACCES', 'PermissionsError'],
    ['EPERM', 'PermissionsError'],
    ['EROFS', 'PermissionsError'],
    ['ENOSPC', 'ResourceError'],
    ['EDQUOT', 'ResourceError'],
    ['EMFILE', 'ResourceError'],
    ['EIO', 'WriteError'],
  ] as const) {
    const cause = Object.assign(new Error(`${code}: no`), { code });
    const error = fileFailure(cause, 'the export');
    assert.equal(answerOf(error), [500, 'File', member]);
    assert.is(error.message, `the export could not be written: ${code}: no`);
    assert.is(error.cause, cause);
  }
  assert.equal(answerOf(fileFailure(new Error('x'), 'the export')), [500, 'File', 'WriteError']);
  const judged = TerminalError.invalid('path', 'must end in .csv');
  assert.is(fileFailure(judged, 'the export'), judged);
});

test("a refusal's code is the ledger's category and number; one of a later release fails nothing", () => {
  let n = 0;
  for (const [category, members] of Object.entries(ERROR_TABLE))
    for (const [errorCode, member] of (members as readonly string[]).entries()) {
      if (!isErrorCode(`${category}.${member}`)) continue;
      assert.is(codeNamed(category, errorCode), `${category}.${member}`);
      n += 1;
    }
  assert.ok(n > 50, `${n} codes`);
  for (const [category, errorCode] of [
    ['Bank', 999],
    ['Bank', -1],
    ['Weather', 1],
    ['toString', 1],
  ] as const)
    assert.is(codeNamed(category, errorCode), 'Internal.UnexpectedError');
});

test('the older calls answer 400 to what their caller can mend, 500 where device or bank fails', () => {
  const answered = (status: number, isWanted: (code: string) => boolean): string[] =>
    Object.entries(ERROR_TABLE).flatMap(([category, members]) =>
      members
        .filter((member) => member !== 'NoError')
        .filter((member) => TerminalError.of(category as 'Bank', member as 'Refused', '').status === status)
        .map((member) => `${category}.${member}`)
        .filter(isWanted),
    );
  const isWhole = (code: string): boolean =>
    /^(?:BLEController|BLEInit|BLEService|Bluetooth|File|Internal|Screen|SerialPort)\./.test(code);
  const isOfTest = (code: string): boolean => code.startsWith('BankTest.');
  assert.equal(answered(400, isWhole), []);
  assert.equal(
    answered(500, (code) => !isWhole(code) && !isOfTest(code)),
    [
      ...['RequestParams.TooMany', 'DriverSettings.StorageFailed'],
      ...['Bank.Unreachable', 'Bank.Refused', 'Bank.Contradiction', 'Bank.NoConsent'],
      ...['Payments.Damaged', 'Payments.EntriesDamaged'],
    ],
  );
  assert.equal(answered(400, isOfTest), ['BankTest.WrongCredentials', 'BankTest.TooOften']);
});

test.run();
