// Puts the events of all stores from a chain's hub into a table of PostgreSQL (docs/chain.md): each once, and none is
// acknowledged before it is committed. It may be ended at any moment, and run twice.
//
//   npm install @nats-io/transport-node @nats-io/jetstream      and psql, which Debian has in postgresql-client
//   HUB=tls://hub-1.example,tls://hub-2.example,tls://hub-3.example HUB_CREDENTIALS=table.creds node hub-to-postgres.mjs
//
// HUB_CA is the PEM file of the hub's authority. psql finds its database by PGHOST, PGUSER and the rest of its variables.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator } from '@nats-io/transport-node';

const { HUB = '127.0.0.1', HUB_CREDENTIALS = 'table.creds', HUB_CA } = process.env;
const AT_ONCE = 500;
const LONGEST = 16_000; // of an event; PostgreSQL refuses JSON that is nested deeper than that could be
const WAIT_MS = 1000; // for a batch, and until it is tried again
// with the store, so that no store can take the place of another's event
const TABLE = `CREATE TABLE IF NOT EXISTS events (
  device text, number bigint, after bigint, type text NOT NULL, store text NOT NULL, event json NOT NULL,
  PRIMARY KEY (store, device, number));`;

const quoted = (value) => `'${value.replaceAll("'", "''")}'`;

/** Which store has sent it: the server has checked the subject by the credentials. */
const storeOf = (subject) => subject.split('.')[1];

/** A row of the table; null for what is no event: who has a store's credentials can send anything. */
function rowOf(subject, text) {
  try {
    const { device, number, after = null, type } = JSON.parse(text);
    const isEvent = /^[ -~]{1,64}$/.test(device) && /^[a-z._]{1,64}$/.test(type) && text.length <= LONGEST;
    if (!isEvent || ![number, after ?? 0].every(Number.isSafeInteger)) return null;
    const store = storeOf(subject);
    return `(${quoted(device)}, ${number}, ${after}, ${[type, store, text].map(quoted).join(', ')})`;
  } catch {
    return null;
  }
}

/** Settles once it is committed. */
async function commit(sql) {
  const psql = spawn('psql', ['-XqAt', '-1', '-v', 'ON_ERROR_STOP=1', '-f', '-'], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning', PGCLIENTENCODING: 'UTF8' },
  });
  psql.stdin.on('error', () => undefined); // its end says why
  psql.stdin.end(sql);
  const [code] = await once(psql, 'close');
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}

async function follow() {
  const connection = await connect({
    servers: HUB.split(','),
    authenticator: credsAuthenticator(readFileSync(HUB_CREDENTIALS)),
    ...(HUB_CA === undefined ? {} : { tls: { caFile: HUB_CA } }),
  });
  try {
    await commit(TABLE);
    const { consumers } = await jetstreamManager(connection);
    const durable = { durable_name: 'table', deliver_policy: DeliverPolicy.All };
    await consumers.add('EVENTS', { ...durable, ack_policy: AckPolicy.Explicit, max_ack_pending: 2 * AT_ONCE });
    const consumer = await jetstream(connection).consumers.get('EVENTS', 'table');
    for (;;) {
      const batch = [];
      for await (const message of await consumer.fetch({ max_messages: AT_ONCE, expires: WAIT_MS }))
        batch.push(message);
      if (batch.length === 0) continue;
      const read = batch.map((message) => [storeOf(message.subject), rowOf(message.subject, message.string())]);
      const rows = read.map(([, row]) => row).filter((row) => row !== null);
      const strange = Map.groupBy(
        read.filter(([, row]) => row === null),
        ([store]) => store,
      );
      for (const [store, all] of strange) console.error(`${store} has sent ${all.length} messages that are no events`);
      if (rows.length > 0)
        await commit(`INSERT INTO events VALUES ${rows.join(',\n')} ON CONFLICT (store, device, number) DO NOTHING;`);
      for (const message of batch) message.ack();
    }
  } finally {
    await connection.close();
  }
}

for (;;) {
  await follow().catch((error) => console.error(`${error.message}; it is tried again`));
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}
