/** `/v1` of both ports takes what it names and nothing else, and says what may have been meant. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Paging } from '../../firmware/core/http/call/query.ts';
import { V1 } from '../../firmware/core/http/failure-answers.ts';
import { type Document, operationsOf } from '../../firmware/core/http/reference/operations.ts';
import { type Answer, call, startTestDevice, type TestDevice } from '../support.ts';

const test = suite('http: what /v1 does not know');

let device: TestDevice;
test.before(async () => {
  device = await startTestDevice();
});
test.after(async () => device[Symbol.asyncDispose]());

interface WithExample {
  readonly examples?: readonly object[];
  readonly example?: object;
}

const refusedFor = (field: string, { status, body, text }: Answer, what: string): void =>
  assert.equal([status, body.code, body.field], [400, 'RequestParams.InvalidField', field], `${what}: ${text}`);

test('a parameter or a field that a call does not know is refused by every one, and named', async () => {
  const counts = { parameters: 0, fields: 0 };
  for (const port of ['terminal', 'recognition'] as const) {
    const base = device[port];
    const document: Document = (await call(`${base}/openapi.json`)).body;
    for (const { url, method, operation } of operationsOf(document).filter((each) => each.url.startsWith(V1))) {
      const path = `${base}${url
        .replace('{role}', 'till')
        .replace('{person}', 'cashier')
        .replace('{code}', '1'.repeat(13))
        .replaceAll(/\{\w+\}/g, '1'.repeat(12))}`; // fits each kind of id
      const what = `${method} ${url}`;
      const content = operation.requestBody?.content['application/json'] as
        | (WithExample & { readonly schema?: WithExample & { readonly $ref?: string } })
        | undefined;
      const named = content?.schema?.$ref?.split('/').at(-1) ?? '';
      const schema = (document.components?.schemas?.[named] ?? content?.schema ?? {}) as WithExample;
      const [body = content?.example] = schema.examples ?? [];
      const headers = { 'idempotency-key': 'k', ...(body !== undefined && { 'content-type': 'application/json' }) };
      const ask = (query: string, json: object | undefined) =>
        call(path + query, { method: method.toUpperCase(), headers, ...(json !== undefined && { json }) });
      if (operation.requestBody === undefined || body !== undefined) {
        refusedFor('surprise', await ask('?surprise=1', body), what);
        counts.parameters += 1;
      }
      if (body === undefined) continue;
      const answer = await ask('', { ...body, surprise: 1 });
      refusedFor('surprise', answer, what);
      assert.match(
        answer.body.detail,
        /^surprise is not known here(; known are \w+|; the nearest is |, nor is any other$)/,
        what,
      );
      counts.fields += 1;
    }
  }
  assert.ok(counts.parameters > 20 && counts.fields > 7, JSON.stringify(counts));
});

test('an unknown name is reported with the known ones; two swapped letters suggest the nearest', async () => {
  const detail = async (query: string): Promise<string> => (await call(`${device.terminal}/v1/${query}`)).body.detail;
  assert.is(
    await detail('payments?zzz=1'),
    'zzz is not known here; known are number, orderId, qrcId, trxId, key, reference, text, amount, day, from, to, state, late, method, receipt, profile, till, limit, cursor',
  );
  assert.is(await detail('payments?kye=1'), 'kye is not known here; the nearest is key');
  assert.is(await detail('webhooks?zzz=1'), 'zzz is not known here, nor is any other');
  const { body } = await sell({ amount: 1, zzz: 1 });
  assert.is(body.detail, 'zzz is not known here; known are amount, purpose, ttl, profile, reference, cashier');
  const log = await call(`${device.recognition}/console/api/log?zzz=1`);
  assert.is(log.body.detail, 'zzz is not known here; known are after, limit, level, part, text');
  const items = await call(`${device.recognition}/v1/items?zzz=1`);
  assert.match(items.body.detail, /^zzz is not known here; known are \w+(, \w+)+$/);
});

test('the header of a key has one spelling, for any fault in it, on any way to the refusal', async () => {
  const path = '/v1/payments/1/refunds';
  const refund = (headers: Record<string, string>) => call(device.terminal + path, { json: { amount: 1 }, headers });
  const long = { 'idempotency-key': 'k'.repeat(129) };
  const typed = { 'content-type': 'application/json' };
  for (const answer of [
    await sell({ amount: 1 }, typed),
    await sell({ amount: 1 }, { ...typed, ...long }),
    await refund(typed),
    await refund({ ...typed, ...long }),
  ]) {
    refusedFor('Idempotency-Key', answer, 'a key');
    assert.match(answer.body.detail, /^the header Idempotency-Key (is required|must have at most 128 characters)/);
  }
  for (const key of ['', '\u00fc', 'k\t1']) {
    const { status, body } = await sell({ amount: 1 }, { ...typed, 'idempotency-key': key });
    assert.is(status, 400, key);
    const must =
      'must hold Latin letters, digits, spaces and signs such as - and _ alone, and neither begin nor end with a space';
    assert.is(body.detail, `the header Idempotency-Key ${must}`, key);
  }
  const after = await call(`${device.terminal}/v1/events`, { headers: { 'last-event-id': 'x' } });
  refusedFor('Last-Event-ID', after, 'a number');
  const document: Document = (await call(`${device.terminal}/openapi.json`)).body;
  const parameters = operationsOf(document).flatMap(({ operation }) => operation.parameters ?? []);
  const headers = parameters.filter((each) => 'in' in each && each.in === 'header').map((each) => Object(each).name);
  assert.equal([...new Set(headers)].toSorted(), ['Idempotency-Key', 'Last-Event-ID']);
});

test('a page is as large as is asked for, up to what one may have', () => {
  const pages = new Paging(20, 100);
  assert.equal([pages.sizeOf(undefined), pages.sizeOf(7), pages.sizeOf(1000)], [20, 7, 100]);
});

const sell = (json: object, headers: Record<string, string> = { 'idempotency-key': 'k' }): Promise<Answer> =>
  call(`${device.terminal}/v1/payments`, { json, headers });

test('a refusal says what may have been meant, what the limit counts, and what to do', async () => {
  const detail = async (answer: Promise<Answer>): Promise<string> => (await answer).body.detail;
  assert.is(
    await detail(sell({ amount: 1, ttl: 200_000 })),
    'ttl must be from 1 to 60 minutes on this lane: ask for so many, or have terminal.ttlMaxMinutes of its configuration raised',
  );
  const least = 'ttl must be from 1 to 60 minutes on this lane: ask for so many, or leave it out';
  for (const ttl of [0, -1, -1e15]) assert.is(await detail(sell({ amount: 1, ttl })), least);
  // the nine calls take it, as none: a till that cannot change may send it
  const long = await call(`${device.terminal}/showQR`, { json: { amount: 1, ttl: 200_000 } });
  assert.is(long.body.error_message, 'ttl must be from 0 to 129600 minutes');
  assert.match(
    await detail(sell({ amount: 1 }, {})),
    /^the header Idempotency-Key is required: name each sale, refund or close of a shift by a key of your own/,
  );
  const wait = call(`${device.terminal}/v1/payments/1?wait=60`);
  assert.is(await detail(wait), 'wait must be from 0 to 25 seconds');
  const deleted = await call(`${device.recognition}/v1/items/none`, { method: 'DELETE' });
  const said = [deleted.status, deleted.body.detail];
  assert.equal(said, [404, 'nothing is said of an item none: there is nothing to delete']);
  const changed = await call(`${device.recognition}/v1/items/none`, { method: 'PATCH', json: { price: 1 } });
  assert.match(changed.body.detail, /: PUT \/v1\/items\/\{id\} says what it is$/);
});

test('an unknown path is answered plainly, in the words of the port and of /v1', async () => {
  for (const [base, method, path] of [
    [device.terminal, 'POST', '/showQr2'],
    [device.terminal, 'GET', '/v1/payment/4f9a-1'],
    [device.terminal, 'GET', '/api/get_result'],
    [device.terminal, 'GET', `/${'x'.repeat(8000)}`],
    [device.recognition, 'POST', '/showQR'],
    [device.recognition, 'GET', '/api/GetResult'],
  ] as const) {
    const { status, body } = await call(`${base}${path}`, { method });
    assert.is(status, 404, path);
    const message = body.detail ?? body.error_message ?? body.msg;
    assert.is(message, `there is no ${path} here; /reference shows the calls, /openapi.json lists them`);
  }
  for (const path of [`${device.terminal}/v1/payment`, `${device.recognition}/console/api/nothing`]) {
    const { body } = await call(path);
    assert.equal([body.code, body.status], ['RequestParams.UnknownPath', 404], path);
  }
});

test.run();
