/** Who is let in and what he may write: strangers, wrong masters, garbage, copied credentials. */

import { createHash } from 'node:crypto';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { encodePart } from '../../drivers/lib/text.ts';
import { temporaryFor } from '../../firmware/core/files/durable-file.ts';
import type { TemplateName } from '../../firmware/recognition/model/template.ts';
import { Centre, ProgressDocument } from '../../firmware/sync/centre/centre.ts';
import { connectTo, shownCertificate } from '../../firmware/sync/centre/connect.ts';
import {
  bucketInfo,
  directGet,
  entrySubject,
  HINTS,
  inboxOf,
  keyOf,
  NEWS,
  PAIR_INBOX,
  PAIR_SUBJECT,
  streamOf,
  subjectOf,
} from '../../firmware/sync/centre/subjects.ts';
import { encodeTemplate } from '../../firmware/sync/template-format.ts';
import { madeUpJpeg } from '../made-up-jpeg.ts';
import { suiteNeeding } from '../needing.ts';
import { each, opening, until } from '../support.ts';
import { addressOf, codeOfFailure, healthOf, intruder } from './intruder.ts';
import { NO_SERVER, startLane, startMaster } from './real-rig.ts';
import { agree, joinStore } from './rig.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: security');
const it = each(test, opening(startMaster));

const SID = '20261120000000000000001';

it('a client with no credential, a wrong password or an unpaired key is refused and logged', async (master) => {
  const address = await addressOf(master);
  const certificate = await shownCertificate(address);
  const { connect } = await import('@nats-io/transport-node');
  const tls = { ca: certificate, servername: 'laneware-master' };
  const server = `127.0.0.1:${address.port}`;
  const anonymous = await connect({ servers: server, tls, reconnect: false }).catch((error: Error) => error.name);
  assert.is(anonymous, 'AuthorizationError');
  const seed = 'SUAGMJH5XLGZKQQWAWKRZJIGMOU4HPFUYLXJMXOO5NLFEO2OOQJ5LPRDPM';
  for (const credential of [
    { kind: 'password', user: 'pair', password: '00000000' },
    { kind: 'key', seed },
  ] as const) {
    const join = () => connectTo({ address, certificate, credential, inboxPrefix: '_INBOX' });
    assert.is(await codeOfFailure(join), 'unauthorised');
  }
  await until('the log', () =>
    master.warnings.some(({ details }) => /authentication error/.test(String(details.server))),
  );
});

test("a slave refuses a server at its master's address with another certificate", async () => {
  await using slave = await startLane('S1');
  let port = 0;
  {
    await using master = await startMaster();
    await joinStore(slave, master);
    ({ port } = await addressOf(master));
  }
  await using impostor = await startMaster('X', { port });
  await impostor.learn('7');
  await slave.learn('8');
  await until('it is reported', () => healthOf(slave).includes('is not the master') || null);
  assert.is((await slave.post('start_sync')).body.code, -6313);
  assert.equal([slave.held().length, impostor.held().length], [1, 1]);
});

it('a credential hears its own answers and what is said to all, and nothing besides', async (master) => {
  await using victim = await startLane('S1');
  await joinStore(victim, master);
  await using connection = await intruder(master, 'EVIL');
  const [heard, refused]: [string[], string[]] = [[], []];
  const listen = (subject: string, to: string[]): void =>
    void connection.subscribe(subject, {
      callback: (error, message) => void (error === null ? to.push(message.subject) : refused.push(subject)),
    });
  const forbidden = [
    ...['>', '*', '*.>', '$KV.>', '$JS.>', '_INBOX.>', 'laneware.>', PAIR_SUBJECT, `${PAIR_INBOX}.>`],
    ...['S1', 'M'].map((serial) => `${inboxOf(serial)}.>`),
  ];
  for (const subject of forbidden) listen(subject, heard);
  const hints: string[] = [];
  for (const subject of [HINTS, NEWS, `${inboxOf('EVIL')}.>`]) listen(subject, hints);
  await until('each to be refused', () => refused.length >= forbidden.length);
  await victim.learn('7');
  await agree([master, victim], 1);
  await until('a hint', () => hints.length > 0);
  assert.equal([refused.toSorted(), heard], [forbidden.toSorted(), []]);
});

it('a credential writes the keys of its own device and no others', async (master) => {
  await using victim = await startLane('S1');
  await joinStore(victim, master);
  await victim.learn('7');
  const [name] = await agree([master, victim], 1);
  const [item = '', origin = '', sid = ''] = name?.split('/') ?? [];
  const ref: TemplateName = { item, origin, sid };
  await using connection = await intruder(master, 'EVIL');
  const centre = new Centre(connection);
  const isTaken = async (subject: string): Promise<boolean> => {
    const answer = connection.request(subject, '{}', { timeout: 500 });
    return await answer.then(() => true).catch(() => false);
  };
  const forbidden = [
    entrySubject('templates', 'S1', ref),
    entrySubject('tombstones', 'S1', ref),
    subjectOf('marks', 'current'),
    subjectOf('progress', encodePart('S1')),
    subjectOf('devices', encodePart('S1')),
    `$JS.API.STREAM.PURGE.${streamOf('templates')}`,
    `$JS.API.STREAM.DELETE.${streamOf('templates')}`,
    `$JS.API.STREAM.UPDATE.${streamOf('templates')}`,
    `$JS.API.CONSUMER.CREATE.${streamOf('templates')}`,
    `$JS.API.STREAM.MSG.DELETE.${streamOf('templates')}`,
    'laneware.pair',
  ];
  for (const subject of forbidden) assert.is(await isTaken(subject), false, subject);
  await centre.putOwn('progress', 'EVIL', { done: [] });
  const { headers } = await import('@nats-io/transport-node');
  const rollup = headers();
  rollup.set('Nats-Rollup', 'all');
  const own = subjectOf('progress', encodePart('EVIL'));
  const { data } = await connection.request(own, '{}', { headers: rollup, timeout: 2000 });
  assert.match(Buffer.from(data).toString(), 'rollup not permitted');
  await victim.must('start_sync');
  assert.equal(victim.held(), [name]);
});

