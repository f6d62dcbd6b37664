/** How a bank says that it does not take what it is asked with, before HTTP and in it. */
import { createServer } from 'node:net';
import { Type } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankClient } from '../../../firmware/banks/bank-client.ts';
import { listening } from '../../ports.ts';
import { bankError, patient } from './support.ts';
import { type Reply, startWireBank } from './wire-bank.ts';

const test = suite('credentials that a bank does not take');

const CALL = { method: 'GET', path: '/state' } as const;
const ANY = { shape: Type.Object({}), otherwise: 'nothing' };

/** A fatal alert of TLS, in the place of the server's hello. */
const alert = (number: number): Buffer => Buffer.from([0x15, 3, 3, 0, 2, 2, number]);

async function errorOfAlert(number: number) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // the client hangs up at once
    socket.once('data', () => socket.end(alert(number)));
  });
  await using bank = await listening(server);
  const client = new BankClient({ baseUrl: `https://127.0.0.1:${bank.port}` });
  try {
    return await bankError('unreachable', client.call(CALL, ANY, patient()));
  } finally {
    client.close();
  }
}

/** RFC 8446, section 6. */
for (const [number, words, isOfCertificate] of [
  [42, 'bad certificate', true],
  [43, 'unsupported certificate', true],
  [44, 'certificate revoked', true],
  [45, 'certificate expired', true],
  [46, 'certificate unknown', true],
  [48, 'unknown ca', true],
  [49, 'access denied', true],
  [116, 'certificate required', true],
  [40, 'handshake failure', false],
  [70, 'protocol version', false],
  [80, 'internal error', false],
] as const)
  test(`TLS: ${words}${isOfCertificate ? '' : ' is about something else'}`, async () => {
    const { isUnauthorized, message } = await errorOfAlert(number);
    assert.is(isUnauthorized, isOfCertificate, message);
    const said = `does not take the client certificate of the bank profile (${words})`;
    if (isOfCertificate) assert.match(message, said);
  });

const NGINX = (why: string) =>
  `<html>\r\n<head><title>400 ${why}</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n</body>\r\n</html>\r\n`;

const ANSWERS: readonly [string, Reply, boolean][] = [
  ['401', { status: 401, body: { error: 'who?' } }, true],
  ['401 without a word', { status: 401 }, true],
  ['403', { status: 403, body: { error: 'not you' } }, true],
  [
    'a page of nginx about a certificate that is missing',
    { status: 400, body: NGINX('No required SSL certificate was sent') },
    true,
  ],
  ['a page of nginx about one that is wrong', { status: 400, body: NGINX('The SSL certificate error') }, true],
  ['a page of nginx about something else', { status: 400, body: NGINX('Request Header Or Cookie Too Large') }, false],
  [
    'a refusal that names a certificate',
    { status: 400, body: { error: 'the SSL certificate of the shop is renewed' } },
    false,
  ],
  ['400', { status: 400, body: { error: 'no' } }, false],
  ['404', { status: 404, body: { error: 'nothing' } }, false],
];
for (const [what, reply, isUnauthorized] of ANSWERS) {
  test(`${what}: ${isUnauthorized ? 'not taken' : 'another refusal'}`, async () => {
    await using bank = await startWireBank(() => reply);
    const client = new BankClient({ baseUrl: bank.url });
    const error = await bankError('refused', client.call(CALL, ANY, patient()));
    assert.is(error.isUnauthorized, isUnauthorized);
    client.close();
  });
}

test.run();
