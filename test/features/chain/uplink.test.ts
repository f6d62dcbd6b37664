/** The connection of a device to its chain: what it sends lies there, and what keeps it away is said with what to do. */

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { jetstreamManager } from '@nats-io/jetstream';
import * as assert from 'uvu/assert';
import { encodePart } from '../../../drivers/lib/text.ts';
import { makeCertificate } from '../../../firmware/core/tls/certificate.ts';
import { ChainError } from '../../../firmware/features/chain/credentials.ts';
import { Uplink } from '../../../firmware/features/chain/uplink.ts';
import { suiteNeeding } from '../../needing.ts';
import { freePort, listening } from '../../ports.ts';
import { atEnd, each, opening, temporaryFolder, until } from '../../support.ts';
import { type ChainServer, NO_SERVER, startServer } from './nats.ts';

const test = suiteNeeding(NO_SERVER, 'the connection of a device to its chain');
const it = each(test, opening(startServer));

const MINUTE_MS = 60_000;
const PART = encodePart('LW 1');

interface Config {
  readonly urls: string[];
  readonly credentials: string;
  readonly caFile?: string | null;
}

/** A device that speaks to a chain, and what it says of it. */
function connectTo(config: Config) {
  const clock = { now: 0, wall: () => Date.now(), monotonic: () => clock.now };
  const log: string[] = [];
  const note = ({ reason = '' }: { reason?: string }, message: string) => log.push(`${message} ${reason}`.trim());
  const link = new Uplink(
    { caFile: null, ...config },
    { serial: 'LW 1', nameOf: (event) => `name of ${event.replace('\n', ' ')}` },
    { clock, log: { info: note, warn: note }, scale: 0.01 },
  );
  let lines = 0;
  link.onLine(() => lines++);
  link.start();
  return {
    ...{ link, log, clock },
    get lines() {
      return lines;
    },
    isThere: () => until('a connection', () => lines > 0),
    /** What is wrong, once something is. */
    failure: async (): Promise<string> => {
      const { error } = await until('a failure', () => link.failure);
      return `${error.code}: ${error.message}`;
    },
    [Symbol.asyncDispose]: () => link.close(),
  };
}

const configOf = ({ url, caFile }: ChainServer, credentials: string): Config => ({ urls: [url], credentials, caFile });

const failureOf = (sent: Promise<void>): Promise<string> =>
  sent.then(
    () => 'sent',
    (error: unknown) => (error instanceof ChainError ? `${error.code}: ${error.message}` : String(error)),
  );

it('what is sent lies under the credentials’ name, with an id; a state replaces the one before', async (server) => {
  await server.makeStreams();
  await using device = connectTo(configOf(server, server.admit('M1')));
  await device.isThere();
  await device.link.send('payment', '{"number":7}', '7');
  await device.link.send('payment', '{"number":7}', '7');
  await device.link.report('inventory', '1');
  await device.link.report('inventory', Buffer.from('2'));
  const event = { subject: `up.M1.event.${PART}.payment`, id: 'name of payment 7', body: '{"number":7}' };
  assert.equal(await server.messagesOf('EVENTS'), [event]);
  assert.equal(await server.messagesOf('STATES'), [{ subject: `up.M1.state.${PART}.inventory`, id: '', body: '2' }]);
  assert.is(device.link.failure, null);
});

const FILES: readonly (readonly [what: string, write: (file: string, valid: string) => void, problem: RegExp])[] = [
  [
    'none',
    () => undefined,
    /^credentials: \S+ cannot be read \(ENOENT\): put the file there that the chain has issued/,
  ],
  ['a folder', (file) => mkdirSync(file), /^credentials: \S+ is no plain file .*: put the file there/],
  ['an empty one', (file) => writeFileSync(file, ''), /^credentials: \S+ holds no NATS credentials \(\.creds\)/],
  ['a certificate', (file) => writeFileSync(file, makeCertificate(['x']).certificate), /holds no NATS credentials/],
  ['one that was cut', (file, valid) => writeFileSync(file, valid.slice(0, -120)), /holds no NATS credentials/],
  [
    'a seed that was mistyped',
    (file, valid) => writeFileSync(file, valid.replace(/^(SU.{20})../m, '$1AA')),
    /^credentials: \S+ holds no NATS credentials/,
  ],
  ['one that is large', (file) => writeFileSync(file, Buffer.alloc(1024 * 1024)), /^credentials: \S+ has more than/],
];

for (const [what, write, problem] of FILES)
  test(`a credentials file, ${what}, is named with a remedy, and used once right`, async () => {
    using folder = temporaryFolder();
    await using server = await startServer();
    await server.makeStreams();
    const file = `${folder.path}/own.creds`;
    const valid = readFileSync(server.admit('M1'), 'utf8');
    write(file, valid);
    await using device = connectTo(configOf(server, file));
    const said = await device.failure();
    assert.match(said, problem);
    assert.ok(said.includes(file));
    assert.not.match(said + device.log.join(), /SU[A-Z2-7]{20}/, 'the secret is said nowhere');
    assert.match(await failureOf(device.link.send('payment', '1', '1')), problem);
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, valid.replaceAll('\n', '\r\n'));
    await device.isThere();
    await device.link.send('payment', '1', '1');
    assert.is(device.link.failure, null);
  });

