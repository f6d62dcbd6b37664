/** What a test file asks for is brought in for its suite (`scripts/test-programs.json`), or each Debian has it. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from './root.ts';
import { IN_PROCESS, REAL, SUITES, suiteOf, testFiles } from './runner/suites.ts';
import { readSources } from './tools/house/sources.ts';

const programs = suite('programs that tests drive');

interface Brought {
  readonly program: string;
  readonly suites: readonly string[];
}
const TABLE: readonly Brought[] = JSON.parse(readFileSync(join(ROOT, 'scripts/test-programs.json'), 'utf8'));

/** Of packages without which no Debian is, or whose absence is itself what is tested. */
const THERE = ['bash', 'tar', 'flock', 'script', 'setsid', 'sha256sum', 'losetup', 'apt-config', 'unattended-upgrade'];
/** Others of a package that a program of the table stands for. */
const BROUGHT_BY: Readonly<Record<string, string>> = {
  prometheus: 'promtool',
  'systemd-sysusers': 'systemd-analyze',
};
/** How a test names what it needs. */
const ASKS = /(?:missingPrograms|needs:|bench)[(\s[]+((?:'[\w+-]+'(?:, )?)+)/g;

function asked(text: string): string[] {
  return [...text.matchAll(ASKS)].flatMap(([all, names = '']) => {
    const named = names.split(', ').map((name) => name.replaceAll("'", ''));
    return all.startsWith('bench') ? named.slice(1) : named;
  });
}

programs('each is brought in for the suite of the file that asks for it', () => {
  const own = readSources(ROOT, ['test']);
  const asking = new Map(own.map(({ path }) => [path, asked(readFileSync(join(ROOT, path), 'utf8'))]));
  const imports = new Map(own.map(({ path, imports: all }) => [path, all.map(({ from }) => from)]));
  const lacking = testFiles().flatMap((file) => {
    const reached = new Set([relative(ROOT, file)]);
    for (const path of reached) for (const from of imports.get(path) ?? []) reached.add(from);
    const wanted = [...reached].flatMap((path) => asking.get(path) ?? []).filter((name) => !THERE.includes(name));
    const { name } = suiteOf(file);
    return wanted
      .map((program) => BROUGHT_BY[program] ?? program)
      .filter((program) => !TABLE.some((each) => each.program === program && each.suites.includes(name)))
      .map((program) => `${program} for ${name} (${relative(ROOT, file)})`);
  });
  assert.equal([...new Set(lacking)], []);
});

programs('the table names suites that there are', () => {
  const names = [IN_PROCESS, REAL, ...SUITES].map(({ name }) => name);
  for (const { program, suites } of TABLE)
    for (const name of suites) assert.ok(names.includes(name), `${program}: ${name}`);
});

programs.run();
