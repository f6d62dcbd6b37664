/** `lanectl` in the shell: on the path of a lane, completed by TAB, and described exactly by its page. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { createProgram } from '../../firmware/lanectl/program.ts';
import { read } from '../docs/pages.ts';
import { missingPrograms, needing } from '../needing.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder, until } from '../support.ts';
import { lanectl } from './lanectl.ts';

const test = suite('lanectl in the shell');
const onTerminal = needing(missingPrograms('script'), 'a terminal', test);
const inZsh = needing(missingPrograms('zsh'), 'zsh', test);
const inFish = needing(missingPrograms('fish'), 'fish', test);

const PAGE = read('docs/lanectl.md');

test('the table of exit codes is that of the code', () => {
  const rows = [...PAGE.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, code, name]) => [name, Number(code)]);
  assert.equal(Object.fromEntries(rows), { ...EXIT_CODES });
});

test('the page describes every command with its options, and no others', async () => {
  const program = await createProgram([]);
  const common = program.options.map(({ long }) => long).filter((long) => long !== '--version');
  for (const option of common) assert.match(PAGE, `| \`${option}\` |`);
  const rows = new Map(
    [...PAGE.matchAll(/^\| `([a-z]+(?:[ -][a-z]+)*)( [<[][^`]*)?` \| (.*) \|$/gm)].map(
      ([, name = '', args = '', text = '']) => [name, { args, text }],
    ),
  );
  const commands = program.commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : command.commands,
  );
  const nameOf = (command: Command): string =>
    command.parent === program ? command.name() : `${command.parent?.name()} ${command.name()}`;
  assert.equal([...rows.keys()].sort(), commands.map(nameOf).sort());
  for (const command of commands) {
    const { args = '', text = '' } = rows.get(nameOf(command)) ?? {};
    const named = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
    if (command.name() !== 'sim') assert.is(args.trim(), named.join(' '), command.name());
    for (const { long } of command.options) assert.match(text, `\`${long}`, `${command.name()} ${long}`);
    for (const [option] of text.matchAll(/--[a-z-]+/g))
      assert.ok(
        command.options.some(({ long }) => long === option),
        `${command.name()} has no ${option}`,
      );
  }
});

test('what is typed loads its own commands, after any options', async () => {
  const named = async (...args: string[]) => (await createProgram(args)).commands.map((command) => command.name());
  const all = await named();
  for (const name of all) assert.ok((await named('--json', '--url', 'pay', name, 'report')).includes(name), name);
  assert.equal(await named('--token', 'pay', 'report', 'items'), ['report']);
  assert.equal(await named('--version'), []);
  for (const args of [['--help'], ['help', 'pay'], ['pya'], ['--json']]) assert.equal(await named(...args), all);
});

test('the wrapper runs on the Node of its release, from wherever it is linked', () => {
  using folder = temporaryFolder();
  const root = folder.path;
  const release = join(root, 'opt/laneware/releases/1');
  for (const part of ['bin', 'scripts']) mkdirSync(join(release, part), { recursive: true });
  cpSync(join(ROOT, 'scripts/lanectl.sh'), join(release, 'scripts/lanectl.sh'));
  for (const part of ['firmware', 'drivers', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, part), join(release, part));
  symlinkSync(process.execPath, join(release, 'bin/node'));
  symlinkSync('releases/1', join(root, 'opt/laneware/current'));
  const script = 'cd "$1" && . lib/say.sh && . lib/paths.sh && . lib/units.sh && link_units';
  const env = { PATH: process.env.PATH, LANEWARE_ROOT: root };
  execFileSync('bash', ['-ec', script, 'link', join(ROOT, 'scripts')], { env });
  assert.is(readlinkSync(join(root, 'usr/local/bin/lanectl')), '/opt/laneware/current/scripts/lanectl.sh');
  // what the link leads to on a lane, where no Node is on the path
  const version = execFileSync(join(root, 'opt/laneware/current/scripts/lanectl.sh'), ['--version'], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
  assert.match(version, /^\d+\.\d+\.\d+\n$/);
});

test('a release that an update brought puts it on the path when it starts', () => {
  using folder = temporaryFolder();
  const root = folder.path;
  for (const part of ['usr/local/bin', 'opt/laneware/current/scripts'])
    mkdirSync(join(root, part), { recursive: true });
  cpSync(join(ROOT, 'scripts/lanectl.sh'), join(root, 'opt/laneware/current/scripts/lanectl.sh'));
  const [, command = ''] = /^ExecStartPre=-\+(.*lanectl.*)$/m.exec(read('systemd/laneware.service')) ?? [];
  const [program = '', ...args] = command.split(' ').map((word) => word.replace(/^\/(?=opt|usr)/, `${root}/`));
  for (let start = 0; start < 2; start++) execFileSync(program, args);
  const link = join(root, 'usr/local/bin/lanectl');
  assert.is(readlinkSync(link), join(root, 'opt/laneware/current/scripts/lanectl.sh'));
  assert.match(readFileSync(link, 'utf8'), /^#!\/bin\/sh\n# lanectl:/);
});

test('npx finds it in a clone', () => {
  const version = execFileSync('npx', ['lanectl', '--version'], { encoding: 'utf8', cwd: ROOT });
  assert.match(version, /^\d+\.\d+\.\d+\n$/);
});

test('a command, its options, its choices and its files are completed, and no program is started', async () => {
  const { code, stdout: script } = await lanectl(['completion', 'bash']);
  assert.is(code, 0);
  const candidates = (...words: string[]): string[] => {
    const ask = `eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); PATH=; _lanectl; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const given = ['-ec', ask, 'bash', script, 'lanectl', ...words];
    return execFileSync('bash', given, { encoding: 'utf8', cwd: ROOT }).split('\n').slice(0, -1);
  };
  assert.equal(candidates('re'), ['refund', 'report', 'reconcile', 'recognise', 'restore', 'remote']);
  assert.equal(candidates('pay', '--t'), ['--ttl', '--timeout', '--token', '--token-file']);
  assert.equal(candidates('--json', 'completion', 'z'), ['zsh']);
  assert.equal(candidates('items', ''), ['import', 'export']);
  assert.equal(candidates('items', 'export', '--format', 'c'), ['csv']);
  assert.equal(candidates('setup', 'package-l'), ['package-lock.json']);
  assert.equal(candidates('status', '--token-file', 'LIC'), ['LICENSE']);
  assert.equal(candidates('pay', '--purpose', 'r'), ['']);
  assert.equal(candidates('help', 'pa'), ['pay']);
});

const CTRL_C = '\x03';
/** A shell that does not leave in time is ended. */
const GOODBYE_MS = 5000;