it('no credential has the server write for it what it may not write itself', async (master) => {
  await using victim = await startLane('S1');
  await joinStore(victim, master);
  await victim.learn('7');
  const held = await agree([master, victim], 1);
  await using connection = await intruder(master, 'EVIL');
  const centre = new Centre(connection);
  const [marks, before] = [await centre.marks(), await centre.list('templates')];
  const own = subjectOf('progress', encodePart('EVIL'));
  const forged = { ...marks, done: ['forged'], marks: [{ item: '7', id: 'forged' }] };
  const targets = [
    subjectOf('marks', 'current'),
    subjectOf('progress', encodePart('S1')),
    subjectOf('templates', `${encodePart('S1')}.${keyOf({ item: '7', origin: 'S1', sid: SID })}`),
    `$JS.API.STREAM.PURGE.${streamOf('templates')}`,
    `$JS.API.STREAM.DELETE.${streamOf('templates')}`,
    `$JS.API.STREAM.DELETE.${streamOf('marks')}`,
  ];
  for (const content of [JSON.stringify(forged), '', 'garbage'])
    for (const reply of targets) {
      await centre.put(own, content);
      // what lies there, how a bucket stands, and the receipt of a put: each answer goes where the requester says
      connection.publish(`${directGet('progress')}.${own}`, '', { reply });
      connection.publish(bucketInfo('progress'), '', { reply });
      connection.publish(own, content, { reply });
    }
  await connection.flush();
  assert.equal(await centre.marks(), marks);
  assert.equal(await centre.list('templates'), before);
  assert.equal(await centre.document('progress', encodePart('S1'), ProgressDocument), null);
  for (const lane of [victim, master]) await lane.must('start_sync');
  assert.equal([victim.held(), master.held()], [held, held]);
});

it('garbage of a device is refused and logged, changes nothing, and stops no other device', async (master) => {
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await using connection = await intruder(master, 'EVIL');
  const centre = new Centre(connection);
  const evil = (item: string): TemplateName => ({ item, origin: 'EVIL', sid: SID });
  const crop = madeUpJpeg();
  const whole = {
    item: 'other',
    origin: 'EVIL',
    sid: SID,
    createdAt: 1,
    model: 'm',
    vector: new Uint8Array(new Float32Array([0.6, 0.8]).buffer),
    crop,
    cropSha256: createHash('sha256').update(crop).digest(),
  };
  const damaged = { ...whole, item: '6', crop: Buffer.concat([crop, crop]) };
  const notFinite = { ...whole, item: '4', vector: new Uint8Array(new Float32Array([Number.NaN, 1]).buffer) };
  await centre.put(entrySubject('templates', 'EVIL', evil('1')), 'garbage');
  await centre.put(entrySubject('templates', 'EVIL', evil('2')), encodeTemplate(whole));
  await centre.put(
    entrySubject('templates', 'EVIL', evil('3')),
    encodeTemplate({ ...whole, item: '3' }).subarray(0, -1),
  );
  await centre.put(entrySubject('templates', 'EVIL', evil('4')), encodeTemplate(notFinite));
  await centre.put(entrySubject('templates', 'EVIL', evil('5')), '');
  await centre.put(entrySubject('templates', 'EVIL', evil('6')), encodeTemplate(damaged));
  await centre.put(subjectOf('templates', `${encodePart('EVIL')}.a.b.c`), 'garbage');
  await centre.put(subjectOf('progress', encodePart('EVIL')), 'garbage');
  await centre.put(subjectOf('devices', encodePart('EVIL')), JSON.stringify({ instance: 7 }));
  await slave.must('start_sync');
  await slave.learn('7');
  await agree([master, slave], 1);
  assert.is(slave.warnings.filter(({ message }) => message === 'an entry of the centre was refused').length, 6);
  assert.is(master.warnings.filter(({ message }) => message === 'a message of a device was refused').length, 2);
});

it('a revocation that could not be written whole reaches the server when it is repeated', async (master) => {
  await using connection = await intruder(master, 'EVIL');
  const centre = new Centre(connection);
  const unwritable = temporaryFor(join(master.folder, 'sync', 'server.conf'));
  mkdirSync(unwritable);
  assert.is((await master.post('revoke_sync_device', { sn: 'EVIL' })).body.code, -6210);
  rmdirSync(unwritable);
  await centre.putOwn('progress', 'EVIL', { done: [] });
  await master.post('revoke_sync_device', { sn: 'EVIL' });
  await until('it is cut off', () => connection.isClosed());
});

test.run();
