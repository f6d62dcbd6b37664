/** A port's documents are made once, and anew after a failure. */
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addApiDocuments } from '../../firmware/core/http/reference/api-documents.ts';
import { terminalEnvelope } from '../../firmware/payments/http/nine/envelope.ts';

const test = suite('http: making of a document');

test('a document that could not be made is made at the next call, and only once', async () => {
  let calls = 0;
  const app = fastify();
  const about = { title: 'made up', version: '1', description: 'made up', tags: [] };
  addApiDocuments(app, about, { envelope: terminalEnvelope, problems: null }, async () => {
    calls += 1;
    if (calls === 1) throw new Error('out of file descriptors');
    return { openapi: '3.1.0' };
  });
  const failure = await app.describeApi('promised').catch((error: Error) => error.message);
  assert.is(failure, 'out of file descriptors');
  assert.equal(await app.describeApi('promised'), { openapi: '3.1.0' });
  await app.describeApi('promised');
  assert.is(calls, 2);
});

test.run();
