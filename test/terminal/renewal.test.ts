/** Certificates of a bank that are renewed under the same path: the same settings, sent again, take the new file. */
import { copyFileSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listening } from '../ports.ts';
import { CFT, call, SCREEN, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { buildSbpLink } from './banks/sbp-links.ts';
import { certify } from './certify.ts';

const test = suite('terminal: a renewed bank certificate');

const HOUR_MS = 3_600_000;
const linkOf = (id: string, sum: number): string => buildSbpLink({ id, type: '02', bank: '100000000007', sum });

interface Rig {
  readonly device: TestDevice;
  readonly folder: string;
  /** Names of the certificates that the bank was shown, call after call. */
  readonly callers: string[];
  /** Answers of the bank that wait to be given. */
  readonly waiting: (() => void)[];
  /** Puts a certificate where the profile looks for it. */
  install(name: string): void;
  send(): ReturnType<typeof call>;
  /** How many of them the bank holds. */
  connections(): Promise<number>;
}

async function withRig(work: (rig: Rig) => Promise<void>, { waits = false } = {}): Promise<void> {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  for (const name of ['bank', 'old', 'new']) certify(folder, name);
  const callers: string[] = [];
  const waiting: (() => void)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = Buffer.concat(await request.toArray()).toString();
    callers.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
    response.writeHead(200, { 'content-type': 'application/json' });
    const give = (): void =>
      void response.end(
        JSON.stringify(
          request.method === 'POST'
            ? { qrcId: `Q${callers.length}`, payload: linkOf(`Q${callers.length}`, JSON.parse(sent).amount) }
            : { payStatus: { status: 'NTST' } },
        ),
      );
    if (waits && request.method === 'POST') waiting.push(give);
    else give();
  };
  const files = { cert: readFileSync(join(folder, 'bank.crt')), key: readFileSync(join(folder, 'bank.key')) };
  // it would end idle connections by itself after five seconds
  const options = { ...files, requestCert: true, rejectUnauthorized: false, keepAliveTimeout: HOUR_MS };
  const bank = createServer(options, answer);
  await using at = await listening(bank);
  const profile = {
    ...CFT,
    baseUrl: at.url,
    caPath: join(folder, 'bank.crt'),
    certPath: join(folder, 'till.crt'),
    keyPath: join(folder, 'till.key'),
  };
  const settings = { bankProfile: 'p', bankProfiles: { p: profile }, deviceConnection: SCREEN };
  // asked once and then never: what the bank hears is what each test makes
  await using device = await startTestDevice({ LANEWARE_TERMINAL_POLLFIRSTMS: '3600000' });
  await work({
    device,
    folder,
    callers,
    waiting,
    install: (name) => {
      for (const kind of ['crt', 'key']) copyFileSync(join(folder, `${name}.${kind}`), join(folder, `till.${kind}`));
    },
    connections: () => promisify(bank.getConnections.bind(bank))(),
    send: () => call(`${device.terminal}/updateDriverSettings`, { json: { settings } }),
  });
}

const pay = ({ device }: Rig, amount: number) => call(`${device.terminal}/showQR`, { json: { amount } });

test('the next payment shows the bank the new certificate, without a restart', () =>
  withRig(async (rig) => {
    rig.install('old');
    assert.is((await rig.send()).status, 200);
    assert.is((await pay(rig, 100)).status, 200);
    rig.install('new');
    assert.is((await rig.send()).status, 200);
    rig.callers.length = 0;
    await until('the old connections to end', async () => (await rig.connections()) === 0);
    assert.is((await pay(rig, 200)).status, 200);
    assert.equal([...new Set(rig.callers)], ['new']);
  }));

test('a bank that is set up no more is held on to by no connection', () =>
  withRig(async (rig) => {
    rig.install('old');
    await rig.send();
    assert.is((await pay(rig, 100)).status, 200);
    assert.ok((await rig.connections()) > 0);
    await setUp(rig.device);
    await until('the connections to end', async () => (await rig.connections()) === 0);
  }));

test('a payment that is being registered meanwhile is registered once', () =>
  withRig(
    async (rig) => {
      rig.install('old');
      await rig.send();
      const paying = pay(rig, 100);
      await until('the bank is asked', () => rig.waiting.length === 1);
      rig.install('new');
      assert.is((await rig.send()).status, 200);
      for (const give of rig.waiting) give();
      assert.is((await paying).status, 200);
      assert.equal(rig.callers, ['old']);
    },
    { waits: true },
  ));

test.run();
