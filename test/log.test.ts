/** The lines on standard output: no secret is in them, however it came there. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLog } from '../firmware/device/composition/base.ts';
import { startFirmware } from './process.ts';
import { CFT, call, SCREEN, temporaryFolder } from './support.ts';

const log = suite('log');
const SECRET = 'made-up-secret-of-the-log';

/** What is written while `write` runs. */
function linesOf(write: () => void): string[] {
  const own = process.stdout.write;
  const lines: string[] = [];
  process.stdout.write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
  try {
    write();
  } finally {
    process.stdout.write = own;
  }
  return lines;
}

for (const [where, details] of [
  ['at the top', { password: SECRET }],
  ['in a profile', { profile: { bankName: 'CFT', password: SECRET } }],
  ['in settings', { settings: { bankProfiles: { p: { password: SECRET } } } }],
  ['in the headers of a request', { headers: { authorization: `Bearer ${SECRET}`, cookie: SECRET } }],
  ['five levels deep', { a: { b: { c: { d: { password: `\\${SECRET}`, more: { secret: `"\\ ${SECRET}` } } } } } }],
  ['in a header of another name', { headers: { 'set-cookie': `s=${SECRET}`, 'X-API-Key': SECRET } }],
  ['in a text of JSON', { body: JSON.stringify({ secretKey: SECRET }) }],
  ['in the query of an address', { url: `https://bank.example/?a=1&token=${SECRET}&b=2` }],
  ['in the user of an address', { err: new Error(`connect to https://shop:${SECRET}@bank.example/`) }],
  ['in a credential that a message quotes', { err: new Error(`401 for Authorization: Bearer ${SECRET}`) }],
  ['in the headers of a logged request', { request: { headers: { authorization: `Basic ${SECRET}` } } }],
] as const) {
  log(`a secret ${where} is not written`, () => {
    const [line = ''] = linesOf(() => openLog('info').info(details, 'something happened'));
    assert.match(line, 'something happened');
    assert.match(line, '<REDACTED>');
    assert.not.match(line, SECRET);
  });
}

log('a terminal gets what is wrong in words, and no line of JSON; a pipe gets all of it', () => {
  const write = (isForPerson: boolean) =>
    linesOf(() => {
      const own = openLog('info', null, isForPerson);
      own.info({ port: 1234 }, 'ready');
      own.warn({ err: new Error(`401 for Bearer ${SECRET}`) }, 'the bank cannot be opened');
      own.error('the disk is full');
      own.error({ reason: `no such file\n\u001b[31m ${String.fromCodePoint(0x202e)}` }, 'the ledger is damaged');
      own.warn({ reason: { code: 1 } }, 'no words');
    });
  assert.equal(write(true), [
    'warn: the bank cannot be opened: 401 for Bearer <REDACTED>\n',
    'error: the disk is full\n',
    'error: the ledger is damaged: no such file\\u000a\\u001b[31m \\u202e\n',
    'warn: no words\n',
  ]);
  assert.equal(
    write(false).map((line) => JSON.parse(line).level),
    ['info', 'warn', 'error', 'error', 'warn'],
  );
});

log('a whole device writes none, for any calls, and each line is JSON', async () => {
  using folder = temporaryFolder();
  const logged = { LANEWARE_LOG_LEVEL: 'trace', LANEWARE_API_TOKEN: `${SECRET}-token` };
  const { program, urls } = await startFirmware(folder.path, { settings: logged });
  await using _ = program;
  const settings = {
    bankProfile: 'p',
    bankProfiles: { p: { ...CFT, password: SECRET, caPath: '/nonexistent' } },
    deviceConnection: SCREEN,
  };
  for (const bankProfiles of [settings.bankProfiles, { p: { ...CFT, password: SECRET } }])
    await call(`${urls.terminal}/updateDriverSettings`, {
      json: { settings: { ...settings, bankProfiles } },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}`, cookie: SECRET },
    });
  await call(`${urls.terminal}/showQR`, { json: { amount: 100 } });
  await program.kill('SIGTERM');
  assert.match(program.output, '"ready"');
  for (const line of program.output.trim().split('\n')) assert.type(JSON.parse(line).msg, 'string');
  assert.not.match(program.output + program.errors, SECRET);
});

log.run();
