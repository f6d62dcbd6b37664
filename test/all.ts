/** Everything that must hold: lint, types, tests. `npm test` and CI run this. */
import { finish, ROOT, runCommand, runFiles, testFiles } from './runner.ts';

async function check(name: string, command: string, args: string[]) {
  const result = await runCommand(name, command, args);
  const ok = result.code === 0;
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name} (${result.seconds.toFixed(1)} s)\n${ok ? '' : result.output}`);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

const bin = (name: string) => `${ROOT}/node_modules/.bin/${name}`;
finish([
  await check('lint', bin('biome'), ['check', '.', '--error-on-warnings']),
  await check('types', bin('tsc'), ['--noEmit']),
  await check('types of the pages', bin('tsc'), ['--noEmit', '-p', 'tsconfig.pages.json']),
  ...(await runFiles(testFiles())),
]);
