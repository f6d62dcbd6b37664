/** What the runner makes of test files: of those that skip, hold nothing, never end a test, or leave something behind. */
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from './root.ts';
import { changedSince, touchedBy } from './runner/changed.ts';
import { childrenOf } from './runner/command.ts';
import type { Outcome } from './runner/outcome.ts';
import { type PoolOptions, runFiles } from './runner/pool.ts';
import { stateOfCheckout } from './runner/resumable.ts';
import { filesOf, IN_PROCESS, nearOf, REAL, SUITES, suiteOf, testFiles } from './runner/suites.ts';
import { runTogether } from './runner/together.ts';
import { temporaryFolder, until } from './support.ts';
import { moduleOf } from './tools/house/figures.ts';
import { drawMutants } from './tools/house/mutants.ts';
import { readSources } from './tools/house/sources.ts';

const runner = suite('the runner of the tests');

const HEAD = `import { suite } from ${JSON.stringify(import.meta.resolve('uvu'))};\nconst own = suite('own');\n`;
const PASSING = "own('passes', () => undefined);\n";
const RUN = 'own.run();\n';
const IN_ONE: PoolOptions = { lanes: 1, alone: false, limitMs: 60_000, onOutcome: () => undefined };

/** Runs made-up files in one process, one after another. */
async function outcomesOf(bodies: readonly string[], options: Partial<PoolOptions> = {}): Promise<Outcome[]> {
  using folder = temporaryFolder();
  const files = bodies.map((body, index) => {
    const file = join(folder.path, `own-${index}.test.ts`);
    writeFileSync(file, HEAD + body);
    return file;
  });
  return await runFiles(files, { ...IN_ONE, ...options });
}

runner('files that share a process are each counted by themselves', async () => {
  const body = `const shared = (globalThis.own ??= []);\nshared.push(1);\nown('sees', () => { if (shared.length !== NUMBER) throw new Error('alone'); });\n`;
  const outcomes = await outcomesOf([1, 2, 3].map((number) => body.replace('NUMBER', String(number)) + PASSING + RUN));
  assert.equal(
    outcomes.map(({ passed, failed }) => [passed, failed]),
    [
      [2, 0],
      [2, 0],
      [2, 0],
    ],
  );
});

const FAILING: Readonly<Record<string, [body: string, says: RegExp]>> = {
  'a test that fails': ["own('fails', () => { throw new Error('ordered'); });", /ordered/],
  'no test': ['', /holds no test/],
  'a test that it leaves out': [`${PASSING}own.skip('other', () => undefined);`, /leaves out 1 tests/],
  'what cannot be loaded': ["import './nowhere.ts';", /could not be run: .*nowhere/],
  'a suite that could not be prepared': [
    `${PASSING}own.before(() => { throw new Error('ordered'); });`,
    /1 failed|own/,
  ],
  'a promise that fails unseen': [
    "own('drops', () => void Promise.reject(new Error('ordered')));",
    /left to itself what failed: Error: ordered/,
  ],
  'a server that it leaves open': [
    "import { createServer } from 'node:net';\nown('opens', () => new Promise((done) => createServer().listen(0, done)));",
    /leaves behind: 1 TCPServerWrap/,
  ],
  'a timer that it leaves running': [
    "own('waits', () => void setTimeout(() => undefined, 60_000));",
    /leaves behind: 1 Timeout/,
  ],
  'a program that it leaves running': [
    "import { spawn } from 'node:child_process';\nown('starts', () => void spawn('sleep', ['60']));",
    /leaves behind: .*process \d+/s,
  ],
  'a variable that it sets': ["own('sets', () => { process.env.OWN = '1'; });", /leaves behind: variable OWN/],
  'no temporary folder any more': [
    "import { rmSync } from 'node:fs';\nimport { tmpdir } from 'node:os';\nown('removes', () => rmSync(tmpdir(), { recursive: true }));",
    /leaves behind: something that cannot be looked at: Error: ENOENT/,
  ],
  'a folder that it leaves': [
    "import { mkdtempSync } from 'node:fs';\nimport { tmpdir } from 'node:os';\nown('makes', () => void mkdtempSync(tmpdir() + '/own-'));",
    /leaves behind: temporary own-/,
  ],
};

