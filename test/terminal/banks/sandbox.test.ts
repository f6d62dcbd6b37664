import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf } from '../../../drivers/lib/errors.ts';
import { CftBank } from '../../../firmware/banks/dialects/cft.ts';
import { lanAddress } from '../../../firmware/core/config/loopback.ts';
import { payerUrl } from '../../../firmware/tools/sandbox-bank/server.ts';
import { startBanks } from '../../banks/banks.ts';
import { ownAddress } from '../../http/network.ts';
import { call, each, pick } from '../../support.ts';
import { HandClock } from '../harness.ts';
import { bankError, IDS, listed, patient, register, sale, settle, withFolder, withSandbox } from './support.ts';

const test = suite('sandbox bank');
const it = each(test, (run: Parameters<typeof withSandbox>[0]) => () => withSandbox(run));

const MINUTE_MS = 60_000;

/** The books as they lie while the bank has them open: what a kill leaves. @returns their path */
function asKilled(dataFile: string): string {
  const [folder, name] = [dirname(dataFile), basename(dataFile)];
  const aside = join(folder, 'killed');
  mkdirSync(aside);
  for (const file of readdirSync(folder).filter((each) => each.startsWith(name) && !each.endsWith('-shm')))
    cpSync(join(folder, file), join(aside, file));
  return join(aside, name);
}

const body = (changes: object = {}) => ({
  ...IDS,
  amount: 100,
  qrcType: '02',
  expDt: 5,
  localExpDt: 300,
  ...changes,
});

const post = (url: string, value: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  });

