/** What came from the boot partition: tokens become digests, the master is paired with later, faults are reported. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BootSettings, type Pairing } from '../../firmware/core/access/boot-settings.ts';
import { HealthBoard } from '../../firmware/core/host/health.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { call, pick, startTestDevice, temporaryFolder, until } from '../support.ts';

const handed = suite('handed over from the boot partition');
const TOKEN = 'made-up-token-of-a-technician';
const TILL = 'made-up-token-of-the-tills';
const MASTER = { host: '192.0.2.10', port: 7443, code: '0123-4567-89AB-CDEF-GHJK' };
const CONTENT = {
  tokens: { technician: TOKEN, till: TILL },
  master: MASTER,
  problems: ['laneware.txt, line 3: FOO is no setting'],
};

function rig(folder: string, content: unknown) {
  const path = join(folder, 'handed-over.json');
  if (content !== undefined) writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const health = new HealthBoard(() => ({
    ...{ version: '', serial: '', instance: '', ports: { terminal: 0, recognition: 0 }, uptimeSeconds: 0 },
  }));
  const made: string[] = [];
  const pauses: number[] = [];
  const state: { fails: Error | null; due: (() => void) | null } = { fails: null, due: null };
  const open = () =>
    new BootSettings(
      path,
      {
        make: async (role, token) => {
          if (state.fails !== null) throw state.fails;
          made.push(`${role} ${token}`);
          return token ?? '';
        },
      },
      {
        after: (ms, task) => {
          pauses.push(ms);
          state.due = task;
          return () => {
            state.due = null;
          };
        },
      },
      health,
      createLog('silent', []),
    );
  const reason = (): string => health.report().parts.find(({ part }) => part === 'options')?.reason ?? 'no part';
  const kept = () => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  return { open, made, pauses, state, reason, kept };
}

/** A master that fails so often, then does as asked. */
function masterThat(failures: Error[], isFinal = false): Pairing & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    isPaired: () => false,
    isFinal: () => isFinal,
    pair: async (master) => {
      asked.push(master);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    },
  };
}

handed('tokens are taken once, and are on the disk no longer', async () => {
  using folder = temporaryFolder();
  const { open, made, kept, reason } = rig(folder.path, CONTENT);
  await open().storeChosenTokens();
  assert.equal(made, [`till ${TILL}`, `technician ${TOKEN}`]);
  for (const token of [TOKEN, TILL]) assert.not.match(kept() ?? '', token);
  assert.match(reason(), 'FOO is no setting');
  await open().storeChosenTokens();
  assert.is(made.length, 2);
  assert.match(reason(), 'FOO is no setting', 'it is reported until other settings come');
});

handed('a token that cannot be kept is reported, and taken at the next start', async () => {
  using folder = temporaryFolder();
  const { open, made, state, reason, kept } = rig(folder.path, { ...CONTENT, master: null, problems: [] });
  state.fails = new Error('no space left');
  await open().storeChosenTokens();
  assert.match(reason(), 'A token on the card (technician) was not accepted. (see the log)');
  state.fails = null;
  await open().storeChosenTokens();
  assert.is(made.length, 2);
  assert.is(reason(), '');
  assert.is(kept(), null, 'nothing is left of it');
});

handed('a master that does not answer is asked ever more seldom, and reported until it does', async () => {
  using folder = temporaryFolder();
  const { open, state, pauses, reason, kept } = rig(folder.path, { ...CONTENT, problems: [] });
  const own = open();
  await own.storeChosenTokens();
  const master = masterThat(Array.from({ length: 6 }, () => new Error('connection refused')));
  own.pairWith(master);
  for (let n = 1; n <= 6; n += 1) {
    await until('a pause', () => pauses.length === n);
    assert.match(reason(), 'Not paired yet with the master 192.0.2.10 named on the card. (connection refused)');
    state.due?.();
  }
  await until('the pairing', () => kept() === null);
  assert.equal(master.asked[6], MASTER);
  assert.equal(pauses, [5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  assert.is(reason(), '');
});

handed('a code that is refused is asked no more, also after a restart, and stays reported', async () => {
  using folder = temporaryFolder();
  const { open, pauses, reason, kept } = rig(folder.path, { ...CONTENT, problems: [] });
  const own = open();
  await own.storeChosenTokens();
  own.pairWith(masterThat([new Error('the code is over')], true));
  await until('the end', () => /was not paired with: the code is over/.test(reason()));
  assert.equal(pauses, []);
  assert.not.match(kept() ?? '', MASTER.code);
  const master = masterThat([]);
  open().pairWith(master);
  assert.equal(master.asked, []);
  assert.match(reason(), 'the code is over');
});

handed('a device that has a part in a store by now is left in it', async () => {
  using folder = temporaryFolder();
  const { open, kept } = rig(folder.path, { ...CONTENT, tokens: { technician: null, till: null }, problems: [] });
  const master = { ...masterThat([]), isPaired: () => true };
  open().pairWith(master);
  await until('the end', () => kept() === null);
  assert.equal(master.asked, []);
});

handed('closed, it asks no master any more', async () => {
  using folder = temporaryFolder();
  const { open, state, pauses } = rig(folder.path, CONTENT);
  const own = open();
  own.pairWith(masterThat([new Error('away')]));
  await until('a pause', () => pauses.length === 1);
  own.close();
  assert.is(state.due, null);
});

const [half, empty] = [{ ...CONTENT, master: { host: 'x' } }, { tokens: {} }];
for (const damaged of ['', '{', '[]', JSON.stringify(half), JSON.stringify(empty)]) {
  handed(`a damaged hand-over (${damaged.slice(0, 20)}) is reported, and harms nothing`, async () => {
    using folder = temporaryFolder();
    const { open, made, reason } = rig(folder.path, damaged);
    const own = open();
    await own.storeChosenTokens();
    own.pairWith(masterThat([]));
    assert.equal(made, []);
    assert.match(reason(), 'damaged on their way');
  });
}

handed('without one nothing is reported', () => {
  using folder = temporaryFolder();
  const { open, reason } = rig(folder.path, undefined);
  open();
  assert.is(reason(), 'no part');
});

handed('a device takes its token at its start, and reports what it waits for', async () => {
  using folder = temporaryFolder();
  rig(folder.path, { ...CONTENT, master: { ...MASTER, host: '127.0.0.1', port: 9 } });
  await using device = await startTestDevice({}, folder.path);
  const { text } = await call(`${device.recognition}/health`);
  assert.match(text, 'FOO is no setting');
  assert.match(text, 'Not paired yet with the master 127.0.0.1');
  const { body } = await call(`${device.recognition}/console/api/tokens`);
  assert.equal(pick(body.tokens, 'made'), [true, true]);
  const passed = { headers: { 'x-forwarded-for': '198.51.100.7' } };
  assert.is((await call(`${device.recognition}/health`, passed)).status, 401, 'from elsewhere, one is asked for it');
  const known = { headers: { ...passed.headers, authorization: `Bearer ${TOKEN}` } };
  assert.is((await call(`${device.recognition}/health`, known)).status, 200);
});

handed.run();
