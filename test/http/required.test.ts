/** A missing field is reported with its form or limits, its purpose, and an example. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice } from '../support.ts';
import { DESCRIBED } from './described.ts';
import { type ApiDocument, type Call, callsOf, type JsonObject, resolved } from './documents.ts';

const test = suite('http: what is required');

const JSON_TYPE = 'application/json';

/** Each required field of an object, also within: where it stands, and the object without it. */
function without(
  schema: JsonObject,
  whole: JsonObject,
  at = '',
): { path: string; schema: JsonObject; rest: JsonObject }[] {
  const properties = Object(schema.properties);
  return ((schema.required ?? []) as readonly string[]).flatMap((name) => {
    const { [name]: value, ...rest } = whole;
    const own = { path: `${at}${name}`, schema: properties[name], rest };
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const inner = isObject ? without(properties[name], value as JsonObject, `${own.path}.`) : [];
    return [own, ...inner.map((each) => ({ ...each, rest: { ...whole, [name]: each.rest } }))];
  });
}

function exampleOf({ requestBody }: Call): JsonObject | null {
  const media = requestBody?.content[JSON_TYPE];
  const [example = media?.example] = (media?.schema?.examples ?? []) as readonly JsonObject[];
  return (example as JsonObject | undefined) ?? null;
}

test('each call of both ports says of each field that it lacks what it is, and its form', async () => {
  await using device = await startTestDevice();
  let count = 0;
  for (const [port, path] of DESCRIBED) {
    const raw: ApiDocument = (await call(device[port] + path)).body;
    for (const each of callsOf(resolved(raw, raw))) {
      const example = exampleOf(each);
      if (example === null) continue;
      const schema = each.requestBody?.content[JSON_TYPE]?.schema ?? {};
      for (const { path: place, schema: field, rest } of without(schema, example)) {
        const url = device[port] + each.url.replace('{person}', 'cashier').replaceAll(/\{\w+\}/g, '1'.repeat(12));
        const headers = { 'content-type': JSON_TYPE, 'idempotency-key': 'k' };
        const { text, body } = await call(url, { method: each.method.toUpperCase(), json: rest, headers });
        const sentence = String(body.detail ?? body.error_message ?? body.msg);
        const what = `${each.named}, ${place}: ${text}`;
        assert.match(sentence, `${place} is required: `, what);
        assert.type(field.description, 'string', `${each.named}, ${place} is not described`);
        assert.match(sentence, String(field.description), what);
        assert.match(
          sentence,
          /; (a text|a whole number|a number|one of|true or false|a list|an object|"[\w-]+")/,
          what,
        );
        count += 1;
      }
    }
  }
  assert.ok(count > 40, String(count));
});

test('an example stands beside it where it is short, and what a place asks for comes first', async () => {
  await using device = await startTestDevice();
  const detailOf = async (path: string, json: object): Promise<string> => {
    const { body } = await call(device.terminal + path, { json });
    return body.detail ?? body.error_message;
  };
  assert.is(
    await detailOf('/showQR', {}),
    'amount is required: what is to be paid, in kopecks; a whole number from 1 kopeck (0.01 roubles) to 100000000 kopecks (1000000.00 roubles); for example 12345',
  );
  assert.match(await detailOf('/v1/payments/1/refunds', {}), / roubles\) or "all"; for example 345$/);
  const detail = await detailOf('/v1/payments', { amount: 1 });
  assert.match(detail, /sent; the same again is the same one; a text of at most 128 /);
  assert.match(await detailOf('/updateDriverSettings', {}), /; an object$/, 'a long example is for the document');
  const beside = (await call(`${device.terminal}/v1/payments?to=2026-11-21`)).body.detail;
  assert.match(beside, /^from is required beside to: the first of the days .*as 2026-11-21/);
});

test.run();
