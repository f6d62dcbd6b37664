/**
 * What a store costs its chain: a hub of three real servers, and stores with a real message server each, joined as leaf nodes.
 * Of every store: the connection, the mirror of its templates, what its devices say each five minutes, payments. All on this
 * machine, so times mean nothing; what is measured is processor time, memory and bytes of the hub, for growing numbers of stores.
 *
 *   node scripts/bench/chain.ts [STORES]     200 where no number is given: some 20 minutes, 8 GB
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { jetstreamManager } from '@nats-io/jetstream';
import { ChainError } from '../../firmware/chain/errors.ts';
import type { JoinFile } from '../../firmware/chain/join-file.ts';
import { PAYMENT } from '../../firmware/chain/payment-stream.ts';
import { DIGEST, INVENTORY } from '../../firmware/chain/reporter.ts';
import { EVENTS, STATES } from '../../firmware/chain/subjects.ts';
import { PENDING_EXAMPLE } from '../../firmware/terminal/http/payment-schemas.ts';
import { type Hub, joinChain, startHub } from '../../test/chain/hub.ts';
import { JPEG_START } from '../../test/jpeg-start.ts';
import { until } from '../../test/support.ts';
import { startMaster } from '../../test/sync/real-rig.ts';
import type { Lane } from '../../test/sync/rig.ts';
import { writeJoinFile } from '../chain/files.ts';
import { makeMirror, pushStore } from '../chain/hub.ts';
import { amountOf } from './quick.ts';

const STORES = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? amountOf({ full: 200, quick: 2 }));
const STEPS = STORES < 8 ? [STORES] : [STORES / 8, STORES / 4, STORES / 2, STORES].map(Math.round);
const DEVICES = 10;
const PAYMENTS = amountOf({ full: 100, quick: 5 });
const TEMPLATES = amountOf({ full: 20, quick: 2 });
const TEMPLATE_BYTES = 30_000;
const IDLE_MS = amountOf({ full: 60_000, quick: 1000 });
/** Of the clock that the kernel counts processor time by (USER_HZ). */
const TICKS_PER_S = 100;
const KIB = 1024;
const MS_PER_S = 1000;
const S_PER_MINUTE = 60;

const INVENTORY_BODY = JSON.stringify({
  ...{ format: 1, serial: 'LW1', version: '1.2.3', instance: '6f1c1f0e-3f0b-4f7e-9a55-8d3c5a1f2b40', role: 'slave' },
  ...{
    state: 'degraded',
    parts: [{ part: 'camera', state: 'degraded', reason: 'the camera is lost. It is looked for all the time' }],
  },
  ...{
    counts: { items: 300, templates: 1500, openPayments: 1 },
    uptimeSeconds: 86_400,
    at: '2026-11-20T10:00:00.000Z',
  },
});
const DIGEST_BODY = gzipSync(
  Array.from({ length: 60 }, (_, index) => `laneware_figure_of_the_device_${index} ${(index * 7919) % 1000}`).join(
    '\n',
  ),
);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Used {
  /** Processor time of all three servers, s. */
  readonly cpu: number;
  /** Memory of all three, MiB. */
  readonly rss: number;
}

function used({ servers }: Hub): Used {
  const each = servers.map(({ pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpu: (Number(stat[11]) + Number(stat[12])) / TICKS_PER_S, rss: Number(rss) / KIB };
  });
  return { cpu: each.reduce((sum, { cpu }) => sum + cpu, 0), rss: each.reduce((sum, { rss }) => sum + rss, 0) };
}

/**
 * Processor seconds of the hub that some work costs.
 * @param idle those that the hub takes in an idle second, which are no cost of the work
 */
async function costOf(hub: Hub, idle: number, work: () => Promise<unknown>): Promise<number> {
  const before = used(hub).cpu;
  const began = performance.now();
  await work();
  return used(hub).cpu - before - (idle * (performance.now() - began)) / MS_PER_S;
}

async function admit(hub: Hub, name: string): Promise<JoinFile> {
  const folder = hub.folder();
  const store = folder.newStore(name);
  await pushStore(folder.keys, store, false);
  folder.keep(store);
  return JSON.parse(readFileSync(await writeJoinFile(folder, store), 'utf8'));
}

async function addStore(hub: Hub, number: number): Promise<Lane> {
  const lane = await startMaster(`M${number}`);
  await joinChain(lane, await admit(hub, `store-${number}`));
  return lane;
}

