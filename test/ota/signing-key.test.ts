/** A signing key lies under a passphrase, which no argument and no other program ever holds. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { ROOT } from '../root.ts';
import { ended, FAILED, makePlainKey, NO_RELEASES, REFUSED, USAGE } from './rig.ts';

const keys = suiteNeeding(NO_RELEASES ?? missingPrograms('script', 'setsid'), 'signing keys');

const PHRASE = 'correct horse';
const LOCKED = /^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/;
const BUNDLE = join(ROOT, 'scripts/release/bundle.sh');

const work = mkdtempSync(join(tmpdir(), 'laneware-keys-'));
const at = (name: string): string => join(work, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');
keys.after(() => rmSync(work, { recursive: true, force: true }));

/** Without a terminal. */
function bundle(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { status, stderr } = spawnSync('setsid', ['--wait', BUNDLE, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, said: stderr };
}

/** @param typed lines, at a terminal */
function atTerminal(typed: string, ...args: string[]) {
  const { status, stdout } = spawnSync('script', ['-qec', [BUNDLE, ...args].join(' '), '/dev/null'], {
    encoding: 'utf8',
    input: typed,
  });
  return { status, said: stdout };
}

const signing = (name: string): string[] => {
  rmSync(at('laneware.keys'), { force: true });
  return ['--key', at(`${name}.pem`), '--trust', at(`${name}.pub.pem`), '--out', work];
};

const inFile = (content: string): NodeJS.ProcessEnv => {
  const file = join(mkdtempSync(at('phrase-')), 'phrase');
  writeFileSync(file, content);
  return { LANEWARE_KEY_PASSPHRASE_FILE: file };
};

keys('a key is made under the passphrase of the environment, and signs with that alone', () => {
  ended(0, bundle({ LANEWARE_KEY_PASSPHRASE: PHRASE }, '--new-key', at('one.pem')));
  assert.match(text('one.pem'), LOCKED);
  assert.is(statSync(at('one.pem')).mode & 0o777, 0o600);
  for (const [env, status, said] of [
    [{ LANEWARE_KEY_PASSPHRASE: PHRASE }, 0, /^Statement 1/],
    [inFile(`${PHRASE}\nnot this line\n`), 0, /^Statement 1/],
    [inFile(PHRASE), 0, /^Statement 1/],
    [{ LANEWARE_KEY_PASSPHRASE: `${PHRASE}s` }, REFUSED, /the passphrase does not open .*one\.pem/],
    [inFile(''), REFUSED, /does not open/],
    [{ LANEWARE_KEY_PASSPHRASE_FILE: at('nowhere') }, FAILED, /nowhere.* cannot be read/],
    [{}, USAGE, /no terminal to ask at: set LANEWARE_KEY_PASSPHRASE/],
  ] as const) {
    assert.match(ended(status, bundle(env, ...signing('one'))).said, said);
    assert.is(existsSync(at('laneware.keys')), status === 0);
  }
});

keys('at a terminal it is asked for, twice where a key is made', () => {
  assert.is(atTerminal(`${PHRASE}\n${PHRASE}\n`, '--new-key', at('typed.pem')).status, 0);
  ended(0, atTerminal(`${PHRASE}\n`, ...signing('typed')));
  const differ = ended(REFUSED, atTerminal(`${PHRASE}\n${PHRASE}s\n`, '--new-key', at('mistyped.pem')));
  assert.match(differ.said, 'the two are not the same');
  assert.not.ok(existsSync(at('mistyped.pem')));
});

keys('a short passphrase, and none where there is no terminal, make no key', () => {
  for (const [env, status, said] of [
    [{ LANEWARE_KEY_PASSPHRASE: 'seven77' }, REFUSED, /at least 8 characters/],
    [{}, USAGE, /no terminal/],
  ] as const) {
    assert.match(ended(status, bundle(env, '--new-key', at('none.pem'))).said, said);
    assert.not.ok(existsSync(at('none.pem')));
  }
});

keys('a key without a passphrase signs with a warning, and --protect gives it one', () => {
  makePlainKey(at('plain.pem'));
  copyFileSync(at('plain.pub.pem'), at('public'));
  const plain = ended(0, bundle({}, ...signing('plain')));
  assert.match(plain.said, /^warning: .*plain\.pem has no passphrase.*bundle\.sh --protect .*plain\.pem/);
  ended(0, bundle({ LANEWARE_KEY_PASSPHRASE: PHRASE }, '--protect', at('plain.pem')));
  assert.match(text('plain.pem'), LOCKED);
  const signed = ended(0, bundle({ LANEWARE_KEY_PASSPHRASE: PHRASE }, ...signing('plain')));
  assert.not.match(signed.said, 'warning');
  assert.is(text('plain.pub.pem'), text('public'), 'the same key');
  const absent = ended(REFUSED, bundle({ LANEWARE_KEY_PASSPHRASE: PHRASE }, '--protect', at('absent.pem')));
  assert.match(absent.said, /there is no file .*absent\.pem/);
  ended(REFUSED, bundle({ LANEWARE_KEY_PASSPHRASE: PHRASE }, '--protect', at('plain.pem')));
});

keys('no argument and no environment of a program holds the passphrase', () => {
  const seen = at('seen');
  const programs = ['openssl', 'mktemp', 'sync', 'mv', 'grep', 'base64', 'cat'];
  const record = `record() { { printf '%s\\n' "$*"; command env; } >>${seen}; command "$@"; }`;
  const functions = programs.map((name) => `${name}() { record ${name} "$@"; }`);
  const libraries = ['say', 'paths', 'signing-key'].map((name) => `. ${ROOT}/scripts/lib/${name}.sh`);
  const script = `set -euo pipefail; ${[...libraries, record, ...functions].join('; ')}; new_key "$1"; open_key "$1"; sign "$1" "$1" "$1.sig"`;
  for (const given of [inFile(`${PHRASE}\n`), { LANEWARE_KEY_PASSPHRASE: PHRASE }]) {
    rmSync(at('watched.pem'), { force: true });
    const env = { ...process.env, PASSPHRASE: 'of a caller', ...given };
    ended(0, spawnSync('bash', ['-c', script, 'x', at('watched.pem')], { encoding: 'utf8', env }));
  }
  assert.match(readFileSync(seen, 'utf8'), /openssl pkcs8.*\n[\s\S]*openssl pkeyutl/);
  assert.not.match(readFileSync(seen, 'utf8'), PHRASE);
});

keys.run();
