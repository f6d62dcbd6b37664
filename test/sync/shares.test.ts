/** A paired device that fills the room of all: it is stopped and named, and the others go on learning and deleting. */
import * as assert from 'uvu/assert';
import { encodePart } from '../../drivers/lib/text.ts';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { bucketInfo, subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { SyncError } from '../../firmware/sync/errors.ts';
import { madeUpJpeg } from '../made-up-jpeg.ts';
import { suiteNeeding } from '../needing.ts';
import { freePort } from '../ports.ts';
import { temporaryFolder, until } from '../support.ts';
import { codeOfFailure, healthOf, intruder } from './intruder.ts';
import { NO_SERVER, startLane, startMaster } from './real-rig.ts';
import { agree, joinStore, type Lane } from './rig.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: shares of the room');

const CENTRE_MB = 16;
const AT_ONCE = 500;
const OWN = encodePart('EVIL');

type Bucket = 'templates' | 'tombstones';

/** Puts until the centre takes nothing more, or so many. @returns how many it took */
async function flood(centre: Centre, most: number, what: (number: number) => [subject: string, bytes: Uint8Array]) {
  let taken = 0;
  for (let at = 0; at < most; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, most - at) }, (_, each) => what(at + each));
    const results = await Promise.allSettled(some.map(([subject, bytes]) => centre.put(subject, bytes)));
    const failure = results.find((each) => each.status === 'rejected')?.reason;
    if (failure !== undefined && !(failure instanceof SyncError)) throw failure;
    taken += results.filter(({ status }) => status === 'fulfilled').length;
    if (failure !== undefined) return taken;
  }
  return taken;
}

const junkOf = async (watching: Centre, bucket: Bucket): Promise<number> =>
  (await watching.list(bucket)).subjects.filter((subject) => subject.startsWith(subjectOf(bucket, `${OWN}.`))).length;

const name = (number: number, length = 1) => [`item ${number}`, 'EVIL', 'x'.repeat(length)].map(encodePart).join('.');

const FLOODS: readonly [string, Bucket, most: number, (number: number) => [string, Uint8Array]][] = [
  ['many tombstones', 'tombstones', 110_000, (number) => [name(number), new Uint8Array()]],
  ['tombstones with long names', 'tombstones', 30_000, (number) => [name(number, 2000), new Uint8Array()]],
  ['large messages', 'templates', 200, (number) => [name(number), madeUpJpeg(Buffer.alloc(500_000))]],
  ['names that are none', 'templates', 200, (number) => [`${number}.ü.ü`, Buffer.alloc(500_000)]],
];

for (const [what, bucket, most, message] of FLOODS)
  test(`${what} of one device: stopped and named, others go on, restarted too`, async () => {
    using folder = temporaryFolder();
    const options = { folder: folder.path, port: await freePort(), centreMb: CENTRE_MB };
    await using slave = await startLane('S1');
    const goOn = async (master: Lane, item: string): Promise<void> => {
      const sid = await slave.learn(item);
      await agree([master, slave], 2);
      await slave.must('delete_item_template', { id: item, sid });
      await agree([master, slave], 1);
    };
    {
      await using master = await startMaster('M', options);
      await joinStore(slave, master);
      await slave.learn('7');
      await agree([master, slave], 1);
      await using evil = await intruder(master, 'EVIL');
      const taken = await flood(new Centre(evil), most, (number) => {
        const [key, bytes] = message(number);
        return [subjectOf(bucket, `${OWN}.${key}`), bytes];
      });
      await master.must('start_sync');
      await until('it is named', () => healthOf(master).includes('EVIL has filled its share') || null);
      await using again = await intruder(master, 'W');
      await until('the surplus goes', async () => (await junkOf(new Centre(again), bucket)) < taken);
      await goOn(master, '8');
    }
    await using master = await startMaster('M', options);
    await goOn(master, '9');
    await master.must('revoke_sync_device', { sn: 'EVIL' });
    await using watching = await intruder(master, 'W');
    await until('what it has put goes', async () => (await junkOf(new Centre(watching), bucket)) === 0);
    await goOn(master, '10');
    assert.not.match(healthOf(master), 'EVIL');
  });

test('one that is stopped goes on reading, and gives again once it is paired anew', async () => {
  await using master = await startMaster('M', { centreMb: CENTRE_MB });
  const put = async (connection: Awaited<ReturnType<typeof intruder>>, number: number): Promise<string> =>
    await codeOfFailure(() =>
      new Centre(connection).put(subjectOf('templates', `${OWN}.${name(number)}`), Buffer.alloc(500_000)),
    );
  {
    await using evil = await intruder(master, 'EVIL');
    for (let number = 0; (await put(evil, number)) === 'done'; number++);
    await master.must('start_sync');
    await until('it is named', () => healthOf(master).includes('EVIL') || null);
  }
  await master.must('revoke_sync_device', { sn: 'EVIL' });
  await using sound = await intruder(master, 'EVIL');
  await until('it may', async () => (await put(sound, 0)) === 'done');
  assert.not.match(healthOf(master), 'EVIL');
});

test('a message is no larger than its bucket allows, and a device has no more parts than exist', async () => {
  await using master = await startMaster();
  await using evil = await intruder(master, 'EVIL');
  const put = (bucket: 'items' | Bucket, key: string, bytes: number): Promise<string> =>
    codeOfFailure(() => new Centre(evil).put(subjectOf(bucket, `${OWN}.${key}`), Buffer.alloc(bytes)));
  assert.is(await put('templates', name(1), 512 * 1024), 'done');
  assert.is(await put('templates', name(2), 700 * 1024), 'refused');
  assert.is(await put('tombstones', name(1), 2), 'done');
  assert.is(await put('tombstones', name(2), 100), 'refused');
  assert.is(await put('items', '63', 1000), 'done');
  assert.is(await put('items', '64', 1000), 'refused');
  assert.is((await evil.request(bucketInfo('items'))).data.length > 0, true);
});

test.run();