/** A request with headers that fetch would not send, such as a Host of one's own. */
async function raw(port: number, lines: readonly string[], address = '127.0.0.1'): Promise<string> {
  const socket = connect(port, address);
  socket.end(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

it('payments are listed newest first, with all that the till asked for', async ({ sandbox, bank }) => {
  const first = await register(bank, sale({ orderId: 'one', amount: 1, purpose: null }), patient());
  const second = await register(bank, sale({ orderId: 'two', amount: 100_000_000 }), patient());
  const payments = await listed(sandbox);
  assert.equal(
    payments.map(({ qrcId, orderId, amount, purpose, state, charges }) => [
      ...[qrcId, orderId, amount, purpose, state, charges],
    ]),
    [
      [second.bankId, 'two', 100_000_000, 'Кофе и булочка', 'open', 0],
      [first.bankId, 'one', 1, null, 'open', 0],
    ],
  );
});

it('paying twice, and paying at the same moment, charges once', async ({ sandbox, bank }) => {
  const { bankId } = await register(bank, sale(), patient());
  const answers = await Promise.all(Array.from({ length: 8 }, () => settle(sandbox, bankId, 'pay')));
  answers.push(await settle(sandbox, bankId, 'pay'));
  assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  const [payment] = await listed(sandbox);
  assert.equal([payment?.state, payment?.charges], ['paid', 1]);
});

it('a declined payment cannot be paid, a paid one not declined, and the refusal says why', async (rig) => {
  const { sandbox, bank } = rig;
  const declined = await register(bank, sale(), patient());
  assert.is((await settle(sandbox, declined.bankId, 'decline')).status, 200);
  assert.is((await settle(sandbox, declined.bankId, 'decline')).status, 200);
  const refusal = await settle(sandbox, declined.bankId, 'pay');
  assert.is(refusal.status, 409);
  assert.equal(await refusal.json(), { error: 'the payment is declined and can no longer be paid' });

  const paid = await register(bank, sale(), patient());
  await settle(sandbox, paid.bankId, 'pay');
  assert.is((await settle(sandbox, paid.bankId, 'decline')).status, 409);
  assert.is((await bank.status({ id: paid.bankId }, patient())).verdict, 'accepted');
  assert.equal(pick(await listed(sandbox), 'charges'), [1, 0]);
});

test('a code expires at its minute by the monotonic clock, whatever the wall clock says', async () => {
  const clock = new HandClock();
  await withSandbox(
    async ({ sandbox, bank }) => {
      const { bankId } = await register(bank, sale({ ttl: 5 }), patient());
      const { wall } = clock;
      clock.wall = () => wall() + 365 * 86_400_000;
      clock.now += 5 * MINUTE_MS - 1;
      assert.is((await listed(sandbox))[0]?.state, 'open');
      clock.now += 1;
      assert.is((await listed(sandbox))[0]?.state, 'expired');
      const refusal = await settle(sandbox, bankId, 'pay');
      assert.is(refusal.status, 409);
      assert.equal(await refusal.json(), { error: 'the payment is expired and can no longer be paid' });
      assert.is(
        (await bank.status({ id: bankId }, patient())).verdict,
        'pending',
        'a bank says nothing of an unpaid code',
      );
      assert.is((await listed(sandbox))[0]?.charges, 0);
    },
    { clock },
  );
});

test('a payment made in time stays paid after its code has run out', async () => {
  const clock = new HandClock();
  await withSandbox(
    async ({ sandbox, bank }) => {
      const { bankId } = await register(bank, sale({ ttl: 1 }), patient());
      await settle(sandbox, bankId, 'pay');
      clock.now += 2 * MINUTE_MS;
      assert.is((await bank.status({ id: bankId }, patient())).verdict, 'accepted');
      assert.is((await settle(sandbox, bankId, 'pay')).status, 200);
    },
    { clock },
  );
});

test("a kill or restart keeps payments, order ids and each code's rest: on disk before answers", async () => {
  const clock = new HandClock();
  await withSandbox(
    async ({ sandbox, bank, dataFile }) => {
      sandbox.faults.set([{ call: 'register', kind: 'drop' }]);
      const unheard = sale();
      await bankError('unreachable', register(bank, unheard, patient()));
      const order = sale({ ttl: 5 });
      const open = await register(bank, order, patient());
      const paid = await register(bank, sale(), patient());
      await settle(sandbox, paid.bankId, 'pay');
      const left = asKilled(dataFile);
      clock.now += 2 * MINUTE_MS;
      const second = await startBanks({ port: 0, dataFile: left, clock });
      const secondBank = new CftBank({ ...IDS, baseUrl: second.url });
      try {
        assert.is((await secondBank.status({ id: paid.bankId }, patient())).verdict, 'accepted');
        assert.equal(await register(secondBank, order, patient()), open);
        const { bankId } = await register(secondBank, unheard, patient());
        assert.equal(pick(await listed(second), 'bankId'), pick(await listed(sandbox), 'bankId'), 'the same three');
        assert.is((await settle(second, bankId, 'pay')).status, 200);
        clock.now += 3 * MINUTE_MS - 1;
        assert.is((await listed(second))[1]?.state, 'open');
        clock.now += 1;
        assert.is((await listed(second))[1]?.state, 'expired');
      } finally {
        await secondBank.close();
        await second.close();
      }
    },
    { clock },
  );
});

test('after a reboot what is left of a code is judged by the wall clock, never more than it had', async () => {
  for (const [passed, left] of [
    [2 * MINUTE_MS, 3 * MINUTE_MS],
    [-86_400_000, 5 * MINUTE_MS],
    [86_400_000, 0],
  ] as const) {
    const clock = new HandClock();
    await withSandbox(
      async ({ sandbox, bank, dataFile }) => {
        await register(bank, sale({ ttl: 5 }), patient());
        await sandbox.close();
        const after = clock.wall() + passed;
        Object.assign(clock, { bootId: 'boot-2', now: 500, wall: () => after });
        const second = await startBanks({ port: 0, dataFile, clock });
        const [payment] = (await (await fetch(`${second.url}/sandbox/payments`)).json()) as { remainingMs: number }[];
        await second.close();
        assert.is(payment?.remainingMs, left);
      },
      { clock },
    );
  }
});

test('damaged books are set aside and the bank opens with new ones', () =>
  withFolder(async (folder) => {
    const dataFile = join(folder, 'sandbox.db');
    writeFileSync(dataFile, 'this is no database, though it is long enough to be looked at '.repeat(100));
    const errors: string[] = [];
    const sandbox = await startBanks({
      port: 0,
      dataFile,
      log: { info: () => undefined, error: (_fields, message) => errors.push(message) },
    });
    assert.equal(await listed(sandbox), []);
    await sandbox.close();
    assert.match(errors[0] ?? '', 'damaged');
    assert.ok(readdirSync(folder).some((name) => name.includes('damaged')));
  }));

it('bad registrations are refused with a sentence that names the field, and book nothing', async ({ sandbox }) => {
  for (const [changes, word] of [
    [{ amount: 0 }, 'amount'],
    [{ amount: '100' }, 'amount'],
    [{ amount: 1.5 }, 'amount'],
    [{ expDt: 0 }, 'expDt'],
    [{ expDt: 129_601 }, 'expDt'],
    [{ qrcType: '01' }, 'qrcType'],
    [{ extEntityId: undefined }, 'extEntityId'],
    [{ paymentPurpose: 'x'.repeat(141) }, 'paymentPurpose'],
  ] as const) {
    const response = await post(`${sandbox.url}/qr`, body(changes));
    assert.is(response.status, 400, word);
    assert.match(((await response.json()) as { error: string }).error, word);
  }
  assert.is((await post(`${sandbox.url}/qr`, '{"amount":')).status, 400);
  assert.is((await post(`${sandbox.url}/qr`, body(), { 'content-type': 'text/plain' })).status, 415);
  assert.is((await post(`${sandbox.url}/qr`, body({ account: 'x'.repeat(70_000) }))).status, 413);
  assert.equal(await listed(sandbox), []);
});

it("another site's page can neither pay nor register, and a foreign Host gets no till's call", async (rig) => {
  const { sandbox, bank } = rig;
  const { bankId } = await register(bank, sale(), patient());
  for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${sandbox.port}`]) {
    const pay = `${sandbox.url}/sandbox/payments/${bankId}/pay`;
    assert.is((await call(pay, { method: 'POST', headers: { origin } })).status, 403, origin);
    assert.is((await post(`${sandbox.url}/qr`, body(), { origin })).status, 403, origin);
  }
  const rebound = await raw(sandbox.port, ['GET /sandbox/payments HTTP/1.1', 'Host: evil.example']);
  assert.match(rebound, /^HTTP\/1\.1 403 /);
  const named = await raw(sandbox.port, ['GET /sandbox/payments HTTP/1.1', `Host: localhost:${sandbox.port}`]);
  assert.match(named, /^HTTP\/1\.1 200 /);
  assert.equal(pick(await listed(sandbox), 'state'), ['open']);
});

it('faults scripted over HTTP spoil the calls they name, as often as they say', async ({ sandbox, bank }) => {
  const address = `${sandbox.url}/sandbox/faults`;
  const faults = [{ call: 'register', kind: 'error', times: 2 }];
  assert.is((await post(address, { faults })).status, 200);
  const order = sale();
  await bankError('unreachable', register(bank, order, patient()));
  assert.equal(await (await fetch(address)).json(), { faults: [{ ...faults[0], times: 1 }] });
  await bankError('unreachable', register(bank, order, patient()));
  await register(bank, order, patient());
  assert.is((await post(address, { faults: [{ call: 'register', kind: 'sabotage' }] })).status, 400);
  assert.is((await post(address, { faults: [{ call: 'state', kind: 'error', times: 9 }] })).status, 200);
  assert.is((await post(address, { faults: [] })).status, 200);
  assert.is((await call(`${sandbox.url}/qr/state/AD1`)).status, 404);
});

it('a silent connection does not hold up the close', async ({ sandbox, bank }) => {
  sandbox.faults.set([{ call: 'register', kind: 'silence' }]);
  const hanging = bankError('unreachable', register(bank, sale(), patient()));
  while (sandbox.faults.list().length > 0) await new Promise((resolve) => setImmediate(resolve));
  await sandbox.close();
  await sandbox.close();
  await hanging;
});

it('a taken port is an error, and lets go of the file', ({ sandbox }) =>
  withFolder(async (folder) => {
    const dataFile = join(folder, 'other.db');
    let code: unknown = null;
    await startBanks({ port: sandbox.port, dataFile }).catch((error) => {
      code = codeOf(error);
    });
    assert.is(code, 'EADDRINUSE');
    const next = await startBanks({ port: 0, dataFile });
    await next.close();
  }));

test('the QR carries an address that a phone can open: the host, or the LAN address', async () => {
  const linkWith = async (options: { host?: string }): Promise<URL> => {
    let link = '';
    await withSandbox(async ({ bank }) => {
      link = (await register(bank, sale(), patient())).payload;
    }, options);
    return new URL(link);
  };
  assert.is((await linkWith({})).hostname, '127.0.0.1');
  assert.is((await linkWith({ host: '0.0.0.0' })).hostname, lanAddress() ?? '127.0.0.1');
  assert.is(payerUrl('fd00::7', 1280), 'http://[fd00::7]:1280');
});

test('the LAN address is the first real one, of version 4 if any: no bridge, no loopback', () => {
  const card = (address: string, internal = false, family: 'IPv4' | 'IPv6' = 'IPv4') => [
    { address, internal, family, netmask: '', mac: '', cidr: null, scopeid: 0 },
  ];
  const found = lanAddress({
    lo: card('127.0.0.1', true),
    docker0: card('172.17.0.1'),
    eth1: card('169.254.3.4'),
    eth2: card('fe80::1', false, 'IPv6'),
    wlan0: card('192.168.1.20'),
  } as ReturnType<typeof networkInterfaces>);
  assert.is(found, '192.168.1.20');
  assert.is(lanAddress({ docker0: card('172.17.0.1') } as ReturnType<typeof networkInterfaces>), '172.17.0.1');
  const six = { eth0: card('fd00::7', false, 'IPv6'), eth1: card('fe80::1', false, 'IPv6') };
  assert.is(lanAddress({ docker0: card('172.17.0.1'), ...six } as ReturnType<typeof networkInterfaces>), 'fd00::7');
  assert.is(lanAddress({ eth1: card('fe80::1', false, 'IPv6') } as ReturnType<typeof networkInterfaces>), null);
  assert.is(lanAddress({}), null);
});

for (const host of ['0.0.0.0', '::', ownAddress]) {
  test(`on ${host}: the payer's page is for the LAN too, the till's calls for loopback only`, async () => {
    await withSandbox(
      async ({ sandbox, bank }) => {
        const { bankId, payload } = await register(bank, sale(), patient());
        assert.is(sandbox.url, `http://127.0.0.1:${sandbox.port}`);
        const base = `http://${ownAddress}:${sandbox.port}`;
        const named = host === ownAddress ? host : (lanAddress() ?? '127.0.0.1');
        assert.is(payload, `http://${named}:${sandbox.port}/pay/${bankId}`);
        assert.is((await call(`${base}/pay/${bankId}`)).status, 200);
        assert.is((await post(`${base}/qr`, body())).status, 403);
        for (const path of ['/sandbox/payments', '/sandbox/faults', `/qr/state/${bankId}`]) {
          assert.is((await call(base + path)).status, 403, path);
        }
        const disguised = [`GET /sandbox/payments HTTP/1.1`, `Host: localhost:${sandbox.port}`];
        assert.match(await raw(sandbox.port, disguised, ownAddress), /^HTTP\/1\.1 403 /);
        assert.is((await post(`${base}/sandbox/faults`, { faults: [] })).status, 403);
        assert.is((await settle({ url: base }, bankId, 'pay')).status, 200);
        assert.is((await bank.status({ id: bankId }, patient())).verdict, 'accepted');
      },
      { host },
    );
  });
}

test.run();
