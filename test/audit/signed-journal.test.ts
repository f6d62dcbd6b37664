/** The journal for an inspector: any byte that is changed, added or missing is found, by the file alone. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CheckedJournal,
  JournalCheck,
  type JournalEntry,
  JournalError,
  keyFingerprint,
  signedLines,
} from '../../firmware/core/audit/signed-journal.ts';

const test = suite('signed journal');

const ABOUT = {
  ...{ device: 'LW000042', version: '1.0.0', timeZone: 'Europe/Moscow', madeAt: '2026-11-26T10:00:00.000Z' },
  ...{ from: '2026-10-31T21:00:00.000Z', to: '2026-11-30T21:00:00.000Z' },
};
const DEVICE = generateKeyPairSync('ed25519');
const FORGER = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEYS = [DEVICE, FORGER, generateKeyPairSync('rsa', { modulusLength: 2048 })];
const ENTRIES: readonly JournalEntry[] = [
  { kind: 'payment', id: 'LW-1', amount: 12_345, purpose: 'ends of lines: \u2028 \u2029 \r \n' },
  { kind: 'payment', id: 'LW-2', amount: 100, purpose: 'Яблоки' },
  { kind: 'audit', n: 7, deed: 'payment-refunded' },
];

async function* given(entries: readonly JournalEntry[]): AsyncGenerator<JournalEntry> {
  yield* entries;
}

async function written(privateKey: KeyObject, entries = ENTRIES): Promise<string> {
  let text = '';
  for await (const line of signedLines(ABOUT, given(entries), privateKey)) text += line;
  return text;
}

function read(text: string): CheckedJournal {
  const check = new JournalCheck();
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) check.add(line);
  return check.finish();
}

const isRefused =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof JournalError && error.code === code;

test('what was signed is read back, with what it holds and whose key it is', async () => {
  for (const { privateKey, publicKey } of KEYS) {
    const { head, counts, fingerprint } = read(await written(privateKey));
    assert.is(head.device, 'LW000042');
    assert.equal(counts, { payment: 2, audit: 1 });
    assert.is(fingerprint, keyFingerprint(publicKey));
    assert.match(fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  }
  assert.equal(read(await written(DEVICE.privateKey, [])).counts, {});
});

test('each changed byte, and each line that is gone, repeated or moved, is found', async () => {
  const text = await written(DEVICE.privateKey);
  for (let at = 0; at < text.length; at += 1) {
    const changed = text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
    assert.throws(
      () => read(changed),
      (error: unknown) => error instanceof JournalError,
      `byte ${at}`,
    );
  }
  const lines = text.split('\n').slice(0, -1);
  for (let at = 0; at < lines.length; at += 1) {
    const without = lines.toSpliced(at, 1);
    const twice = lines.toSpliced(at, 0, lines[at] ?? '');
    for (const changed of [without, twice])
      assert.throws(
        () => read(changed.join('\n')),
        (error: unknown) => error instanceof JournalError,
        `line ${at}`,
      );
  }
  assert.throws(
    () =>
      read(
        lines
          .with(1, lines[2] ?? '')
          .with(2, lines[1] ?? '')
          .join('\n'),
      ),
    isRefused('changed'),
  );
  assert.throws(() => read(`${text}\n`), isRefused('changed'));
});

test('a file that was cut says so, and what is no journal says that', async () => {
  const text = await written(DEVICE.privateKey);
  const lines = text.split('\n').slice(0, -1);
  assert.throws(() => read(lines.slice(0, -1).join('\n')), isRefused('cut'));
  assert.throws(() => read(text.slice(0, -10)), isRefused('changed'));
  for (const other of ['', 'id;price', '{"kind":"payment"}', '[]', lines.slice(1).join('\n')])
    assert.throws(() => read(other), isRefused('format'), JSON.stringify(other));
});

test('a file signed by another key is betrayed by its fingerprint, a foreign signature by itself', async () => {
  const forged = await written(FORGER.privateKey);
  assert.is.not(read(forged).fingerprint, keyFingerprint(DEVICE.publicKey));
  const lines = (await written(DEVICE.privateKey)).split('\n').slice(0, -1);
  const body = lines
    .slice(0, -1)
    .map((line) => `${line.replace('12345', '99999')}\n`)
    .join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const bySomebodyElse = sign(null, Buffer.from(`laneware journal 1\n${sha256}\n`), FORGER.privateKey);
  const end = { kind: 'signature', lines: lines.length - 1, sha256, signature: bySomebodyElse.toString('base64') };
  assert.throws(() => read(body + JSON.stringify(end)), isRefused('changed'));
  const ofTheDigestAlone = sign(null, Buffer.from(sha256), DEVICE.privateKey).toString('base64');
  assert.throws(() => read(body + JSON.stringify({ ...end, signature: ofTheDigestAlone })), isRefused('changed'));
});

test.run();
