/**
 * The dress rehearsal of a release: a store of four lanes in network namespaces lives two weeks in one run, and is spared nothing.
 * `node test/tools/rehearsal/main.ts [--days 14] [--sales 4] [--seed N] [--out dist/rehearsal.md]`, as root; about half an hour. At the
 * end the books and the templates must agree and nothing may have leaked: the page says so in figures, and the exit code.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../root.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '14' },
    sales: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    out: { type: 'string', default: 'dist/rehearsal.md' },
    inside: { type: 'boolean', default: false },
  },
});

if (!values.inside) {
  // a network of its own: nothing of this machine's is touched
  const args = ['--net', process.execPath, ...process.argv.slice(1), '--inside', '--seed', values.seed];
  const { status, error } = spawnSync('unshare', args, { stdio: 'inherit', cwd: ROOT });
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
} else {
  const { rehearse } = await import('./weeks.ts');
  const { pageOf } = await import('./page.ts');
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  const commit = git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : 'with changes that are not committed';
  const story = await rehearse({ days: Number(values.days), sales: Number(values.sales), seed: Number(values.seed) });
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, pageOf(commit, story));
  process.stdout.write(`${story.faults.length === 0 ? 'all agree' : story.faults.join('\n')}\n${values.out}\n`);
  process.exitCode = story.faults.length === 0 ? 0 : 1;
}
