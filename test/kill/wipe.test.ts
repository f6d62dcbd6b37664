/** Everything is deleted on every device of a store, and master and slave are killed while they are at it. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { Program } from '../process.ts';
import { call, type TemporaryFolder, temporaryFolder, until } from '../support.ts';
import { NO_SERVER } from '../sync/real-rig.ts';
import { seedTemplates } from '../sync/seeded-store.ts';
import { forgottenBy, wipe } from '../sync/store.ts';
import { Killable } from './killable.ts';

const killed = suite('synchronisation: killed while everything is deleted');
const test = needing(NO_SERVER, 'synchronisation: killed while everything is deleted', killed);

const COUNT = 300;
const BYTES = 1000;

/** A device of a store that can be killed, and started anew with what it has written until then. */
class Member extends Killable<string> {
  readonly #folder: TemporaryFolder;
  #program: Program | null = null;

  constructor(serial: string, port: number) {
    const folder = temporaryFolder();
    const of = ['--serial', serial, '--folder', folder.path, '--port', String(port)];
    super(async () => {
      const program = new Program(['test/sync/lane-process.ts', ...of], {}, { input: true });
      this.#program = program;
      return { program, ready: await program.line(({ url }) => (typeof url === 'string' ? url : null)) };
    });
    this.#folder = folder;
    seedTemplates(folder.path, { count: COUNT, bytes: BYTES, origin: serial });
  }

  get url(): string {
    return this.ready ?? '';
  }

  /** Templates, as they lie on the disk. */
  count(): number {
    using db = openFile(join(this.#folder.path, 'templates.db'), { readOnly: true });
    return Number(db.prepare('SELECT count(*) AS count FROM templates').get()?.count);
  }

  /** Kills it as soon as it has begun to forget, which is long before it is done. */
  async killForgetting(): Promise<void> {
    const before = this.count();
    await until('it has begun', () => this.count() < before);
    await this.kill();
  }

  teach(item: string): void {
    this.#program?.child.stdin?.write(`${JSON.stringify({ teach: item })}\n`);
  }

  async v1(method: string, path: string, json?: unknown) {
    return (await call(`${this.url}/console/api/store${path}`, json === undefined ? { method } : { method, json }))
      .body;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Both hold what either has. */
async function makeStore(master: Member, slave: Member, port: number): Promise<void> {
  await master.start();
  await slave.start();
  await master.v1('POST', '', {});
  const { code } = await until('a pairing code', async () => {
    const body = await master.v1('POST', '/pairing-code');
    return typeof body.qr === 'object' && body;
  });
  await slave.v1('PUT', '/master', { host: '127.0.0.1', port, code });
  await until('both hold all', () => master.count() === 2 * COUNT && slave.count() === 2 * COUNT);
}

test('with master and slave killed midway all is gone once, and what is taught later stays', async () => {
  const port = await freePort();
  await using master = new Member('M', port);
  await using slave = new Member('S', port);
  await makeStore(master, slave, port);
  const answer = wipe(master).catch(() => null);
  await master.killForgetting();
  await answer;
  await master.start();
  await slave.killForgetting();
  await slave.start();
  await forgottenBy(master, ['M', 'S']);
  assert.equal([master.count(), slave.count()], [0, 0]);
  master.teach('new of the master');
  slave.teach('new of the slave');
  await until('both have what is new', () => master.count() === 2 && slave.count() === 2);
  await answer;
  assert.is((await wipe(master)).status, 200, 'sent again, as after a lost answer');
  for (const each of [master, slave, master]) await each.v1('POST', '/rounds');
  assert.equal([master.count(), slave.count()], [2, 2]);
});

killed.run();
