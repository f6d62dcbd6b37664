/** `npm test`: everything that must hold – lint, types, tests. `npm test -- WORD…`: the tests whose path holds a word. */
import { relative } from 'node:path';
import { finish, ROOT, runAgain, runCommand, runFiles, testFiles } from './runner.ts';

const USAGE = `npm test             lint, types and all tests
npm test -- WORD…    only the test files whose path holds one of the words, as in: npm test -- terminal/payments pairing
`;

async function check(name: string, command: string, args: string[]) {
  const result = await runCommand(name, command, args);
  const ok = result.code === 0;
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name} (${result.seconds.toFixed(1)} s)\n${ok ? '' : result.output}`);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** @returns the test files that are asked for; a word that none holds ends the run: it may be misspelt */
function chosen(words: readonly string[]): string[] {
  const files = testFiles();
  const holds = (file: string, word: string) => relative(ROOT, file).includes(word);
  const missed = words.filter((word) => !files.some((file) => holds(file, word)));
  if (missed.length > 0) {
    process.stderr.write(`no test file's path holds ${missed.join(', ')}\n${USAGE}`);
    process.exit(1);
  }
  return files.filter((file) => words.some((word) => holds(file, word)));
}

const words = process.argv.slice(2);
if (words.some((word) => word.startsWith('-'))) {
  process.stdout.write(USAGE);
  process.exit(words.includes('--help') ? 0 : 1);
}
if (words.length > 0) finish(await runFiles(chosen(words)));

const bin = (name: string) => `${ROOT}/node_modules/.bin/${name}`;
finish([
  await check('lint', bin('biome'), ['check', '.', '--error-on-warnings']),
  await check('types', bin('tsc'), ['--noEmit']),
  await check('types of the pages', bin('tsc'), ['--noEmit', '-p', 'tsconfig.pages.json']),
  ...(await runAgain(await runFiles(testFiles()))),
]);