for (const [name, [body, says]] of Object.entries(FAILING))
  runner(`a file with ${name} has failed`, async () => {
    const [outcome] = await outcomesOf([`${body}\n${RUN}`]);
    assert.is(outcome?.failed, 1, outcome?.output);
    assert.match(outcome?.output ?? '', says);
  });

runner('where the first failure ends the run, no file after it is begun', async () => {
  const failing = `own('fails', () => { throw new Error('ordered'); });\n${RUN}`;
  const outcomes = await outcomesOf([PASSING + RUN, failing, PASSING + RUN], { bail: true });
  assert.equal(
    outcomes.map(({ failed }) => failed),
    [0, 1],
  );
});

runner('a file that never ends, or ends its process, fails alone: those after it are run', async () => {
  const outcomes = await outcomesOf(
    [`own('waits', () => new Promise(() => undefined));\n${RUN}`, 'process.exit(0);', PASSING + RUN],
    { limitMs: 8_000 }, // a process of tests needs seconds to come up beside much other work
  );
  assert.equal(
    outcomes.map(({ passed, failed }) => [passed, failed]),
    [
      [0, 1],
      [0, 1],
      [1, 0],
    ],
  );
  assert.match(outcomes[0]?.output ?? '', 'did not finish within 8 s');
  assert.match(outcomes[1]?.output ?? '', 'ended its process: exit 0');
});

/** It starts a program in a process group of its own, writes down which, and never ends. */
const leading = (file: string): string =>
  `import { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\nown('waits', () => {
    const { pid } = spawn('sh', ['-c', 'sleep 600 & setsid sleep 600'], { detached: true, stdio: 'ignore' });
    writeFileSync(${JSON.stringify(file)}, String(pid));
    return new Promise(() => undefined);
  });\n${RUN}`;

const isGone = (pid: number): boolean => !existsSync(`/proc/${pid}`);

for (const isKilled of [false, true])
  runner(
    `where ${isKilled ? 'the run is killed' : 'a file never ends'}, what it has started ends with it`,
    async () => {
      using folder = temporaryFolder();
      const at = join(folder.path, 'pid');
      const started = async (): Promise<number[]> => {
        const pid = await until('its program', () => (existsSync(at) ? Number(readFileSync(at, 'utf8')) : 0) || null);
        return await until('its children', () => {
          const own = childrenOf(pid);
          return own.length === 2 ? [pid, ...own] : null;
        });
      };
      let pids: readonly number[];
      if (isKilled) {
        const file = join(folder.path, 'own.test.ts');
        writeFileSync(file, HEAD + leading(at));
        const worker = fork(new URL('./runner/worker.ts', import.meta.url), [], {
          detached: true,
          env: { ...process.env, TMPDIR: folder.path },
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        });
        const ended = once(worker, 'exit');
        worker.send(file);
        pids = await started();
        worker.disconnect();
        await ended;
      } else {
        const outcomes = outcomesOf([leading(at)], { limitMs: 8_000 });
        pids = await started();
        await outcomes;
      }
      await until('they have ended', () => pids.every(isGone));
    },
  );

runner('a suite that could not be prepared says why, also where it is run alone', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'own.test.ts');
  const imports = `import { prepare } from ${JSON.stringify(import.meta.resolve('./prepare.ts'))};\n`;
  writeFileSync(file, `${imports}${HEAD}prepare(own, () => { throw new Error('ordered'); });\n${PASSING}${RUN}`);
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.match(stderr, 'it could not be prepared: Error: ordered');
});

