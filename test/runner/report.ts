/** What a person reads while tests run, and at the end. */
import type { Outcome } from './outcome.ts';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

const indented = (output: string): string =>
  output
    .split('\n')
    .map((line) => `     ${line}`)
    .join('\n');

/** One line for a file that passed; all that it wrote, and how to run it alone, for one that failed. */
export function report({ name, passed, failed, output, seconds }: Outcome): void {
  const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`;
  say(`${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${counts} (${seconds.toFixed(1)} s)`);
  if (failed === 0) return;
  say(indented(output));
  if (name.endsWith('.test.ts')) say(`     run it alone: npm test -- ${name}`);
}

/** Lines of a failed file's output that are said again at the end. */
const REPEATED_LINES = 20;

/** From the first failure on; all that it wrote stands where the file was run. */
function failureIn(output: string): string {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => /^\s*FAIL\b/.test(line));
  return lines.slice(Math.max(first, 0)).slice(0, REPEATED_LINES).join('\n').trimEnd();
}

/** Prints the closing line, after what failed: a long run has its faults, and the names of their files, at its
 * end. A run without a single test counts as failed. */
export function finish(outcomes: readonly Outcome[]): never {
  const sum = (key: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const failures = outcomes.filter(({ failed }) => failed > 0);
  for (const { name, output } of failures) say(`FAILED ${name}\n${indented(failureIn(output))}`);
  if (failures.length > 0) say(`failed files: ${failures.map(({ name }) => name).join(', ')}`);
  const passed = sum('passed');
  const failed = sum('failed') + (passed === 0 ? 1 : 0);
  say(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
