/** What one synchronisation asks of a real server: a listing where nothing is known, else what came since. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { type Bucket, entrySubject } from '../../firmware/sync/centre/subjects.ts';
import { SyncError } from '../../firmware/sync/errors.ts';
import { MasterCentre } from '../../firmware/sync/master/master-centre.ts';
import { encodeTemplate } from '../../firmware/sync/member/codec.ts';
import { Rounds } from '../../firmware/sync/member/round.ts';
import { needing } from '../skipping.ts';
import { abandonedServer } from './abandoned-server.ts';
import { type Lane, NO_SERVER, startLane } from './rig.ts';

const rounds = suite('synchronisation: one round');
const test = needing(NO_SERVER, 'synchronisation: one round', rounds);

const listener = {
  ...{ onProgress: () => undefined, onStatus: () => undefined, onHint: () => undefined },
  onPairing: async () => 'nobody is paired here',
};
const log = { warn: (): void => undefined };
const SETTINGS = { upload: true, download: true, limit: 0 };
const CROP = Buffer.from([0xff, 0xd8, 0xff]);

/** Says what is asked of it, and of which server it is. */
class WatchedCentre extends Centre {
  asked: string[] = [];
  process = 'first';

  override get server(): string {
    return this.process;
  }

  override list(bucket: Bucket) {
    this.asked.push(`list ${bucket}`);
    return super.list(bucket);
  }

  override at(bucket: Bucket, number: number) {
    this.asked.push(`${bucket} ${number}`);
    return super.at(bucket, number);
  }

  override get(bucket: Bucket, subject: string) {
    if (bucket === 'templates') this.asked.push('get');
    return super.get(bucket, subject);
  }
}

/** Of another device. */
const template = (item: string, sid: string) => ({
  ...{ item, sid, origin: 'B', createdAt: 1, model: 'm', vector: new Uint8Array(8), crop: CROP },
  cropSha256: createHash('sha256').update(CROP).digest(),
});
const sidOf = (number: number): string => `20261120${String(number).padStart(15, '0')}`;

const NO_WIPES = {
  carryOut: async () => false,
  newcomers: () => [],
  isCentreEmptied: () => false,
  noteCentreEmptied: async (_id: string) => undefined,
};

const roundsOf = ({ recognition: { exchange, templates } }: Lane, serial = 'A', wipes = NO_WIPES): Rounds =>
  new Rounds({
    ...{ serial, max: templates.max, exchange, log, orphanMs: 60_000, wipes },
    monotonic: () => Math.round(performance.now()),
  });

test('a bucket is listed once; then messages are asked for by their numbers, and a killed server is trusted in nothing', async () => {
  await using server = await abandonedServer();
  await using lane = await startLane('A');
  const { connection } = server;
  const master = await MasterCentre.open({ serial: 'M', storageMb: 16, connection, listener, log });
  await master.publish({ boot: 'boot', marks: [] });
  const centre = new WatchedCentre(connection);
  const own = roundsOf(lane);
  const { signal } = new AbortController();
  const run = async () => {
    centre.asked = [];
    return await own.run(centre, SETTINGS, signal);
  };
  const put = async (item: string, number: number): Promise<void> => {
    const each = template(item, sidOf(number));
    await centre.put(entrySubject('templates', 'B', each), encodeTemplate(each));
  };
  await put('7', 1);
  assert.is((await run()).fetched, 1);
  assert.equal(centre.asked, ['list tombstones', 'list templates', 'get']);
  await run();
  assert.equal(centre.asked, []);
  await put('7', 2);
  await put('8', 3);
  // with the message comes what lies there
  assert.is((await run()).fetched, 2);
  assert.equal(centre.asked, ['templates 2', 'templates 3']);
  await lane.learn('9');
  own.note({ kind: 'removed', ids: [], items: ['9'] });
  assert.is((await run()).put, 1);
  await run();
  assert.equal(centre.asked, []);
  centre.process = 'second';
  await run();
  assert.equal(centre.asked, ['list tombstones', 'list templates']);
});

test('a master of an earlier release, whose server answers not by number, is listed', async () => {
  await using server = await abandonedServer();
  await using lane = await startLane('A');
  const { connection } = server;
  await MasterCentre.open({ serial: 'M', storageMb: 16, connection, listener, log });
  const centre = new WatchedCentre(connection);
  await centre.put('$KV.laneware_marks.current', JSON.stringify({ boot: 'boot', serial: 'M', marks: [] }));
  const own = roundsOf(lane);
  const { signal } = new AbortController();
  await own.run(centre, SETTINGS, signal);
  const each = template('7', sidOf(1));
  await centre.put(entrySubject('templates', 'B', each), encodeTemplate(each));
  centre.asked = [];
  assert.is((await own.run(centre, SETTINGS, signal)).fetched, 1);
  assert.equal(centre.asked, ['list templates', 'get']);
});

/** Takes no tombstone while it is full. */
class FullCentre extends Centre {
  isFull = true;

  override put(subject: string, bytes: Uint8Array | string) {
    if (this.isFull && subject.includes('tombstones')) return Promise.reject(new SyncError('full', 'no room'));
    return super.put(subject, bytes);
  }
}

test('what lies at the centre counts as forgotten once it is, and not while the centre takes nothing', async () => {
  await using server = await abandonedServer();
  await using lane = await startLane('M');
  const { connection } = server;
  const master = await MasterCentre.open({ serial: 'M', storageMb: 16, connection, listener, log });
  await master.publish({ boot: 'boot', marks: [], wipe: { id: 'first', devices: ['M'], done: [] } });
  const centre = new FullCentre(connection);
  const foreign = template('7', sidOf(1));
  await centre.put(entrySubject('templates', 'B', foreign), encodeTemplate(foreign));
  const emptied: string[] = [];
  const own = roundsOf(lane, 'M', {
    ...NO_WIPES,
    noteCentreEmptied: async (id) => {
      emptied.push(id);
    },
  });
  const { signal } = new AbortController();
  assert.is.not((await own.run(centre, SETTINGS, signal)).failure, null);
  assert.equal(emptied, []);
  centre.isFull = false;
  await own.run(centre, SETTINGS, signal);
  assert.equal(emptied, ['first']);
  assert.is(lane.recognition.exchange.count(), 0);
});

rounds.run();
