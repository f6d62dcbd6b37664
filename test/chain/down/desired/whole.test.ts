/** The configuration of a chain from its commands to processes that are started anew, as systemd does, and back to the centre. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../../../needing.ts';
import { freePort } from '../../../ports.ts';
import { startFirmware } from '../../../process.ts';
import { call, temporaryFolder, until } from '../../../support.ts';
import { pairAt } from '../../../sync/pair-at.ts';
import { chainCommand, type Hub, NO_HUB, startHub } from '../../hub.ts';

const whole = suite('chain: configuration, from the centre to the lane');
const test = needing(NO_HUB, 'chain: configuration, from the centre to the lane', whole);

const config = (hub: Hub, ...words: readonly string[]) => chainCommand('config', ...words, '--keys', hub.keys);
const refusal = (work: Promise<string>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String(error),
  );

/** A lane that is started anew whenever it has ended, until it is closed. */
function keepRunning(serial: string, settings: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const options = {
    settings: { LANEWARE_SERIAL: serial, LANEWARE_SYNC_HOST: '127.0.0.1', ...settings },
    env: { STATE_DIRECTORY: folder.path },
  };
  const lane = { starts: 0, url: '' };
  let isClosing = false;
  let current: Awaited<ReturnType<typeof startFirmware>>['program'] | null = null;
  const keep = async (): Promise<void> => {
    while (!isClosing) {
      const { program, urls } = await startFirmware(folder.path, options);
      current = program;
      lane.starts += 1;
      lane.url = urls.recognition;
      await program.exited;
    }
  };
  const over = keep();
  return {
    ...{ lane, folder: folder.path },
    get pid() {
      return current?.child.pid ?? 0;
    },
    ready: () => until(`${serial} runs`, () => lane.starts > 0 || null),
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      await current?.kill('SIGTERM');
      await over;
      folder[Symbol.dispose]();
    },
  };
}

type Kept = ReturnType<typeof keepRunning>;

async function must(url: string, json: unknown) {
  const answer = await call(url, { json });
  assert.ok(answer.status === 200 && (answer.body.code ?? 0) === 0, answer.text);
  return answer.body;
}

const configurationOf = async ({ lane }: Kept) =>
  (await call(`${lane.url}/console/api/chain`).catch(() => null))?.body?.configuration ?? null;

const becomes = (kept: Kept, state: string, value: unknown) =>
  until(`${state} ${value}`, async () => {
    const now = await configurationOf(kept);
    return now?.state === state && now.settings['terminal.symbolMs'] === value ? now : null;
  });

test('a master and its slave are restarted with what is set for them, and report the outcome to the centre', async () => {
  await using hub = await startHub();
  await using master = keepRunning('MA', { LANEWARE_SYNC_PORT: String(await freePort()) });
  await using slave = keepRunning('S/1', {});
  await master.ready();
  await slave.ready();
  await must(`${master.lane.url}/api/set_sync_master`, { upload: true, download: true });
  await must(`${master.lane.url}/console/api/chain`, await hub.admit('A'));
  await pairAt(master.lane.url, slave.lane.url);

  assert.match(await config(hub, 'show'), 'nothing is set');
  assert.match(await refusal(config(hub, 'set', 'A', 'sync.port=1')), 'sync.port is set by no chain');
  assert.match(await refusal(config(hub, 'set', 'A', 'terminal.symbolMs=0')), 'terminal.symbolMs must be at least 1');
  assert.match(await refusal(config(hub, 'set', 'B', 'log.level=warn')), 'no store B');
  assert.match(await refusal(config(hub, 'set', 'all/X', 'log.level=warn')), 'STORE/SERIAL');
  assert.match(await refusal(config(hub, 'unset', 'all', 'log.level')), 'is not set');

  const file = join(master.folder, 'wanted.json');
  writeFileSync(file, '{"terminal": {"symbolMs": 4000}, "recognition": {"resultCount": 3}}');
  await config(hub, 'set', 'all', file);
  await config(hub, 'set', 'A/S/1', 'terminal.symbolMs=3000');
  await becomes(master, 'pending', 4000);
  const shown = await until('the centre knows', async () => {
    const text = await config(hub, 'show');
    return /^A\/MA {2}pending {2}\d+ {2}it is being tried$/m.test(text) && /^A\/S\/1 {2}pending/m.test(text)
      ? text
      : null;
  });
  assert.match(shown, /^all {2}\d+ {2}terminal\.symbolMs=4000$/m);
  assert.match(shown, /^A\/S\/1 {2}\d+ {2}terminal\.symbolMs=3000$/m);
  const { starts } = master.lane;

  // what kills it twice as it is tried is undone, and not tried again
  process.kill(master.pid, 'SIGKILL');
  await until('a start', () => master.lane.starts > starts || null);
  process.kill(master.pid, 'SIGKILL');
  const undone = await becomes(master, 'undone', undefined);
  assert.match(undone.reason, 'ended 2 times');
  await until('the centre knows', async () => /^A\/MA {2}undone/m.test(await config(hub, 'show')) || null);
  const ill = await chainCommand('devices', '--keys', hub.keys, '--ill', '--json');
  assert.match(ill, 'what the chain wants');

  const { settings } = await until('the slave has its own', async () => {
    const now = await configurationOf(slave);
    return now?.settings['terminal.symbolMs'] === 3000 ? now : null;
  });
  assert.is(settings['recognition.resultCount'], 3);
  await config(hub, 'unset', 'all');
  await becomes(master, 'taken', undefined);
  await becomes(slave, 'pending', 3000);
});

whole.run();