/** As a device does: what was not acknowledged is sent again. */
async function surely(send: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      await pause(1000);
    }
  }
}

const sayAll = (stores: readonly Lane[]): Promise<unknown> =>
  Promise.all(
    stores.map(async ({ chain }) => {
      for (let device = 0; device < DEVICES; device++) {
        await surely(() => chain.link.report(`${INVENTORY}.${device}`, INVENTORY_BODY));
        await surely(() => chain.link.report(`${DIGEST}.${device}`, DIGEST_BODY));
      }
    }),
  );

const payAll = (stores: readonly Lane[], round: number): Promise<unknown> =>
  Promise.all(
    stores.map(async ({ chain, serial }) => {
      for (let number = 0; number < PAYMENTS; number++) {
        const body = JSON.stringify({
          number,
          type: 'payment.accepted',
          payment: { ...PENDING_EXAMPLE, id: `${serial}-${number}` },
        });
        await surely(() => chain.link.send(PAYMENT, body, { id: `${round}-${number}` }));
      }
    }),
  );

async function learnSome({ recognition, serial, must }: Lane): Promise<void> {
  const crop = Buffer.concat([JPEG_START, Buffer.alloc(TEMPLATE_BYTES, serial)]);
  for (let item = 0; item < TEMPLATES; item++)
    await recognition.templates.add({
      ...{ item: `${item}`, model: 'fake@1#0123456789abcdef', crop },
      vector: new Float32Array(192).fill(1 / Math.sqrt(192)),
    });
  await must('start_sync');
}

async function mirrored(hub: Hub, number: number): Promise<void> {
  const { keys } = hub.folder();
  const store = hub.folder().store(`store-${number}`);
  await makeMirror(keys, store);
  await until(`the mirror of store-${number}`, async () => {
    await using connection = await hub.asStore(store.name);
    return (await (await jetstreamManager(connection)).streams.info('templates')).state.messages === TEMPLATES || null;
  });
}

async function bytesAt(hub: Hub, stream: string): Promise<{ messages: number; bytes: number }> {
  await using connection = await hub.asChain();
  const { state } = await (await jetstreamManager(connection)).streams.info(stream);
  return { messages: state.messages, bytes: state.bytes };
}

say(`${STORES} stores of ${DEVICES} devices, three servers; all figures are of the three servers together, per store`);
say(
  'stores | memory at rest KiB | idle ms CPU a minute | a round of what devices say: ms CPU | a payment: ms CPU | mirror: ms CPU a template, KiB of memory',
);
await using hub = await startHub(3);
const empty = used(hub).rss;
const stores: Lane[] = [];
try {
  for (const [round, count] of STEPS.entries()) {
    const before = stores.length;
    while (stores.length < count) stores.push(await addStore(hub, stores.length + 1));
    await pause(IDLE_MS / 4);
    const rested = used(hub).rss;
    const idle = (await costOf(hub, 0, () => pause(IDLE_MS))) / (IDLE_MS / MS_PER_S);
    const said = await costOf(hub, idle, () => sayAll(stores));
    const paid = await costOf(hub, idle, () => payAll(stores, round));
    const unmirrored = used(hub).rss;
    const mirror = await costOf(hub, idle, async () => {
      for (let number = before + 1; number <= count; number++) {
        const lane = stores[number - 1];
        if (lane === undefined) throw new Error(`there is no store ${number}`);
        await learnSome(lane);
        await mirrored(hub, number);
      }
    });
    const newStores = count - before;
    const figures = [
      ((rested - empty) / count) * KIB,
      (idle / count) * S_PER_MINUTE * MS_PER_S,
      (said / count) * MS_PER_S,
      (paid / count / PAYMENTS) * MS_PER_S,
      (mirror / newStores / TEMPLATES) * MS_PER_S,
      ((used(hub).rss - unmirrored) / newStores) * KIB,
    ];
    say([String(count), ...figures.map((figure) => figure.toFixed(2))].join(' | '));
  }
  const [states, events] = [await bytesAt(hub, STATES), await bytesAt(hub, EVENTS)];
  say(
    `on the disk of each server: ${(states.bytes / states.messages).toFixed(0)} bytes a word of a device, ${(events.bytes / events.messages).toFixed(0)} bytes a payment's event`,
  );
  say(
    `over the line: ${INVENTORY_BODY.length + DIGEST_BODY.length} bytes of a device each five minutes, without the message server's own`,
  );
} finally {
  for (const lane of stores) await lane[Symbol.asyncDispose]();
}
