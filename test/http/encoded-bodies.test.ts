/** A compressed body is refused with the header's name: the device would read it as broken JSON. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, onSetUpDevice } from '../support.ts';

const test = suite('http: Content-Encoding');
const it = each(test, onSetUpDevice);

const COMPRESSED = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'compress', 'GZIP', 'identity, gzip'];
const PLAIN = ['identity', 'utf-8', 'UTF-8'];

const sent = (url: string, encoding: string, json: object, method = 'POST') =>
  call(url, {
    method,
    body: JSON.stringify(json),
    headers: { 'content-encoding': encoding, 'content-type': 'application/json', 'idempotency-key': `in ${encoding}` },
  });

it('a compressed body is 415 under /v1, and 400 with the name of the header at the older calls', async ({
  terminal,
  recognition,
}) => {
  for (const encoding of COMPRESSED) {
    for (const url of [
      `${terminal}/v1/payments`,
      `${recognition}/v1/items/4011/templates`,
      `${recognition}/console/api/session`,
    ]) {
      const { status, body } = await sent(url, encoding, { amount: 100 });
      assert.equal([status, body.code], [415, 'RequestParams.UnsupportedMediaType'], `${url} ${encoding}`);
      assert.match(body.detail, /Content-Encoding/);
    }
    const older = await sent(`${terminal}/showInfoQR`, encoding, { infoQR: 'x' });
    assert.equal([older.status, older.body.error_category], [400, 'RequestParams'], encoding);
    assert.match(older.body.error_message, /Content-Encoding/);
    const original = await sent(`${recognition}/api/set_result_count`, encoding, { count: 3 });
    assert.is(original.status, 400, encoding);
    assert.match(original.body.msg, /Content-Encoding/);
  }
});

it('what names no compression is read as it is', async ({ terminal, recognition }) => {
  for (const encoding of PLAIN) {
    assert.is((await sent(`${terminal}/showInfoQR`, encoding, { infoQR: 'x' })).status, 200, encoding);
    const sale = await sent(`${terminal}/v1/payments`, encoding, { amount: 100 });
    assert.is(sale.status, 201, sale.text);
    assert.is((await sent(`${recognition}/api/set_result_count`, encoding, { count: 3 })).status, 200, encoding);
  }
});

test.run();
