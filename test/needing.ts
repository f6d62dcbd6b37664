/** Fails the tests that need something which this machine lacks: no test is skipped. */
import { suite, type Test } from 'uvu';
import { findProgram } from '../drivers/lib/find-program.ts';

/** Names the programs that are not installed, in words; null where all are. */
export function missingPrograms(...programs: readonly string[]): string | null {
  const missing = programs.filter((program) => findProgram([program], process.env) === null);
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`;
}

/** Tests that need something; `lack` says in words what is missing, and then one failing test takes their place. */
export function needing(lack: string | null, what: string, all: Test): Test | Test['skip'] {
  if (lack === null) return all;
  all(what, () => {
    throw new Error(lack);
  });
  return all.skip;
}

/** A suite in which every test needs something. */
export function suiteNeeding(lack: string | null, name: string): Test {
  const all = suite(name);
  if (lack === null) return all;
  const none = Object.assign(() => undefined, { each: () => undefined });
  const { only, run, skip } = all;
  return Object.assign(needing(lack, name, all), { before: none, after: none, only, run, skip });
}
