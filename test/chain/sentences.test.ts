/** Each failure of a command of chain.sh is reported in a sentence: which file, or which hub, and what to do. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENTS, STATES } from '../../firmware/chain/subjects.ts';
import { needing } from '../needing.ts';
import { takePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder } from '../support.ts';
import { openCentre } from './down/centre.ts';
import { chainCommand, NO_HUB, startHub } from './hub.ts';

const sentences = suite('chain: sentences');
const test = needing(NO_HUB, 'chain: sentences', sentences);

const FAILED = 1;

interface Ended {
  readonly code: unknown;
  readonly stderr: string;
}

const ended = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile('bash', [`${ROOT}/scripts/chain.sh`, ...words], (error, _, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });

/** One line, without a stack. */
function assertSentence({ code, stderr }: Ended, pattern: RegExp, what: string): void {
  const lines = stderr.trim().split('\n');
  assert.is(code, FAILED, `${what}: ${stderr}`);
  assert.match(lines.at(-1) ?? '', /^chain: /, `${what}: ${stderr}`);
  assert.match(lines.at(-1) ?? '', pattern, `${what}: ${stderr}`);
  assert.not.match(stderr, /^ {4}at |node:internal/m, what);
}

/** What changes something; the one server that is left may lead the streams that the others read. */
const CHANGING = /^(?:store add|templates put|config set)/;

function assertUnanswered(how: Ended, words: readonly string[]): void {
  const what = words.join(' ');
  if (how.code === 0 && !CHANGING.test(what)) return;
  // what the server that is left answers where it leads the stream: that there is none
  if (what === 'rollout status' && /nothing was rolled out yet/.test(how.stderr)) return;
  assertSentence(how, /hub .*: look whether two of its three servers run/, what);
}

test('a hub that answers nothing any more', async () => {
  await using hub = await startHub(3);
  using folder = temporaryFolder();
  using centre = openCentre();
  const file = await centre.packageOf({ 1: 1 });
  for (const store of ['M2', 'M3']) await hub.admit(store);
  await chainCommand('reader', 'add', '--keys', hub.keys, 'p', '--out', `${folder.path}/p.json`);
  for (const server of hub.servers.slice(1)) await server.stop();
  // the one that is left may lead a stream for some seconds more
  const commands = [
    ['store', 'add', 'M4'],
    ['store', 'mirror', 'M2'],
    ['store', 'remove', 'M3'],
    ['reader', 'add', 'q', '--out', `${folder.path}/q.json`],
    ['devices'],
    ['payments'],
    ['rollout', 'status'],
    ['templates', 'put', file],
    ['config', 'set', 'all', 'log.level=warn'],
  ];
  const typed = async (words: readonly string[], at: number): Promise<void> => {
    // each with keys of its own: they would take turns
    const keys = join(folder.path, String(at));
    cpSync(hub.keys, keys, { recursive: true });
    assertUnanswered(await ended(...words, '--keys', keys), words);
  };
  const reading = ended('payments', '--credentials', `${folder.path}/p.json`);
  await Promise.all(commands.map(typed));
  assertUnanswered(await reading, ['payments']);
});

test('a hub without the streams of the chain, or with none of its servers there', async () => {
  await using hub = await startHub();
  {
    await using chain = await hub.asChain();
    const manager = await jetstreamManager(chain);
    for (const name of [STATES, EVENTS]) await manager.streams.delete(name);
  }
  for (const words of [['devices'], ['payments']])
    assertSentence(await ended(...words, '--keys', hub.keys), /chain\.sh streams makes/, words.join(' '));
  for (const server of hub.servers) await server.stop();
  for (const words of [['devices'], ['store', 'add', 'M1'], ['templates', 'list']])
    assertSentence(await ended(...words, '--keys', hub.keys), /does not let us in.*refused/i, words.join(' '));
});

test('files that are not there, or are folders, or other files, and a port that is taken', async () => {
  using folder = temporaryFolder();
  const keys = `${folder.path}/keys`;
  await chainCommand('init', '--keys', keys, '--name', 'fruit', '--here', '--server', 'hub-1=127.0.0.1@1,2,3,4');
  const none = `${folder.path}/none`;
  const text = `${folder.path}/text`;
  writeFileSync(text, 'no JSON');
  const noFile = /there is no file \/\S+none: look at/;
  const isFolder = /keys is a folder/;
  const cases: [RegExp, string, ...string[]][] = [
    [noFile, 'templates', 'put', none],
    [isFolder, 'templates', 'put', keys],
    [/text: the package is damaged/, 'templates', 'put', text],
    [noFile, 'config', 'set', 'all', none],
    [isFolder, 'config', 'set', 'all', keys],
    [/text: it is no JSON/, 'config', 'set', 'all', text],
    [/there is no folder \/\S+none: make it/, 'reader', 'add', 'p', '--out', `${none}/p.json`],
    [isFolder, 'reader', 'add', 'p', '--out', keys],
  ];
  for (const [pattern, ...words] of cases)
    assertSentence(await ended(...words, '--keys', keys), pattern, words.join(' '));
  assertSentence(await ended('payments', '--credentials', none), /reader add makes one/, 'no credentials');
  assertSentence(await ended('payments', '--credentials', keys), isFolder, 'credentials that are a folder');
  assertSentence(await ended('payments', '--credentials', text), /text: it is no JSON/, 'credentials that are none');
  assertSentence(await ended('devices', '--keys', none), /chain\.sh init makes one/, 'no keys');
  assertSentence(await ended('devices', '--keys', text), /text\b.*is no folder/, 'keys that are a file');
  await using taken = await takePort('127.0.0.1');
  assertSentence(
    await ended('exporter', '--port', String(taken.port), '--keys', keys),
    /--port/,
    'a port that is taken',
  );
  writeFileSync(`${keys}/chain.json`, '{"version": 1,');
  assertSentence(await ended('devices', '--keys', keys), /chain\.json: it is no JSON.*copy/, 'damaged keys');
});

test('files that this user may not read', async () => {
  if (process.getuid?.() === 0) return; // root may
  using folder = temporaryFolder();
  const file = `${folder.path}/p.json`;
  writeFileSync(file, '{}');
  chmodSync(file, 0);
  assertSentence(await ended('payments', '--credentials', file), /may not be read by this user/, 'credentials');
});

sentences.run();
