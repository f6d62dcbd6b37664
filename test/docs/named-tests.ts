/** Tables of documents whose last cell names a test: `[ttl](../test/terminal/ttl.test.ts): words of its title`. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from '../root.ts';
import { read } from './pages.ts';

const TEST = /^\[(?<name>[a-z0-9-]+)\]\((?<path>[^)]+)\): (?<title>.{8,})$/;

/** Cells of each row of each table, heads too, without the rows that only part them. */
export const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));

/** What is wrong with the test that a cell names; null where it is there under that title. */
export function testProblem(page: string, cell: string): string | null {
  const { name, path = '', title = '' } = TEST.exec(cell)?.groups ?? {};
  if (name === undefined) return 'it names no test';
  const file = normalize(join(dirname(page), path));
  if (!file.endsWith(`/${name}.test.ts`) || !existsSync(join(ROOT, file))) return `${file} is not there`;
  return read(file).includes(title) ? null : `${file} has no test "${title}"`;
}
