/** The receivers of docs/events.md and of the samples, as they stand: each takes what is signed, once, and nothing else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Message, SignedPost } from '../../firmware/features/webhooks/signed-post.ts';
import { missingPrograms, needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { blocksOf, read } from './pages.ts';

const test = suite('receivers of the documents');

const SECRET = 'made-up-secret-of-a-receiver';
const SAMPLES = join(ROOT, 'clients/samples');
const builds = temporaryFolder();
test.after(() => builds[Symbol.dispose]());

interface Receiver {
  readonly language: string;
  readonly programs: readonly string[];
  /** Made ready to listen there. */
  readonly command: (port: string) => Promise<readonly string[]>;
}

async function documented(port: string): Promise<readonly string[]> {
  const text = blocksOf(read('docs/events.md')).find(({ language }) => language === 'mjs')?.text ?? '';
  const file = join(builds.path, 'receiver.mjs');
  writeFileSync(file, text.replace('8000', port));
  return [process.execPath, file];
}

async function built(port: string): Promise<readonly string[]> {
  const program = join(builds.path, 'Webhook.exe');
  const made = await runCommand('mcs', [
    '-r:System.Runtime.Serialization',
    `-out:${program}`,
    join(SAMPLES, 'Webhook.cs'),
  ]);
  assert.is(made.code, 0, made.output);
  return ['mono', program, port];
}

const RECEIVERS: readonly Receiver[] = [
  { language: 'JavaScript', programs: [], command: documented },
  {
    language: 'Python',
    programs: ['python3'],
    command: async (port) => ['python3', join(SAMPLES, 'webhook.py'), port],
  },
  {
    language: 'PHP',
    programs: ['php'],
    command: async (port) => ['php', '-S', `127.0.0.1:${port}`, join(SAMPLES, 'webhook.php')],
  },
  { language: 'C#', programs: ['mcs', 'mono'], command: built },
];

async function started({ language, command }: Receiver, secret: string) {
  const port = await freePort();
  const [program = '', ...args] = await command(String(port));
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      SECRET: secret,
      LANEWARE_WEBHOOK_SECRET: secret,
      LANEWARE_SEEN: join(builds.path, `seen-${language}`),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { port, child };
}

/** Somebody who begins a call, and hangs up. */
async function breakOff(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc', () => socket.resetAndDestroy());
  await once(socket, 'close');
}

async function takesNothingUnsigned(receiver: Receiver): Promise<void> {
  const { port, child } = await started(receiver, '');
  const exited = once(child, 'close');
  const post = new SignedPost({ url: `http://127.0.0.1:${port}/`, secret: '' });
  const text = '{"number":1,"type":"payment.accepted","payment":{"id":"x"}}';
  try {
    const answer = await until('an answer, or its end', async () => {
      if (child.exitCode !== null) return 'ended';
      return (await post.send({ number: 1, type: 'payment.accepted', text }, Date.now(), new AbortController().signal))
        .status;
    });
    assert.ok(['ended', 403, 500].includes(answer), String(answer));
  } finally {
    post.close();
    child.kill();
    await exited;
  }
}

async function receives(receiver: Receiver): Promise<void> {
  const { port, child } = await started(receiver, SECRET);
  const exited = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  try {
    const url = `http://127.0.0.1:${port}/`;
    await until('it listens', () => call(url, { method: 'POST', body: 'x' }).catch(() => null));
    const event = (number: number) => ({
      number,
      type: 'payment.accepted',
      text: JSON.stringify({
        number,
        type: 'payment.accepted',
        payment: { id: `order-${number}`, purpose: 'Äpfel' },
      }),
    });
    const send = async (
      secret: string,
      number: number,
      {
        message = event(number),
        formerSecret,
        agoMs = 0,
      }: { message?: Message; formerSecret?: string; agoMs?: number } = {},
    ): Promise<number | null> => {
      const post = new SignedPost({ url, secret, formerSecret });
      const { status } = await post.send(message, Date.now() - agoMs, new AbortController().signal);
      post.close();
      return status;
    };
    assert.is(await send(SECRET, 1), 204);
    await breakOff(port);
    assert.is(await send(SECRET, 1), 204, 'again');
    assert.is(await send(`${SECRET}!`, 2), 403, 'of another secret');
    assert.is((await call(url, { method: 'POST', body: event(3).text })).status, 403, 'without a signature');
    const header = { 'laneware-signature': `t=1,v1=${'0'.repeat(64)}` };
    assert.is((await call(url, { method: 'POST', body: event(4).text, headers: header })).status, 403, 'of none');
    assert.is(await send(SECRET, 5), 204);
    assert.is(await send(SECRET, 8, { agoMs: 240_000 }), 204, 'of a few minutes ago');
    for (const agoMs of [310_000, -310_000]) assert.is(await send(SECRET, 9, { agoMs }), 403, 'of another time');
    assert.is(await send(`${SECRET}!`, 6, { formerSecret: SECRET }), 204, 'of a secret that is being renewed');
    assert.is(await send(`${SECRET}!`, 7, { formerSecret: `${SECRET}?` }), 403, 'of two others');
    const message = { number: 0, type: 'test', text: '{"number":0,"type":"test","at":"2026-11-21T08:00:00.000Z"}' };
    assert.is(await send(SECRET, 0, { message }), 204, 'a test');
    await until('all are printed', () => output.split('\n').length > 4);
    const printed = [1, 5, 8, 6].map((number) => `payment.accepted order-${number}\n`).join('');
    assert.is(output, printed);
  } finally {
    child.kill();
    await exited;
  }
}

for (const receiver of RECEIVERS) {
  const { language, programs } = receiver;
  const it = needing(missingPrograms(...programs), `a receiver in ${language}`, test);
  it(`${language}: it takes what is signed, each event once, and refuses all else`, () => receives(receiver));
  it(`${language}: without a secret it takes nothing`, () => takesNothingUnsigned(receiver));
}

test.run();
