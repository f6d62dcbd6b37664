/** `lanectl chain` as it is typed at a master: a process of its own, with the file that the chain has issued. */
import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Ended, start } from '../lanectl/lanectl.ts';
import { needing } from '../needing.ts';
import { temporaryFolder, until } from '../support.ts';
import { startMaster } from '../sync/real-rig.ts';
import type { Lane } from '../sync/rig.ts';
import { NO_HUB, startHub } from './hub.ts';

const typed = suite('chain: lanectl as it is typed');
const test = needing(NO_HUB, 'chain: lanectl as it is typed', typed);

/** Ends where a store has joined a chain and does not reach it. */
const FAULTS = 9;
const USAGE = 2;

async function type({ url }: Lane, words: readonly string[], input?: string) {
  await using lanectl = start(['--json', 'chain', ...words], {
    env: { LANEWARE_RECOGNITION_URL: url },
    ...(input !== undefined && { input }),
  });
  return await lanectl.ended;
}

/** What `--json` has it say. */
const howOf = ({ stdout }: Ended) => {
  const { joined, connected, trouble } = JSON.parse(stdout);
  return { joined, connected, trouble };
};

test('a store joins with its file or from a pipe, reads its status, and leaves; the secret is never shown', async () => {
  await using hub = await startHub();
  await using master = await startMaster('MA');
  using folder = temporaryFolder();
  const file = await hub.admit('A');
  const secret = /^SU[A-Z2-7]+$/m.exec(file.credentials)?.[0] ?? 'none';
  const path = `${folder.path}/A.json`;
  const none = { joined: false, connected: false, trouble: null };
  assert.equal(howOf(await type(master, [])), none);

  writeFileSync(path, 'no file of a chain, but a SECRET');
  const wrong = await type(master, ['join', path]);
  assert.equal([wrong.code, /SECRET/.test(wrong.stdout + wrong.stderr)], [USAGE, false]);
  assert.is((await type(master, ['join', `${folder.path}/none.json`])).code, USAGE);

  for (const [words, input] of [
    [['join', path], undefined],
    [['join', '-'], JSON.stringify(file)],
  ] as const) {
    writeFileSync(path, JSON.stringify(file));
    const joined = await type(master, words, input);
    assert.equal([joined.code, joined.stderr], [0, '']);
    assert.is(howOf(joined).joined, true);
    assert.not.match(joined.stdout, secret);
    const there = await until('it is connected', async () => {
      const answer = await type(master, ['status']);
      return answer.code === FAULTS ? null : answer;
    });
    assert.equal([there.code, howOf(there)], [0, { joined: true, connected: true, trouble: null }]);
    const left = await type(master, ['leave']);
    assert.equal([left.code, howOf(left)], [0, none]);
  }
});

typed.run();
