import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fault } from '../../../firmware/sandbox-bank/faults.ts';
import { CftBank } from '../../../firmware/terminal/banks/cft/cft.ts';
import { linkOf } from './fake-bank.ts';
import { ask, bankError, IDS, listed, patient, register, sale, settle, withSandbox } from './support.ts';

const test = suite('cft bank');

/** A bank of a few lines, for answers that the sandbox does not give. */
async function withServer(
  listener: RequestListener,
  work: (bank: CftBank, server: Server) => Promise<void>,
  path = '',
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bank = new CftBank({
    ...IDS,
    baseUrl: `http://127.0.0.1:${port}${path}`,
    secrets: ['pass-of-the-till'],
    authsp: 'some-bank.ru',
  });
  try {
    await work(bank, server);
  } finally {
    await bank.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const answering = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener => {
  return (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};

test('a payment is registered, seen open, paid, and told accepted', () =>
  withSandbox(async ({ sandbox, bank }) => {
    const registered = await register(bank, sale(), patient());
    assert.is(registered.payload, `${sandbox.url}/pay/${registered.bankId}`);
    assert.is((await bank.status({ id: registered.bankId }, patient())).verdict, 'pending');
    assert.is((await settle(sandbox, registered.bankId, 'pay')).status, 200);
    assert.is((await bank.status({ id: registered.bankId }, patient())).verdict, 'accepted');
  }));

test('a declined payment is told rejected', () =>
  withSandbox(async ({ sandbox, bank }) => {
    const { bankId } = await register(bank, sale(), patient());
    await settle(sandbox, bankId, 'decline');
    assert.is((await bank.status({ id: bankId }, patient())).verdict, 'rejected');
  }));

test('the register call carries the fields, units and headers of the interface, below the path of the address', async () => {
  const seen: { url: string | undefined; headers: unknown; body: unknown }[] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { authsp, 'idempotency-key': key, 'content-type': type } = request.headers;
    seen.push({
      url: `${request.method} ${request.url}`,
      headers: { authsp, key, type },
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
    });
    answering(200, { qrcId: 'Q1', payload: linkOf('Q1', 12_345) })(request, response);
  };
  await withServer(
    listener,
    async (bank) => {
      await register(bank, sale({ orderId: 'order-7', ttl: 15 }), patient());
      await register(bank, sale({ orderId: 'order-8', purpose: null }), patient());
      await register(bank, sale({ purpose: 'half \ud83d, whole \ud83d\ude00' }), patient());
    },
    '/points/',
  );
  assert.equal(seen[0], {
    url: 'POST /points/qr',
    headers: { authsp: 'some-bank.ru', key: 'order-7', type: 'application/json' },
    body: {
      ...IDS,
      amount: 12_345,
      paymentPurpose: 'Кофе и булочка',
      qrcType: '02',
      expDt: 15,
      localExpDt: 900,
    },
  });
  assert.not.ok(Object.hasOwn(seen[1]?.body as object, 'paymentPurpose'));
  assert.is(
    (seen[2]?.body as { paymentPurpose?: string } | undefined)?.paymentPurpose,
    'half \ufffd, whole \ud83d\ude00',
  );
});

for (const [said, verdict] of [
  ['NTST', 'pending'],
  ['RCVD', 'processing'],
  ['ACTC', 'processing'],
  ['ACWP', 'accepted'],
  ['RJCT', 'rejected'],
  ['SOMETHING_NEW', 'processing'],
  ['', 'processing'],
] as const) {
  test(`state ${said} means ${verdict}`, () =>
    withServer(answering(200, { payStatus: { status: said }, qrCode: { qrcId: 'Q1' } }), async (bank) => {
      assert.is((await bank.status({ id: 'Q1' }, patient())).verdict, verdict);
    }));
}

test('a state without an operation yet is pending', () =>
  withServer(answering(200, { qrCode: { qrcId: 'Q1' }, payStatus: null }), async (bank) => {
    assert.is(await ask(bank, 'Q1'), 'pending');
  }));

const paid = { payStatus: { status: 'ACWP' }, qrCode: { qrcId: 'Q1' } };

test('a state is believed with our id, and with our amount and currency where it tells them', async () => {
  for (const answer of [
    paid,
    { ...paid, qrcId: 'Q1', amount: 12_345, cur: 'RUB' },
    { ...paid, sum: '12345', currency: 643, amount: null },
    { payStatus: { status: 'ACWP', amount: 12_345 }, qrCode: { qrcId: 'Q1', sum: 12_345, cur: 'RUR' } },
    { payStatus: { status: 'ACWP' }, qrcId: 'Q1' },
  ]) {
    await withServer(answering(200, answer), async (bank) => {
      assert.is(await ask(bank, 'Q1', 12_345), 'accepted', JSON.stringify(answer));
    });
  }
});

test('a state without an id, of another one, for another amount or in another currency is a contradiction', async () => {
  for (const [answer, why] of [
    [{ payStatus: { status: 'ACWP' } }, /without saying of which payment/],
    [{ payStatus: { status: 'ACWP' }, qrCode: null }, /without saying of which payment/],
    [{ payStatus: { status: 'ACWP' }, qrCode: { qrcId: null } }, /without saying of which payment/],
    [{ payStatus: { status: 'ACWP' }, qrCode: { qrcId: 'Q2' } }, /another payment/],
    [{ ...paid, qrcId: 'Q2' }, /another payment/],
    [{ ...paid, qrCode: { qrcId: 'q1' } }, /another payment/],
    [{ ...paid, amount: 1 }, /another amount than 12345 kopecks \(123\.45 roubles\): 1 kopeck \(0\.01 roubles\)/],
    [{ ...paid, amount: 12_345, sum: 12_346 }, /another amount/],
    [{ ...paid, amount: '123.45' }, /another amount/],
    [{ ...paid, amount: 123.45 }, /another amount/],
    [{ ...paid, amount: { value: 12_345 } }, /another amount/],
    [{ qrCode: { qrcId: 'Q1', sum: 5 }, payStatus: { status: 'ACWP' } }, /another amount/],
    [{ qrCode: { qrcId: 'Q1' }, payStatus: { status: 'ACWP', amount: 0 } }, /another amount/],
    [{ ...paid, cur: 'USD' }, /another currency/],
    [{ ...paid, currency: '' }, /another currency/],
  ] as const) {
    await withServer(answering(200, answer), async (bank) => {
      const error = await bankError('contradiction', ask(bank, 'Q1', 12_345));
      assert.match(error.message, why, JSON.stringify(answer));
    });
  }
});

test('an answer lost after the payment was booked is repaired by the same call: one payment, one code', () =>
  withSandbox(async ({ sandbox, bank }) => {
    sandbox.faults.set([{ call: 'register', kind: 'drop' }]);
    const order = sale();
    await bankError('unreachable', register(bank, order, patient()));
    const booked = await listed(sandbox);
    assert.is(booked.length, 1);
    const again = await register(bank, order, patient());
    assert.is(again.bankId, booked[0]?.qrcId);
    assert.is((await listed(sandbox)).length, 1);
  }));

test('the same order id for another amount is refused', () =>
  withSandbox(async ({ sandbox, bank }) => {
    const order = sale();
    await register(bank, order, patient());
    const error = await bankError('refused', register(bank, { ...order, amount: order.amount + 1 }, patient()));
    assert.match(error.message, 'HTTP 409');
    assert.is((await listed(sandbox)).length, 1);
  }));

const REGISTER_FAULTS: readonly [Fault['kind'], 'unreachable' | 'refused' | 'contradiction'][] = [
  ['error', 'unreachable'],
  ['too-many', 'unreachable'],
  ['drop-before', 'unreachable'],
  ['redirect', 'unreachable'],
  ['refuse', 'refused'],
  ['nonsense', 'contradiction'],
  ['oversize', 'contradiction'],
  ['other-amount', 'contradiction'],
  ['no-id', 'contradiction'],
];
for (const [kind, code] of REGISTER_FAULTS) {
  test(`a bank that answers a registration with "${kind}" ends in ${code}, and the next call works`, () =>
    withSandbox(async ({ sandbox, bank }) => {
      sandbox.faults.set([{ call: 'register', kind }]);
      const order = sale();
      await bankError(code, register(bank, order, patient()));
      const { payload } = await register(bank, order, patient());
      assert.match(payload, '/pay/');
      assert.is((await listed(sandbox)).length, 1);
    }));
}

test('the state of another payment is a contradiction', () =>
  withSandbox(async ({ sandbox, bank }) => {
    const { bankId } = await register(bank, sale(), patient());
    sandbox.faults.set([{ call: 'state', kind: 'other-payment' }]);
    await bankError('contradiction', ask(bank, bankId));
    assert.is(await ask(bank, bankId), 'pending');
  }));

test('a silent bank is unreachable as soon as the deadline passes', () =>
  withSandbox(async ({ sandbox, bank }) => {
    const { bankId } = await register(bank, sale(), patient());
    sandbox.faults.set([{ call: 'state', kind: 'silence' }]);
    const error = await bankError('unreachable', bank.status({ id: bankId }, AbortSignal.timeout(50)));
    assert.match(error.message, 'within the time allowed');
    assert.is((await bank.status({ id: bankId }, patient())).verdict, 'pending');
  }));

test('a slow answer within the deadline is an answer', () =>
  withSandbox(async ({ sandbox, bank }) => {
    sandbox.faults.set([{ call: 'register', kind: 'delay', ms: 80 }]);
    assert.match((await register(bank, sale(), patient())).payload, '/pay/');
  }));

test('an answer that stops in its middle is unreachable at the deadline, never half believed', () =>
  withServer(
    (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"qrcId":"Q1","payload":"https://e');
    },
    async (bank) => {
      await bankError('unreachable', register(bank, sale(), AbortSignal.timeout(100)));
    },
  ));

test('a bank that nobody listens for is unreachable, with the reason', async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const bank = new CftBank({ ...IDS, baseUrl: `http://127.0.0.1:${port}` });
  const error = await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
  assert.match(error.message, 'ECONNREFUSED');
  await bank.close();
});

test('a kept connection that the bank has closed meanwhile costs nothing: the call goes out once more', async () => {
  const body = JSON.stringify({ payStatus: { status: 'NTST' } });
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n`;
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      // the second request meets a connection that is being torn down, as after an idle time
      if (requests === 1) socket.write(head + body);
      else socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bank = new CftBank({ ...IDS, baseUrl: `http://127.0.0.1:${port}` });
  try {
    assert.is((await bank.status({ id: 'Q1' }, patient())).verdict, 'pending');
    assert.is((await bank.status({ id: 'Q1' }, patient())).verdict, 'pending');
    assert.is(connections, 2);
  } finally {
    await bank.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('patience that the bank asks for is passed on, in seconds and as a date, whatever our clock says', async () => {
  const waits: readonly [Record<string, string>, number | null][] = [
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'Thu, 01 Jan 1998 00:01:30 GMT', date: 'Thu, 01 Jan 1998 00:01:00 GMT' }, 30_000],
    [{ 'retry-after': '999999999' }, 3_600_000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ];
  for (const [headers, expected] of waits) {
    await withServer(answering(429, { error: 'slow down' }, headers), async (bank) => {
      const error = await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
      assert.is(error.retryAfterMs, expected, JSON.stringify(headers));
    });
  }
});

test("a refusal carries the bank's own words: short, on one line, without the password", () =>
  withServer(
    answering(403, { error: `key pass-of-the-till\r\nis bad ${'x'.repeat(1000)}`, errorCode: 'AUTH_7' }),
    async (bank) => {
      const error = await bankError('refused', register(bank, sale(), patient()));
      assert.is(error.bankCode, 'AUTH_7');
      assert.match(error.message, 'key <PASSWORD> is bad xxx');
      assert.not.match(error.message, 'pass-of-the-till');
      assert.ok(error.message.length < 300 && !/[\r\n]/.test(error.message));
    },
  ));

test("a refusal that comes with HTTP 200 or 201 carries the bank's own words too", async () => {
  for (const [body, text, code] of [
    [{ error: 'MERCHANT_BLOCKED' }, 'MERCHANT_BLOCKED', null],
    [{ error: 'E1', message: 'the point of sale is blocked' }, 'E1: the point of sale is blocked', null],
    [{ errorCode: 7, errorMessage: 'no such account' }, 'no such account', '7'],
    [{ error: { code: 'E2', message: 'too many codes' } }, 'too many codes', 'E2'],
    [{ errors: [{ code: 'E3', description: 'wrong amount' }] }, 'wrong amount', 'E3'],
    [{ code: '005', message: 'closed for the night' }, 'closed for the night', '005'],
    [{ code: 'E4' }, '', 'E4'],
    [{ error: 'bad pass-of-the-till', code: 'pass-of-the-till' }, 'bad <PASSWORD>', '<PASSWORD>'],
    [{ error: 'E5', qrcId: 'Q1', payload: linkOf('Q1', 12_345) }, 'E5', null],
    [{ error: 'E6', qrCode: { qrcId: 'Q1' }, payStatus: { status: 'ACWP' } }, 'E6', null],
    [{ error: { text: 1 } }, '', null],
  ] as const) {
    for (const status of [200, 201]) {
      await withServer(answering(status, body), async (bank) => {
        for (const call of [register(bank, sale(), patient()), ask(bank, 'Q1')]) {
          const error = await bankError('refused', call);
          assert.is(error.message, `the bank refused (HTTP ${status}${text === '' ? '' : `: ${text}`})`);
          assert.is(error.bankCode, code);
        }
      });
    }
  }
});

test('an error that is empty, and a code beside a good answer, are no refusal', async () => {
  for (const error of [null, '', false, 0, {}]) {
    const more = { error, code: '000', message: 'OK' };
    await withServer(answering(200, { qrcId: 'Q1', payload: linkOf('Q1', 12_345), ...more }), async (bank) => {
      assert.is((await register(bank, sale(), patient())).bankId, 'Q1');
    });
    await withServer(answering(200, { ...paid, ...more }), async (bank) => {
      assert.is(await ask(bank, 'Q1'), 'accepted');
    });
  }
});

test('an error page of something in between is told by its status alone', () =>
  withServer(answering(502, '<html>Bad gateway</html>'), async (bank) => {
    const error = await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
    assert.match(error.message, 'HTTP 502');
    assert.not.match(error.message, 'html');
  }));

test('registrations that cannot be true are contradictions', async () => {
  const answers = [
    {},
    [],
    'null',
    { qrcId: 'Q1' },
    { qrcId: 7, payload: linkOf('7', 12_345) },
    { qrcId: '..', payload: 'http://127.0.0.1/pay/..' },
    { qrcId: 'a b', payload: linkOf('Q1', 12_345) },
    { qrcId: 'Q1', payload: '' },
    { qrcId: 'Q1', payload: linkOf('Q1', 12_346) },
    { qrcId: 'Q1', payload: linkOf('Q2', 12_345) },
    { qrcId: 'Q1', payload: 'https://example.org/Q1' },
  ];
  for (const answer of answers) {
    await withServer(answering(200, answer), async (bank) => {
      await bankError('contradiction', register(bank, sale(), patient()));
    });
  }
});

test('a link of the payment system for the asked amount is taken', () => {
  const payload = linkOf('AD1', 12_345);
  return withServer(answering(200, { qrcId: 'AD1', payload }), async (bank) => {
    assert.equal(await register(bank, sale(), patient()), { bankId: 'AD1', payload });
  });
});

test('states that cannot be read are contradictions', async () => {
  for (const answer of [{}, { payStatus: 'ACWP' }, { payStatus: { status: 7 } }, { qrCode: [] }, '[]']) {
    await withServer(answering(200, answer), async (bank) => {
      await bankError('contradiction', bank.status({ id: 'Q1' }, patient()));
    });
  }
});

test('an answer that says the same thing twice is a contradiction, and is not quoted', async () => {
  await withServer(
    answering(200, '{"payStatus":{"status":"RJCT","status":"ACWP"},"qrCode":{"qrcId":"Q1"}}'),
    async (bank) => {
      const error = await bankError('contradiction', bank.status({ id: 'Q1' }, patient()));
      assert.is(error.message, 'the bank\'s answer holds "status" twice');
    },
  );
  await withServer(answering(200, 'pass-of-the-till'), async (bank) => {
    const error = await bankError('contradiction', bank.status({ id: 'Q1' }, patient()));
    assert.is(error.message, "the bank's answer is no JSON");
  });
});

test('a payment that the bank does not know is refused', () =>
  withSandbox(async ({ bank }) => {
    const error = await bankError('refused', bank.status({ id: 'AD10000NOBODY' }, patient()));
    assert.match(error.message, 'QRC_NOT_FOUND');
  }));

test.run();