it('a name that fits no subject is refused, whatever it holds', async (server) => {
  for (const called of ['>', 'a.b', '*', 'shop 1', 'магазин', '', 'x'.repeat(65)]) {
    await using device = connectTo(configOf(server, server.admit('named', { called })));
    const wrong = await device.failure();
    assert.match(wrong, /^credentials: the user of \S+ is called ".*": the chain must name it by letters/);
  }
});

it('credentials that the chain refuses are named, and expired ones with their day', async (server) => {
  await using stranger = await startServer();
  await using denied = connectTo(configOf(server, stranger.admit('M1')));
  const failure = await denied.failure();
  assert.match(failure, /^credentials: the chain does not accept the credentials of M1 \(Authorization Violation\)/);
  await using late = connectTo(configOf(server, server.admit('M2', { endsAt: Date.UTC(2026, 0, 2) })));
  assert.match(await late.failure(), /credentials of M2, which ended on 2026-01-02 \(/);
  assert.is(late.log.length, 1, 'and logged once');
});

it('credentials that end while the device is connected are named when they have', async (server) => {
  await using device = connectTo(configOf(server, server.admit('M1', { endsAt: Date.now() + 2000 })));
  await device.isThere();
  assert.match(await device.failure(), /^credentials: .* which ended on /);
});

test('a server that another authority vouches for, or none, or one without TLS, is sent nothing', async () => {
  const [own, other] = [makeCertificate(['127.0.0.1']), makeCertificate(['127.0.0.1'])];
  await using server = await startServer({ tls: own });
  await using named = await startServer({ tls: makeCertificate(['hub.example']) });
  await using plain = await startServer();
  using folder = temporaryFolder();
  const [strange, none, broken] = ['strange.pem', 'none.pem', 'broken.pem'].map((name) => `${folder.path}/${name}`);
  writeFileSync(`${strange}`, other.certificate);
  writeFileSync(`${broken}`, own.certificate.replace('M', '-'));
  const credentials = server.admit('M1');
  const cases: readonly (readonly [Partial<Config>, RegExp])[] = [
    [
      { caFile: `${strange}` },
      /^certificate: 127\.0\.0\.1:\d+ is not known by its certificate \(self-signed certificate\): name the chain’s authority in chain\.caFile, and see that the clock/,
    ],
    [{ caFile: null }, /^certificate: 127\.0\.0\.1:\d+ is not known by its certificate/],
    [{ caFile: `${none}` }, /^certificate: \S+none\.pem cannot be read \(ENOENT\): put the certificate/],
    [{ caFile: `${broken}` }, /^certificate: \S+broken\.pem holds no certificate in PEM/],
    [{ urls: [named.url], caFile: named.caFile }, /^certificate: .*altnames/],
    [{ urls: [plain.url.replace('nats:', 'tls:')] }, /^certificate: 127\.0\.0\.1:\d+ speaks no TLS: nothing is sent/],
  ];
  for (const [config, problem] of cases) {
    await using device = connectTo({ ...configOf(server, credentials), ...config });
    assert.match(await device.failure(), problem);
    assert.is(device.lines, 0);
  }
  await using device = connectTo(configOf(server, credentials));
  await device.isThere();
});

it('a stream that is missing, full or forbidden is named; one that is made takes what is sent', async (server) => {
  await using device = connectTo(configOf(server, server.admit('M1')));
  await device.isThere();
  const event = () => failureOf(device.link.send('payment', '1', '1'));
  const subject = `up.M1.event.${PART}.payment`;
  assert.is(await event(), `refused: no stream of the chain takes ${subject}: make one`);
  assert.is(device.link.failure, null, 'servers that choose another leader say the same');
  device.clock.now += 5 * MINUTE_MS;
  assert.match(await device.failure(), /^refused: /);
  await server.makeStreams();
  assert.is(await event(), 'sent');
  assert.is(device.link.failure, null);
  await using administrator = await server.asAdministrator();
  const { streams } = await jetstreamManager(administrator);
  const { DiscardPolicy } = await import('@nats-io/jetstream');
  await streams.update('EVENTS', { max_msgs: 1, discard: DiscardPolicy.New });
  assert.match(
    await failureOf(device.link.send('payment', '2', '2')),
    /^refused: the chain does not take \S+ \(maximum messages exceeded\): look at the limits of its stream$/,
  );
  device.clock.now += 5 * MINUTE_MS;
  assert.match(await device.failure(), /^refused: /);
  const logged = device.log.filter((line) => /^(?:payments|the chain takes)/.test(line));
  assert.equal(logged.length, 3, 'each change is one line');
});

it('a user that may not publish below its own name, or hear no answer, is named', async (server) => {
  await server.makeStreams();
  await using mute = connectTo(configOf(server, server.admit('M1', { publish: ['up.M2.>'] })));
  await mute.isThere();
  assert.match(
    await failureOf(mute.link.send('payment', '1', '1')),
    /^refused: the chain does not let this device speak \(Permissions Violation for Publish to "up\.M1\..*"\): let M1 publish up\.M1\.> and subscribe _INBOX\.M1\.>$/,
  );
  await using deaf = connectTo(configOf(server, server.admit('M3', { subscribe: ['_INBOX.M1.>'] })));
  await deaf.isThere();
  const unheard = await failureOf(deaf.link.send('payment', '1', '1'));
  assert.match(unheard, /^refused: .* \(Permissions Violation for Subscription to "_INBOX\.M3\./);
});

it('what another says instead of a stream is no acknowledgement', async (server) => {
  await using administrator = await server.asAdministrator();
  administrator.subscribe('up.>', { callback: (_, message) => void message.respond('+OK') });
  await administrator.flush();
  await using device = connectTo(configOf(server, server.admit('M1')));
  await device.isThere();
  assert.match(await failureOf(device.link.send('payment', '1', '1')), /^refused: what answers to \S+ is no stream/);
});

it('a server away is no failure for five minutes; another is tried, and the first once back', async (server) => {
  await server.makeStreams();
  const credentials = server.admit('M1');
  await using device = connectTo({ urls: [`nats://127.0.0.1:${await freePort()}`, server.url], credentials });
  await device.isThere();
  await device.link.send('payment', '1', '1');
  await server.stop();
  await until('it is seen', async () =>
    (await failureOf(device.link.send('payment', '2', '2'))).startsWith('away: 127.0.0.1'),
  );
  assert.is(device.link.failure, null);
  device.clock.now += 5 * MINUTE_MS;
  const failure = await device.failure();
  assert.match(failure, /^away: 127\.0\.0\.1:\d+ does not answer \(connection refused\): see that the network/);
  await server.start();
  await until('it is back', async () => (await failureOf(device.link.send('payment', '2', '2'))) === 'sent');
  assert.is(device.link.failure, null);
  const bodies = (await server.messagesOf('EVENTS')).map(({ body }) => body);
  assert.equal(bodies, ['1', '2']);
});

/** Listens and says nothing. */
const mute = (): Server => createServer((socket) => void socket.on('error', () => socket.destroy()));

it('a server silent before or after the connection is a time limit, and delays no close', async (server) => {
  await server.makeStreams();
  const credentials = server.admit('M1');
  await using silent = await listening(mute());
  await using waiting = connectTo({ urls: [`nats://127.0.0.1:${silent.port}`], credentials });
  await using device = connectTo(configOf(server, credentials));
  await device.isThere();
  await server.hold();
  using _end = atEnd(() => server.letGo());
  const before = performance.now();
  const sent = failureOf(device.link.send('payment', '1', '1'));
  waiting.clock.now += 5 * MINUTE_MS;
  assert.match(await sent, /^away: the chain did not answer \(timeout\)$/);
  await until('the other', async () =>
    (await failureOf(waiting.link.send('payment', '1', '1'))).includes('does not answer (timeout)'),
  );
  assert.ok(performance.now() - before < MINUTE_MS);
  const asked = failureOf(device.link.send('payment', '2', '2'));
  await Promise.all([waiting.link.close(), device.link.close()]);
  assert.match(await asked, /^away: /);
});

test('files replaced while connected are used at once; broken ones are named and cut nothing off', async () => {
  const [own, next] = [makeCertificate(['127.0.0.1']), makeCertificate(['127.0.0.1'])];
  await using server = await startServer({ tls: own });
  await server.makeStreams();
  using folder = temporaryFolder();
  const [credentials, caFile] = [`${folder.path}/chain.creds`, `${folder.path}/chain.pem`];
  copyFileSync(server.admit('M1'), credentials);
  writeFileSync(caFile, own.certificate);
  await using device = connectTo({ urls: [server.url], credentials, caFile });
  await device.isThere();
  await device.link.send('payment', '1', '1');
  writeFileSync(credentials, 'broken');
  assert.match(await device.failure(), /holds no NATS credentials/);
  await device.link.send('payment', '2', '2');
  copyFileSync(server.admit('M2'), credentials);
  await until('another connection', () => device.lines === 2);
  await device.link.send('payment', '3', '3');
  writeFileSync(caFile, next.certificate);
  assert.match(await device.failure(), /^certificate: /);
  writeFileSync(caFile, own.certificate + next.certificate);
  await until('one more', () => device.lines === 3);
  const serials = (await server.messagesOf('EVENTS')).map(({ subject }) => subject.split('.')[1]);
  assert.equal(serials, ['M1', 'M1', 'M2']);
});

test.run();