runner('a suite begins while the last file of another runs, and has its own report', async () => {
  using folder = temporaryFolder();
  const path = (name: string) => JSON.stringify(join(folder.path, name));
  const meets = (own: string, other: string) =>
    `import { existsSync, writeFileSync } from 'node:fs';\nown('meets the other', async () => { writeFileSync(${path(own)}, ''); while (!existsSync(${path(other)})) await new Promise((done) => setTimeout(done, 5)); });\n${RUN}`;
  const written = (name: string, body: string) => {
    const file = join(folder.path, `${name}.test.ts`);
    writeFileSync(file, HEAD + body);
    return file;
  };
  const batches = [
    { name: 'one', files: [written('early', PASSING + RUN), written('late', meets('late', 'next'))] },
    { name: 'other', files: [written('next', meets('next', 'late'))] },
  ];
  const ended = new Map<string, number>();
  const outcomes = await runTogether(batches, {
    ...{ lanes: 2, alone: true, limitMs: 60_000, onOutcome: () => undefined },
    onSuite: (name, own) => void ended.set(name, own.length),
  });
  assert.equal(Object.fromEntries(ended), { one: 2, other: 1 });
  assert.equal(
    outcomes.map(({ passed, failed }) => [passed, failed]),
    [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
  );
});

runner('each test file belongs to one suite, and each suite has some', () => {
  const suites = [IN_PROCESS, REAL, ...SUITES];
  const files = suites.flatMap(filesOf);
  assert.equal(files.sort(), testFiles());
  for (const suite of suites) assert.ok(filesOf(suite).length > 0, suite.name);
  const named = (path: string) => suiteOf(join(ROOT, 'test', `${path}.test.ts`)).name;
  assert.equal(['strict-json', 'real/sale', 'ota/update', 'kill/sales'].map(named), [
    ...['in-process', 'real', 'ota', 'kill'],
  ]);
});

runner('what runs in-process drives no browser and starts no device as a program', () => {
  const sources = new Map(readSources(ROOT, ['test']).map((source) => [source.path, source]));
  const drives = (path: string, seen: Set<string>): string[] => {
    const source = sources.get(path);
    if (source === undefined || seen.has(path)) return [];
    seen.add(path);
    const own = [...source.packages, path].filter((name) => name === 'playwright-core' || name === 'test/process.ts');
    return [...own, ...source.imports.flatMap(({ from, typeOnly }) => (typeOnly ? [] : drives(from, seen)))];
  };
  const files = filesOf(IN_PROCESS).map((file) => relative(ROOT, file));
  assert.equal(
    files.flatMap((file) => drives(file, new Set()).map((what) => `${file}: ${what}`)),
    [],
  );
});

const touched = (...changed: string[]): string[] =>
  touchedBy(testFiles(), changed).map((file) => file.slice(join(ROOT, 'test/').length));

runner('a change touches the tests that import it, also indirectly; for no source, those naming it', () => {
  const ofJson = touched('drivers/lib/strict-json.ts');
  assert.ok(ofJson.includes('strict-json.test.ts') && ofJson.includes('http/server.test.ts'));
  assert.ok(!ofJson.includes('drivers/lib/errors.test.ts'));
  assert.ok(touched('firmware/device/device.ts').includes('main.test.ts'), 'of a program that a test starts');
  assert.ok(touched('scripts/update/ota.sh').includes('ota/update.test.ts'));
  assert.equal(touched('test/strict-json.test.ts'), ['strict-json.test.ts']);
  assert.is(ofJson[0], 'strict-json.test.ts', 'the nearest first');
  const ofPages = touched('firmware/console/router.ts');
  const [alike, other] = ['console/routes.test.ts', 'features/backup/copies.test.ts'].map((file) =>
    ofPages.indexOf(file),
  );
  assert.ok(Number(alike) < Number(other), 'one with its words, before another that is as near');
  assert.is(touched('package-lock.json').length, testFiles().length);
});

runner('changes are named in any letters, beside a repository in the folder and a dead link', () => {
  using folder = temporaryFolder();
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
  const root = join(folder.path, 'of a greater one');
  mkdirSync(join(root, 'inner'), { recursive: true });
  git(folder.path, 'init', '--quiet');
  const kept = join(root, 'хлеб.txt');
  writeFileSync(kept, 'a');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'first');
  const before = stateOfCheckout(root);
  assert.is(stateOfCheckout(root), before);
  assert.equal(changedSince('HEAD', root), []);
  appendFileSync(kept, 'b');
  const written = stateOfCheckout(root);
  assert.is.not(written, before);
  const added = join(root, 'молоко.txt');
  writeFileSync(added, 'a');
  git(join(root, 'inner'), 'init', '--quiet');
  symlinkSync('nowhere', join(root, 'link'));
  assert.equal(changedSince('HEAD', root), ['хлеб.txt', 'inner/', 'link', 'молоко.txt']);
  const more = stateOfCheckout(root);
  assert.is.not(more, written);
  appendFileSync(added, 'b');
  assert.is.not(stateOfCheckout(root), more);
});

