/** The master's hand at its centre, and what one synchronisation asks there: the same of a made-up server and of the real one. */

import { createHash } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import * as assert from 'uvu/assert';
import { decodePart, encodePart } from '../../drivers/lib/text.ts';
import type { ItemRecord } from '../../firmware/recognition/items/item-versions.ts';
import { Centre, type Mark } from '../../firmware/sync/centre/centre.ts';
import { connectTo, shownCertificate } from '../../firmware/sync/centre/connect.ts';
import { listenToDevices } from '../../firmware/sync/centre/device-messages.ts';
import { MasterCentre } from '../../firmware/sync/centre/master-centre.ts';
import type { OpenServer } from '../../firmware/sync/centre/server.ts';
import {
  BUCKETS,
  type Bucket,
  entrySubject,
  PAIR_INBOX,
  PAIR_SUBJECT,
  PAIR_USER,
  streamOf,
  subjectOf,
} from '../../firmware/sync/centre/subjects.ts';
import { SyncError } from '../../firmware/sync/errors.ts';
import { ItemRounds } from '../../firmware/sync/item-rounds.ts';
import { Rounds } from '../../firmware/sync/round.ts';
import { syncFailure } from '../../firmware/sync/sync-failure.ts';
import { encodeTemplate } from '../../firmware/sync/template-format.ts';
import { madeUpJpeg } from '../made-up-jpeg.ts';
import { pick } from '../support.ts';
import { abandonedServer } from './abandoned-server.ts';
import { type Lane, startLane } from './rig.ts';

const listener = {
  ...{ onProgress: () => undefined, onStatus: () => undefined, onHint: () => undefined },
  onPairing: async () => 'no device is paired here',
};
const log = { info: (): void => undefined, warn: (): void => undefined };
const clock = { bootId: 'boot', wall: Date.now, monotonic: () => Math.round(performance.now()) };
const MARKS = { boot: 'boot', marks: [{ item: '7', id: 'one', done: [] }] };
const REPORTED = {
  ...{ boot: 'boot', serial: 'M' },
  marks: [{ item: '7', id: 'one' }],
  kept: { created: '', last: 0 },
};
const SETTINGS = { upload: true, download: true, limit: 0 };
const CROP = madeUpJpeg();

/** Says what is asked of it, and of which server it is. */
class WatchedCentre extends Centre {
  asked: string[] = [];
  /** Called at each look at a template. */
  onAsked = (): void => undefined;
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
    if (bucket === 'templates') {
      this.asked.push('get');
      this.onAsked();
    }
    return super.get(bucket, subject);
  }
}

/** Of another device. */
const template = (item: string, sid: string) => ({
  ...{
    item,
    sid,
    origin: 'B',
    createdAt: 1,
    model: 'm',
    vector: new Uint8Array(new Float32Array([0.6, 0.8]).buffer),
    crop: CROP,
  },
  cropSha256: createHash('sha256').update(CROP).digest(),
});
const sidOf = (number: number): string => `20261120${String(number).padStart(15, '0')}`;

const NO_WIPES = {
  carryOut: async () => false,
  newcomers: () => [],
  isCentreEmptied: () => false,
  recordCentreEmptied: async (_id: string) => undefined,
};

const roundsOf = (
  { recognition }: Lane,
  serial = 'A',
  wipes = NO_WIPES,
  ownMarks: () => readonly Mark[] | null = () => null,
): Rounds => new Rounds({ serial, clock, log }, recognition, wipes, ownMarks, 60_000);

/** Takes no tombstone while it is full. */
class FullCentre extends Centre {
  isFull = true;

  override put(subject: string, bytes: Uint8Array | string) {
    if (this.isFull && subject.includes('tombstones')) return Promise.reject(new SyncError('full', 'no room'));
    return super.put(subject, bytes);
  }
}

