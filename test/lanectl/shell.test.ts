/** `lanectl` in the shell: on the path of a lane, and described exactly by its page. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { createProgram } from '../../firmware/lanectl/program.ts';
import { read, readmesOfFeatures } from '../docs/pages.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('lanectl in the shell');

/** A command of a feature may stand in the feature's README. */
const PAGE = read('docs/lanectl.md') + readmesOfFeatures();

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
    if (command.name() === 'call') continue; // the device says what each takes
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
  for (const name of all) assert.ok((await named('--json', '--url', 'pay', name, 'doctor')).includes(name), name);
  assert.equal(await named('--token', 'pay', 'doctor', 'logs'), ['doctor']);
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

test.run();
