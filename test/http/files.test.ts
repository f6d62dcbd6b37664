/** Bodies that are files: only the types that a call takes reach it, as it takes them. */
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { acceptFiles } from '../../firmware/core/http/body.ts';

const files = suite('bodies that are files');

files('a type that is named is parsed, any other is refused, JSON too', async () => {
  const app = fastify();
  acceptFiles(app, { 'image/jpeg': (bytes) => `${bytes.length} bytes` }, 'a picture, please');
  app.post('/', async ({ body }) => ({ body }));
  const send = async (type: string, payload: string) => {
    const answer = await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload });
    return answer.json().body ?? answer.json().message;
  };
  assert.is(await send('image/jpeg', 'abc'), '3 bytes');
  for (const type of ['application/json', 'text/plain', 'image/png'])
    assert.is(await send(type, '{}'), 'a picture, please');
  await app.close();
});

files.run();