export function addCentreCases(test: (name: string, run: () => Promise<void>) => unknown, open: OpenServer): void {
  test('marks that are garbage are written anew', async () => {
    await using server = await abandonedServer(open);
    const { connection } = server;
    const master = await MasterCentre.open(connection, 'M', 16, log);
    const centre = new Centre(connection);
    for (const garbage of ['garbage', '{}', '']) {
      await centre.put(subjectOf('marks', 'current'), garbage);
      await master.publish(MARKS);
      assert.equal(await centre.marks(), REPORTED);
    }
  });

  test('a pairing is answered to who asks, and written nowhere else', async () => {
    await using server = await abandonedServer(open);
    const { connection, address, code } = server;
    const master = await MasterCentre.open(connection, 'M', 16, log);
    listenToDevices(connection, 'M', listener, log);
    await master.publish(MARKS);
    const stranger = await connectTo({
      address,
      certificate: await shownCertificate(address),
      inboxPrefix: PAIR_INBOX,
      credential: { kind: 'password', user: PAIR_USER, password: code.secret },
    });
    for (const reply of [subjectOf('marks', 'current'), '$JS.API.STREAM.DELETE.KV_laneware_marks'])
      stranger.publish(PAIR_SUBJECT, '{}', { reply });
    const { data } = await stranger.request(PAIR_SUBJECT, '{}');
    assert.match(Buffer.from(data).toString(), 'no device is paired here');
    await stranger.close();
    assert.equal(await new Centre(connection).marks(), REPORTED);
  });

  test('a bucket that somebody has deleted is named, and made anew when the centre is opened', async () => {
    const remade = async (bucket: Bucket): Promise<void> => {
      await using server = await abandonedServer(open);
      const { connection } = server;
      const master = await MasterCentre.open(connection, 'M', 16, log);
      await master.requireBuckets();
      await (await jetstreamManager(connection)).streams.delete(streamOf(bucket));
      const failure = await master.requireBuckets().then(() => null, syncFailure);
      assert.is(failure?.code, 'not-ready');
      assert.match(failure?.message ?? '', `the centre has no bucket ${bucket} now: what is gone is made anew`);
      await MasterCentre.open(connection, 'M', 16, log);
      await master.requireBuckets();
    };
    await Promise.all(BUCKETS.map(remade)); // each waits as long as for a server that is away
  });

  test('a server without room for the buckets is no centre, and is not taken for one that is away', async () => {
    await using server = await abandonedServer(open);
    const { connection } = server;
    const opened = MasterCentre.open(connection, 'M', 4096, log);
    const failure = await opened.then(() => null, syncFailure);
    assert.is(failure?.code, 'refused');
    assert.match(failure?.message ?? '', 'insufficient storage');
  });

  test('a bucket is listed once, then asked for by numbers; a killed server is not trusted in any', async () => {
    await using server = await abandonedServer(open);
    await using lane = await startLane('A');
    const { connection } = server;
    const master = await MasterCentre.open(connection, 'M', 16, log);
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
    own.recordChange({ kind: 'removed', ids: [], items: ['9'] });
    assert.is((await run()).put, 1);
    await run();
    assert.equal(centre.asked, []);
    centre.process = 'second';
    await run();
    assert.equal(centre.asked, ['list tombstones', 'list templates']);
  });

  test('each bucket has room of its own, and together they fit into that of the server', async () => {
    await using server = await abandonedServer(open);
    await MasterCentre.open(server.connection, 'M', 16, log);
    const manager = await jetstreamManager(server.connection);
    const room = { file: 0, memory: 0 };
    for (const bucket of BUCKETS) {
      const { max_bytes, max_msgs, max_msg_size, storage } = (await manager.streams.info(streamOf(bucket))).config;
      for (const limit of [max_bytes, max_msgs, max_msg_size]) assert.ok(limit > 0, bucket);
      room[storage] += max_bytes / 1024 ** 2;
    }
    assert.ok(room.file <= 16 + 160, String(room.file));
    assert.ok(room.memory <= 16, String(room.memory));
    const centre = new Centre(server.connection);
    const put = (bucket: Bucket, bytes: number) => centre.put(subjectOf(bucket, 'x'), Buffer.alloc(bytes));
    for (const bucket of ['tombstones', 'devices'] as const)
      assert.is(await put(bucket, 5000).then(String, ({ code }) => code), 'refused');
    await put('templates', 500_000);
  });

  test('what those have put who are no members is taken away, of every kind, and nothing else', async () => {
    await using server = await abandonedServer(open);
    const master = await MasterCentre.open(server.connection, 'M', 16, log);
    const centre = new Centre(server.connection);
    const given = async (serial: string): Promise<void> => {
      const part = encodePart(serial);
      const name = { item: '7', origin: serial, sid: sidOf(1) };
      await centre.put(entrySubject('templates', serial, name), 'garbage');
      await centre.put(subjectOf('templates', `${part}.a.b.c`), 'no name');
      await centre.put(entrySubject('tombstones', serial, { ...name, sid: sidOf(2) }), '{}');
      await centre.put(subjectOf('items', `${part}.1`), '{}');
      for (const bucket of ['progress', 'devices'] as const) await centre.putOwn(bucket, serial, {});
    };
    for (const serial of ['M', 'S1', 'EVIL']) await given(serial);
    const publishers = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const bucket of BUCKETS)
        for (const subject of (await centre.list(bucket)).subjects)
          found.push(decodePart(subject.slice(subjectOf(bucket, '').length).split('.')[0] ?? '') ?? '');
      return found.sort();
    };
    const rest = ['M', 'S1'].flatMap((serial) => Array.from({ length: 6 }, () => serial));
    const marks = { boot: 'boot', marks: [] };
    await master.sweep(marks);
    await master.dropStrangers(['M', 'S1', 'EVIL']);
    assert.is((await publishers()).length, 18);
    await master.dropStrangers(['M', 'S1']);
    assert.equal(await publishers(), rest);
    await master.sweep(marks);
    assert.equal(await publishers(), rest);
    // until the server knows of it, who was shut out goes on
    await given('EVIL');
    await master.sweep(marks);
    master.recheckMembers();
    await master.dropStrangers(['M', 'S1']);
    assert.equal(await publishers(), rest);
  });

  test('names of items are listed once, then by number, and again after a refusal or a kill', async () => {
    await using server = await abandonedServer(open);
    await MasterCentre.open(server.connection, 'M', 16, log);
    const centre = new WatchedCentre(server.connection);
    const taken: string[] = [];
    let failure: Error | null = null;
    const items = {
      problem: null,
      records: async function* () {}, // has nothing to say itself
      applyLater: async (words: readonly ItemRecord[]) => {
        if (failure !== null) throw failure;
        taken.push(...words.map(({ id }) => id));
      },
      believable: (words: readonly ItemRecord[]) => [...words],
    };
    const rounds = new ItemRounds('A', items, log);
    const run = async (): Promise<string[]> => {
      centre.asked = [];
      taken.length = 0;
      await rounds.run(centre, SETTINGS);
      // a listing has no promised order
      return [...centre.asked, ...taken.toSorted((one, other) => Number(one) - Number(other))];
    };
    const say = (part: number, ...ids: string[]) =>
      centre.put(
        subjectOf('items', `${encodePart('B')}.${part}`),
        JSON.stringify({ words: ids.map((id) => ({ id, revision: 1, by: 'B', item: null })) }),
      );
    await say(1, '7');
    assert.equal(await run(), ['list items', '7']);
    assert.equal(await run(), []);
    await say(2, '8');
    await say(1, '9');
    assert.equal(await run(), ['items 2', 'items 3', '8', '9']);
    failure = new Error('the disk is full');
    await say(3, '10');
    assert.is(await run().catch(String), 'Error: the disk is full');
    failure = null;
    assert.equal(await run(), ['list items', '8', '9', '10']);
    centre.process = 'second';
    assert.equal(await run(), ['list items', '8', '9', '10']);
    // a word that is none is not taken, and the others are
    await say(3, ...['..', '.', 'a\nb', '\0', '\ud800', ''], '11', '12');
    assert.equal((await run()).slice(-2), ['11', '12']);
    assert.is(taken.length, 2);
  });

  test('what this device says of items is given again where the centre has lost it', async () => {
    await using server = await abandonedServer(open);
    await MasterCentre.open(server.connection, 'M', 16, log);
    const centre = new Centre(server.connection);
    const records = async function* () {
      yield [{ id: '7', revision: 1, by: 'A', item: null }];
    };
    const items = { problem: null, records, applyLater: async () => undefined, believable: () => [] };
    const rounds = new ItemRounds('A', items, log);
    const given = async (): Promise<number> => {
      await rounds.run(centre, SETTINGS);
      return (await centre.list('items')).subjects.length;
    };
    // the second time it sees what it has put itself
    assert.equal([await given(), await given()], [1, 1]);
    await centre.purge('items', '>');
    assert.is(await given(), 1);
  });

  test('a master takes back nothing marked, whether or not the centre returns the mark yet', async () => {
    await using server = await abandonedServer(open);
    await using lane = await startLane('M');
    const { connection } = server;
    const master = await MasterCentre.open(connection, 'M', 16, log);
    await master.publish({ boot: 'boot', marks: [] });
    const centre = new WatchedCentre(connection);
    let marks: Mark[] = [{ item: '7', id: 'one' }];
    const own = roundsOf(lane, 'M', NO_WIPES, () => marks);
    for (const item of ['7', '8', '9']) {
      const each = template(item, sidOf(Number(item)));
      await centre.put(entrySubject('templates', 'B', each), encodeTemplate(each));
    }
    centre.onAsked = () => {
      marks = [...marks, { item: '8', id: 'two' }]; // while the round is under way
    };
    assert.is((await own.run(centre, SETTINGS, new AbortController().signal)).fetched, 1);
    assert.equal(pick(lane.recognition.exchange.names(), 'item'), ['9']);
  });

  test('a centre’s content counts as forgotten once emptied, not while the centre takes nothing', async () => {
    await using server = await abandonedServer(open);
    await using lane = await startLane('M');
    const { connection } = server;
    const master = await MasterCentre.open(connection, 'M', 16, log);
    await master.publish({ boot: 'boot', marks: [], wipe: { id: 'first', devices: ['M'], done: [] } });
    const centre = new FullCentre(connection);
    const foreign = template('7', sidOf(1));
    await centre.put(entrySubject('templates', 'B', foreign), encodeTemplate(foreign));
    const emptied: string[] = [];
    const own = roundsOf(lane, 'M', {
      ...NO_WIPES,
      recordCentreEmptied: async (id) => {
        emptied.push(id);
      },
    });
    const { signal } = new AbortController();
    assert.is.not((await own.run(centre, SETTINGS, signal)).failure, null);
    assert.equal(emptied, []);
    centre.isFull = false;
    await own.run(centre, SETTINGS, signal);
    assert.equal(emptied, ['first']);
    assert.is(lane.recognition.templates.reader.templateCount(), 0);
  });
}
