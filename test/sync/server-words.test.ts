/** Which of the messages of the master's server reach the log. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RepeatedLines } from '../../firmware/sync/centre/server.ts';

const test = suite("synchronisation: the server's words");

test('a line that comes a thousand times is one line a minute, and then says how often it came', () => {
  const said: object[] = [];
  let now = 0;
  const lines = new RepeatedLines({ warn: (details: object) => void said.push(details) }, () => now);
  for (let seq = 0; seq < 1000; seq++) lines.warn(`failed to store message ${seq}: no space left`, 'nats-server');
  lines.warn('another thing', 'nats-server');
  assert.equal(said, [{ server: 'failed to store message 0: no space left' }, { server: 'another thing' }]);
  now = 59_999;
  lines.warn('failed to store message 7: no space left', 'nats-server');
  assert.is(said.length, 2);
  now = 60_000;
  lines.warn('failed to store message 8: no space left', 'nats-server');
  assert.equal(said.at(-1), { server: 'failed to store message 8: no space left', more: 1000 });
  now = 120_000;
  lines.warn('failed to store message 9: no space left', 'nats-server');
  assert.equal(said.at(-1), { server: 'failed to store message 9: no space left' });
});

test.run();