runner('near are the files that npm test runs, and the first three of the others', () => {
  const named = ['kill/sales', 'strict-json', 'ota/keys', 'real/sale', 'ota/gate', 'ota/table', 'log'];
  const near = nearOf(named.map((name) => join(ROOT, 'test', `${name}.test.ts`)));
  assert.equal(
    near.map((file) => relative(join(ROOT, 'test'), file).replace('.test.ts', '')),
    ['strict-json', 'real/sale', 'kill/sales', 'ota/keys', 'ota/gate'],
  );
});

const all = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'test/all.ts'), ...words], {
    encoding: 'utf8',
  });
  return { code: status, output: stdout, errors: stderr };
};

runner('npm test -- WORD… runs the test files whose path holds a word, without lint and types', () => {
  const { code, output } = all('strict-json', 'drivers/lib/errors');
  assert.is(code, 0, output);
  const ran = [...output.matchAll(/^ok {3}(\S+):/gm)].map(([, file]) => file);
  assert.equal(ran.sort(), ['test/drivers/lib/errors.test.ts', 'test/strict-json.test.ts']);
  assert.match(output, /^\d+ passed, 0 failed$/m);
});

runner('faults are drawn from each module, the same for the same seed', () => {
  const [one, again, other] = [drawMutants(ROOT, 1, 60), drawMutants(ROOT, 1, 60), drawMutants(ROOT, 2, 60)];
  assert.equal(one, again);
  assert.not.equal(one, other);
  assert.is(one.length, 60);
  for (const { before, after } of one) assert.is.not(before, after);
  assert.ok(new Set(one.map(({ path }) => moduleOf(path))).size > 20, 'of many modules');
});

const REFUSED: Readonly<Record<string, [words: string[], says: string]>> = {
  'a word that no test file holds': [['strict-json', 'no-such-test'], "no test file's path holds no-such-test"],
  'an option that there is not': [['--watch'], 'not understood: --watch'],
  'a revision that there is not': [['--changed', 'no-such-revision'], 'git says: fatal: .*no-such-revision'],
  'a suite that there is not': [['--suites', 'moon'], 'no such suite: moon'],
};

for (const [name, [words, says]] of Object.entries(REFUSED))
  runner(`${name} is refused, with any other words`, () => {
    const { code, output, errors } = all(...words);
    assert.equal([code, output], [1, '']);
    assert.match(errors, new RegExp(says));
    assert.match(errors, 'npm test -- WORD');
    assert.not.match(errors, 'node:internal');
  });

runner('--help lists the options, and names the suites', () => {
  const { code, output } = all('--help');
  assert.is(code, 0);
  for (const { name } of SUITES) assert.match(output, new RegExp(`^ +${name} |suites: ${name} `, 'm'));
});

runner.run();
