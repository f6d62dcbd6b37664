/**
 * The power of a whole lane is cut, in every step of an update and while it writes; what had not reached the disk is lost.
 * It must come up whole. `test/lane/test-lane.sh power`
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepare } from '../prepare.ts';
import { Lane } from './lane.ts';
import { PUBLIC_KEY, release, sibling } from './releases.ts';
import { learn, learnt, pictures, setUpBank, show, TERMINAL } from './till.ts';

const power = suite('a lane without power');
const lane = new Lane('power', 13);
const OTA = '/usr/local/sbin/laneware-ota';
const OLD = '1.0.0';
const NEW = '1.1.0';
/** How often the power goes while the device writes. */
const CUTS_WHILE_WRITING = 5;
/** Fewer than an item may have. */
const TEMPLATES_EACH = 20;

/** State of the update → the releases that may run after the power has come back. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  download: [OLD],
  verify: [OLD],
  unpack: [OLD],
  switch: [OLD],
  restart: [OLD],
  gate: [OLD],
  commit: [OLD, NEW], // one rename decides, and the power may go before or after it
  cleanup: [NEW],
};

/** Waits without giving way, for some states last a few milliseconds only. False: the update ended before it was seen. */
function reach(state: string, running: () => boolean): boolean {
  while (lane.updateState() !== state) if (!running()) return false;
  return true;
}

async function isWhole(versions: readonly string[]): Promise<string> {
  await lane.boot();
  const version = (await lane.version(TERMINAL)) ?? 'nothing';
  assert.ok(versions.includes(version), `${version} runs, of ${versions.join(' or ')}`);
  const status = lane.in(OTA, 'status');
  for (const link of ['current', 'good']) assert.match(status, new RegExp(`^${link} +${version}$`, 'm'));
  assert.match(status, /^update +idle$/m);
  lane.in('sh', '-c', 'cd /opt/laneware/current && sha256sum --check --quiet --strict SHA256SUMS');
  return version;
}

prepare(power, async () => {
  lane.install('x64', release('x64'), PUBLIC_KEY);
  cpSync(sibling('x64', NEW), join(lane.mount, 'mnt/new.release'));
  await lane.boot();
  lane.in('sed', '-i', 's|^gate_seconds=.*|gate_seconds=4|', '/etc/laneware/update.conf');
});
power.after(() => lane.remove());

for (const [state, versions] of Object.entries(AFTER)) {
  power(`${state}: the power goes, and it comes up as ${versions.join(' or ')}`, async () => {
    if ((await lane.version(TERMINAL)) === NEW) lane.in(OTA, 'rollback');
    await lane.answers(OLD);
    lane.in('sync');
    const update = lane.start(OTA, 'update', '--retry', '--from', '/mnt/new.release');
    let ended = false;
    update.on('exit', () => {
      ended = true;
    });
    // the loop below holds the event loop, so the end of the update is looked for in the process table
    const alive = () => !ended && update.pid !== undefined && isRunning(update.pid);
    assert.ok(reach(state, alive), `the update came to ${state}`);
    await lane.cutPower();
    process.stdout.write(`  ${state}: came up as ${await isWhole(versions)}\n`);
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // it is gone
  }
}

power('while templates are learnt and payments made: what was acknowledged is there', async () => {
  await setUpBank(lane, 'Static');
  const seen = await pictures(1);
  const acknowledged: string[] = [];
  const items = new Set<string>();
  for (let cut = 0; cut < CUTS_WHILE_WRITING; cut += 1) {
    let off = false;
    const writing = (async () => {
      for (let turn = 0; !off; turn += 1) {
        const { jpeg } = seen[turn % seen.length] ?? { jpeg: Buffer.alloc(0) };
        await show(lane, jpeg);
        const item = `item-${cut}-${Math.floor(turn / TEMPLATES_EACH)}`;
        items.add(item);
        acknowledged.push(await learn(lane, item));
        await lane.post(TERMINAL, '/showQR', { amount: 100 * (1 + turn) });
      }
    })().catch((error: unknown) => {
      if (!off) throw error; // the machine went away beneath the last call
    });
    await pause(400 + Math.random() * 1500);
    off = true;
    await lane.cutPower();
    await writing;
    await isWhole([OLD, NEW]);
    const found = new Set<string>();
    for (const item of items) for (const sid of await learnt(lane, item)) found.add(sid);
    const lost = acknowledged.filter((sid) => !found.has(sid));
    assert.equal(lost, [], `cut ${cut}: lost of ${acknowledged.length}`);
  }
  process.stdout.write(`  ${acknowledged.length} templates acknowledged over ${CUTS_WHILE_WRITING} cuts, none lost\n`);
  assert.ok(acknowledged.length > 0);
});

power.run();
