import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../support.ts';
import { certify } from '../terminal/certify.ts';
import { withBank } from './support.ts';

const test = suite('sandbox bank over TLS');

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

function certificates(...names: string[]): Pair[] {
  using folder = temporaryFolder();
  return names.map((name) => {
    certify(folder.path, name);
    const read = (file: string): Buffer => readFileSync(join(folder.path, file));
    return { cert: read(`${name}.crt`), key: read(`${name}.key`) };
  });
}

/** The status of an answer, and the name in the bank's certificate. */
const ask = (url: string, options: object): Promise<{ status: number | undefined; name: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/qr/state/AD1`, { ...options, agent: false }, (response) => {
      response.resume();
      const { socket } = response;
      const name =
        'getPeerCertificate' in socket ? (socket as import('node:tls').TLSSocket).getPeerCertificate() : null;
      resolve({ status: response.statusCode, name: String(name?.subject.CN) });
    });
    sent.once('error', reject);
    sent.end();
  });

test('it speaks HTTPS, and shows a renewed certificate from the next connection on', async () => {
  const [first, second] = certificates('first', 'second') as [Pair, Pair];
  await withBank(
    async ({ url, sandbox }) => {
      assert.match(url, /^https:/);
      assert.equal(await ask(url, { ca: first.cert }), { status: 404, name: 'first' });
      sandbox.renew(second);
      assert.equal(await ask(url, { ca: second.cert }), { status: 404, name: 'second' });
      await ask(url, { ca: first.cert }).then(
        () => assert.unreachable('the old authority knows the new certificate'),
        (error: NodeJS.ErrnoException) => assert.is(error.code, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
      );
      const { link } = sandbox.payments.register(
        { dialect: 'cft', merchant: '', orderId: null, amount: 100, purpose: null, ttlMs: 1000 },
        (id) => `${url}/pay/${id}`,
      );
      assert.is(sandbox.payments.list(1)[0]?.link, link);
    },
    { tls: first },
  );
});

test('with an authority of clients, no other client is let in', async () => {
  const [bank, till, stranger] = certificates('bank', 'till', 'stranger') as [Pair, Pair, Pair];
  await withBank(
    async ({ url }) => {
      assert.is((await ask(url, { ca: bank.cert, ...till })).status, 404);
      for (const other of [{}, stranger]) {
        await ask(url, { ca: bank.cert, ...other }).then(
          () => assert.unreachable('a stranger was let in'),
          (error: NodeJS.ErrnoException) => assert.match(String(error.code), /SSL|ECONNRESET|EPIPE/),
        );
      }
    },
    { tls: { ...bank, clientCa: till.cert } },
  );
});

test.run();