/** Types into an interactive shell, and returns what stands on its screen once `shown` does. */
async function typed(shell: readonly string[], setUp: string, keys: string, shown: RegExp): Promise<string> {
  using folder = temporaryFolder();
  symlinkSync(join(ROOT, 'scripts/lanectl.sh'), join(folder.path, 'lanectl'));
  const env = { PATH: `${folder.path}:${process.env.PATH}`, HOME: folder.path, TERM: 'xterm', PS1: '$ ' };
  const child = spawn('script', ['-qec', shell.join(' '), '/dev/null'], { cwd: folder.path, env });
  const ended = once(child, 'close');
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
  });
  try {
    child.stdin.write(`${setUp}; echo re''ady\n`);
    await until('the shell', () => /^ready/m.test(screen));
    child.stdin.write(keys);
    await until(`${shown} after ${JSON.stringify(keys)}`, () => shown.test(screen));
    return screen;
  } finally {
    // a shell that merely lost its terminal still writes its history, into a folder that is being removed
    child.stdin.write(`${CTRL_C}\n exit\n`);
    await Promise.race([ended, pause(GOODBYE_MS).then(() => child.kill('SIGKILL'))]);
  }
}

onTerminal('TAB completes in a real bash', async () => {
  const bash = ['bash', '--norc', '--noprofile', '-i'];
  const setUp = 'eval "$(lanectl completion bash)"';
  await typed(bash, setUp, 'lanectl rep\t', /lanectl report /);
  await typed(bash, setUp, 'lanectl pay 12 --pur\t', /lanectl pay 12 --purpose /);
  await typed(bash, `${setUp}; touch a-file.json`, 'lanectl setup a-f\t', /lanectl setup a-file\.json/);
});

onTerminal('TAB completes npx lanectl in a real bash, and leaves the other uses of npx alone', async () => {
  const bash = ['bash', '--norc', '--noprofile', '-i'];
  const setUp = 'eval "$(lanectl completion bash)"; rm lanectl; touch a-file.json'; // in a clone no word is known but npx
  await typed(bash, setUp, 'npx lanectl rep\t', /npx lanectl report /);
  await typed(bash, setUp, 'npx lanectl setup a-f\t', /npx lanectl setup a-file\.json/);
  await typed(bash, setUp, 'npx other a-f\t', /npx other a-file\.json/);
});

inZsh('TAB completes in a real zsh', async () => {
  const setUp = 'autoload -U compinit; compinit -u -D; eval "$(lanectl completion zsh)"';
  await typed(['zsh', '-i'], setUp, 'lanectl rep\t', /lanectl report/);
  await typed(['zsh', '-i'], setUp, 'npx lanectl rep\t', /npx lanectl report/);
});

inFish('TAB completes in a real fish', async () => {
  const fish = ['fish', '--no-config', '-i'];
  await typed(fish, 'lanectl completion fish | source', 'lanectl rep\t', /lanectl report /);
  await typed(fish, 'lanectl completion fish | source', 'npx lanectl rep\t', /npx lanectl report /);
});

test.run();
