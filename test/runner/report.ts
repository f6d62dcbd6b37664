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

/** Prints the closing line, after the names of what failed. A run without a single test counts as failed. */
export function finish(outcomes: readonly Outcome[]): never {
  const sum = (key: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const failures = outcomes.filter(({ failed }) => failed > 0);
  for (const { name } of failures) say(`FAILED ${name}`);
  const passed = sum('passed');
  const failed = sum('failed') + (passed === 0 ? 1 : 0);
  say(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
