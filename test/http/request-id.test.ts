/** Every answer has an id that its caller can quote, and the log lines about it name the same. */
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call } from '../support.ts';
import { onEachRouter } from './servers.ts';

const test = suite('http: the id of a request');

test('each answer has its own id, a refusal and a failure too, and the log names it', async () => {
  const lines: { reqId?: string; msg: string }[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await onEachRouter(
    { logger },
    (app) => {
      app.get('/fine', { schema: { hide: true } as object }, async () => ({}));
      app.get('/broken', { schema: { hide: true } as object }, async () => {
        throw new Error('made to fail');
      });
    },
    async (_router, url) => {
      const ask = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
        (await call(url + path, { headers })).headers.get('laneware-request-id') ?? '';
      const fine = [await ask('/fine'), await ask('/fine', { 'laneware-request-id': 'mine', 'request-id': 'mine' })];
      const [missing, stranger] = [await ask('/nowhere'), await ask('/fine', { origin: 'https://stranger.example' })];
      const [broken, unreadable] = [await ask('/broken'), await ask('/items/%ff')];
      const all = [...fine, missing, stranger, broken, unreadable];
      for (const id of all) assert.match(id, /^[\w-]{8}$/);
      assert.is(new Set(all).size, all.length);
      const logged = (id: string) => lines.filter(({ reqId }) => reqId === id).map(({ msg }) => msg);
      const said = [logged(broken), logged(missing), logged(stranger)];
      assert.equal(said, [['unexpected error'], ['a call was refused'], ['a call was refused']]);
    },
  );
});

test.run();
