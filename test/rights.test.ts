/** Files of the data folder that another user owns: the device names the file, its owner and the command, and says nothing else of it. */
import { chmodSync, chownSync, cpSync, lchownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { messageOf } from '../drivers/lib/errors.ts';
import { suiteNeeding } from './needing.ts';
import { asNobody, IS_ROOT, keepsNobodyOut, NOBODY } from './nobody.ts';
import { call, setUp, startTestDevice, type TemporaryFolder, temporaryFolder } from './support.ts';

/** What must say so as soon as the device starts: the rest is healed from a second copy, or not opened before it is needed. */
const SPEAKING = [
  ...[
    '',
    'audit/',
    'audit/refusals',
    'audit/technician',
    'items.db',
    'money.db',
    'money.journal/',
    'money.journal/log',
  ],
  ...['owner.lock', 'secret.key', 'secret.key.copy', 'templates.db'],
];
/** A name without numbers and dates, which differ. */
const plain = (name: string): string =>
  name.replace(/^(audit\/[a-z]+)-.*$/, '$1').replace(/^(money\.journal\/).+\.log$/, '$1log');

const namesIn = (folder: string, under = ''): string[] =>
  readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const name = join(under, entry.name);
    return entry.isDirectory() ? [`${name}/`, ...namesIn(folder, name)] : [name];
  });

const sell = (terminal: string, key: string) =>
  call(`${terminal}/v1/payments`, {
    json: { amount: 100, purpose: 'milk' },
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  });

/** The data of a device that has sold, and names of all that lies there. */
async function filled(): Promise<{ readonly folder: TemporaryFolder; readonly names: readonly string[] }> {
  const folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  assert.is((await sell(device.terminal, 'first')).status, 201);
  await device[Symbol.asyncDispose]();
  return { folder, names: ['', ...namesIn(folder.path)] };
}

/** All that a device says of itself in this folder: of its start, of its parts, of a sale. */
async function saidIn(folder: string): Promise<string[]> {
  try {
    await using device = await startTestDevice({}, folder);
    const sale = await sell(device.terminal, 'second');
    const { body } = await call(`${device.terminal}/health`);
    const parts: readonly { readonly reason: string }[] = body.health.parts;
    return [...(sale.status === 201 ? [] : [sale.text]), ...parts.map(({ reason }) => reason)];
  } catch (error) {
    return [messageOf(error)];
  }
}

const CALLED_OTHERWISE = /EACCES|EPERM|card may|damaged|readonly database|unable to open/;
const CALLED_SO = IS_ROOT
  ? /belongs to root, and this process \(user 65534\) may not use it: run chown -R 65534:65534 /
  : /has a mode that keeps its owner out: run chmod -R u\+rwX /;

const test = suiteNeeding(await keepsNobodyOut(), 'files of the data folder that another user owns');

test('each file and folder is named with its owner and the command, and not called damaged', async () => {
  const { folder, names } = await filled();
  using _end = folder;
  for (const name of names) {
    using row = temporaryFolder();
    const data = join(row.path, 'data');
    mkdirSync(data);
    cpSync(folder.path, data, { recursive: true });
    if (IS_ROOT)
      for (const each of [row.path, data, ...names.map((one) => join(data, one))]) lchownSync(each, NOBODY, NOBODY);
    const isFolder = name === '' || name.endsWith('/');
    if (IS_ROOT) chownSync(join(data, name), 0, 0);
    chmodSync(join(data, name), isFolder ? 0o500 : IS_ROOT ? 0o600 : 0);
    const said = await asNobody(() => saidIn(data));
    chmodSync(join(data, name), 0o700);
    assert.not.match(said.join('\n'), CALLED_OTHERWISE, name);
    assert.is(
      said.some((text) => CALLED_SO.test(text)),
      SPEAKING.includes(plain(name)),
      `${name}: ${said.join('\n')}`,
    );
  }
});

test.run();
