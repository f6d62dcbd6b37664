/** The sample that fills a chain's table: no store takes the place of another's events, and what is no event is named with its store. */

import { readFileSync } from 'node:fs';
import { jetstream } from '@nats-io/jetstream';
import { connect, credsAuthenticator } from '@nats-io/transport-node';
import * as assert from 'uvu/assert';
import { encodePart } from '../../../drivers/lib/text.ts';
import { suiteNeeding } from '../../needing.ts';
import { Program } from '../../process.ts';
import { until } from '../../support.ts';
import { NO_SERVER, startServer } from './nats.ts';
import { NO_POSTGRES, startPostgres } from './postgres.ts';

const test = suiteNeeding(NO_SERVER ?? NO_POSTGRES, 'chain: the table');

const DEVICE = 'LW-1';
const eventOf = (number: number, of: string): string =>
  JSON.stringify({ device: DEVICE, number, after: null, type: 'payment.created', of });

test("a store that sends events of another store's device takes no event's place", async () => {
  await using server = await startServer();
  await server.makeStreams();
  await using postgres = await startPostgres();
  const send = async (store: string, body: string): Promise<void> => {
    const connection = await connect({
      servers: server.url.replace('nats://', ''),
      authenticator: credsAuthenticator(readFileSync(server.admit(store))),
      inboxPrefix: `_INBOX.${store}`,
    });
    await jetstream(connection).publish(`up.${store}.event.${encodePart(DEVICE)}.payment`, body);
    await connection.close();
  };
  await send('M2', eventOf(1, 'the liar'));
  await send('M2', 'no event');
  await send('M1', eventOf(1, 'the owner'));
  const HUB_CREDENTIALS = server.admit('table', { publish: ['>'], subscribe: ['>'] });
  await using table = new Program(['clients/chain/hub-to-postgres.mjs'], {
    ...postgres.environment,
    HUB: server.url.replace('nats://', ''),
    HUB_CREDENTIALS,
  });
  await until('both rows', () => {
    if (postgres.ask(`SELECT to_regclass('events')`).length === 0) return false;
    return postgres.ask('SELECT store FROM events').length === 2;
  });
  assert.equal(postgres.ask(`SELECT store, number, event->>'of' FROM events ORDER BY store`), [
    'M1|1|the owner',
    'M2|1|the liar',
  ]);
  await until('what is no event', () => table.errors.includes('M2 has sent 1 messages that are no events'));
});

test.run();
