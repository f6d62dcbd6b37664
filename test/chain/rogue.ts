/** Somebody who has the whole credential of one store, and bad intentions: a server of his own that joins as its leaf. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import type { JoinFile } from '../../firmware/chain/join-file.ts';
import { freePort } from '../ports.ts';
import { temporaryFolder, until } from '../support.ts';

/** Longer than any answer over loopback takes. */
const ANSWER_MS = 1000;
/** What it asks for begins with one of these. */
const ASKED = ['laneware.>', 'up.>', 'down.>', 'told.>', '$JS.>', '$KV.>'];

export interface Rogue extends AsyncDisposable {
  readonly connection: NatsConnection;
  /** What came back, or null. */
  ask(subject: string, body?: string, more?: Readonly<Record<string, string>>): Promise<string | null>;
  /** The same of many at once. @returns those that were answered */
  answered(subjects: readonly string[], body?: string): Promise<readonly string[]>;
  /** Everything that it hears from now on. */
  readonly heard: string[];
  /** Whether the hub has it connected. */
  isLetIn(): Promise<boolean>;
}

export async function startRogue(file: JoinFile): Promise<Rogue> {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const [port, monitor] = [await freePort(), await freePort()];
  writeFileSync(at('creds'), file.credentials);
  writeFileSync(at('ca.pem'), file.authority);
  const urls = file.servers.map((server) => JSON.stringify(`tls://${server}`)).join(', ');
  const remote = `urls: [${urls}], credentials: "${at('creds')}", tls: { ca_file: "${at('ca.pem')}" }`;
  // one user beside the leaf; and one who asks from another account, as the devices of a store do, for answers come back so only
  const imports = ASKED.map((subject) => `{ service: { account: LEAF, subject: "${subject}" } }`).join(', ');
  const config = `listen: 127.0.0.1:${port}
http: 127.0.0.1:${monitor}
leafnodes: { remotes: [ { ${remote}, account: LEAF } ] }
accounts: {
  LEAF: { users: [ { user: beside, password: beside } ], exports: [ { service: ">" } ] }
  ASKING: { users: [ { user: asking, password: asking } ], imports: [ ${imports} ] }
}
`;
  writeFileSync(at('nats.conf'), config);
  const server = spawn('nats-server', ['--config', at('nats.conf')], { stdio: 'ignore' });
  const over = once(server, 'close');
  const dial = (user: string) =>
    until('the rogue server', () =>
      connect({ servers: `127.0.0.1:${port}`, user, pass: user, reconnect: false }).catch(() => null),
    );
  const [connection, asking] = [await dial('beside'), await dial('asking')];
  const isLetIn = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${monitor}/leafz`);
    return ((await answer.json()) as { leafnodes: number }).leafnodes === 1;
  };
  await until('the rogue is let in', isLetIn);
  const heard: string[] = [];
  connection.subscribe('>', {
    callback: (_error, { subject, reply }) => void heard.push(`${subject} ${reply ?? ''}`),
  });
  await connection.flush();
  const ask: Rogue['ask'] = async (subject, body = '', more = {}) => {
    const sent = headers();
    for (const [name, value] of Object.entries(more)) sent.set(name, value);
    connection.publish(subject, body, { headers: sent });
    // its own ear hears the question, too: only an answer counts
    const answered = asking.request(subject, body, { timeout: ANSWER_MS, headers: sent });
    return await answered.then(
      (message) => ((message.headers?.code ?? 0) >= 400 ? null : message.string()),
      () => null,
    );
  };
  return {
    connection,
    heard,
    isLetIn,
    ask,
    answered: async (subjects, body) => {
      const answers = await Promise.all(
        subjects.map(async (subject) => ((await ask(subject, body)) === null ? [] : [subject])),
      );
      return answers.flat();
    },
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await asking.close();
      server.kill('SIGKILL');
      await over;
      folder[Symbol.dispose]();
    },
  };
}
