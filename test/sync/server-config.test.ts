/** The configuration of the master's server, and which of its messages reach the log. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RepeatedLines } from '../../firmware/sync/centre/server.ts';
import { serverConfig } from '../../firmware/sync/centre/server-config.ts';

const test = suite("synchronisation: the server's configuration and words");

const configOf = (version: string): string =>
  serverConfig({
    ...{ serial: 'M', host: '127.0.0.1', port: 7443, folder: '/data/sync', storageMb: 16, masterKey: 'key' },
    ...{ devices: [], pairingSecret: null, version },
  });

test('a server that can syncs each write to the disk, and one that cannot is not configured to', () => {
  for (const version of ['2.10.0', '2.11.4', '2.14.1', '3.0.0'])
    assert.match(configOf(version), /^jetstream: \{.*\bsync_interval: always\b.*\}$/m, version);
  // these refuse to start with it
  for (const version of ['2.9.10', '2.2.0', '1.4.1', '0.0.0'])
    assert.not.match(configOf(version), 'sync_interval', version);
});

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
