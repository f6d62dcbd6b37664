/**
 * Calls both interfaces with thousands of right and wrong requests made from their OpenAPI documents, over real HTTP, and
 * holds every answer against them (Schemathesis, all of its checks but what its configuration leaves out). The device runs on free ports in a temporary folder,
 * with the sandbox bank and the display on a page.
 *
 *     node test/tools/fuzz-api.ts [--examples 50] [--seeds 1,2,3] [--only terminal|recognition]
 *
 * `--examples` is how many requests are made of each call beside those at the edges of its schema. What is needed is brought
 * by `node scripts/setup.mjs --test`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DESCRIBED, type Described } from '../http/described.ts';
import { ROOT } from '../root.ts';
import { startFuzzed } from './fuzz/device.ts';

/** Of the environment that `scripts/setup.mjs --test` makes. */
export const PYTHON = join(ROOT, 'node_modules', '.schemathesis', 'bin', 'python');
const CONFIG = join(import.meta.dirname, 'fuzz', 'schemathesis.toml');
const HOOKS = join(import.meta.dirname, 'fuzz', 'hooks.py');
/** An answer that takes longer is a fault. */
const ANSWER_LIMIT_S = 30;

/** Why nothing can be fuzzed here, or null. */
export const NO_FUZZER = existsSync(PYTHON)
  ? null
  : 'Schemathesis is not installed: run node scripts/setup.mjs --test, which needs python3 with venv, and a network';

export interface Outcome {
  readonly passed: boolean;
  /** Calls of the document, and those that were made at all. */
  readonly operations: number;
  readonly tested: number;
  readonly cases: number;
  /** What Schemathesis printed. */
  readonly output: string;
}

const numberIn = (output: string, pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0);

/** Fuzzes what one document of a device describes. */
export async function fuzz(
  device: Pick<Awaited<ReturnType<typeof startFuzzed>>, 'urls' | 'folder' | 'environment'>,
  [router, document]: Described,
  { seed, examples }: { readonly seed: number; readonly examples: number },
): Promise<Outcome> {
  const options = ['--seed', String(seed), '--max-examples', String(examples), '--no-color'];
  const limits = [
    '--continue-on-failure',
    '--request-timeout',
    String(ANSWER_LIMIT_S),
    '--generation-database',
    'none',
  ];
  const url = `${device.urls[router]}${document}`;
  const child = spawn(PYTHON, ['-m', 'schemathesis.cli', '--config-file', CONFIG, 'run', url, ...options, ...limits], {
    cwd: device.folder,
    env: {
      PATH: process.env.PATH ?? '',
      ...device.environment,
      SCHEMATHESIS_HOOKS: HOOKS,
      NO_PROXY: '*',
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = await once(child, 'close');
  return {
    passed: code === 0,
    operations: numberIn(output, /Selected: \d+\/(\d+)/),
    tested: numberIn(output, /Tested: (\d+)/),
    cases: numberIn(output, /(\d+) generated/),
    output,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      examples: { type: 'string', default: '50' },
      seeds: { type: 'string', default: '1,2,3' },
      only: { type: 'string' },
    },
  });
  if (NO_FUZZER !== null) throw new Error(NO_FUZZER);
  let failed = false;
  for (const seed of values.seeds.split(',').map(Number)) {
    await using device = await startFuzzed();
    for (const described of DESCRIBED.filter(([router]) => values.only === undefined || router === values.only)) {
      const outcome = await fuzz(device, described, { seed, examples: Number(values.examples) });
      const verdict = outcome.passed ? 'ok  ' : 'FAIL';
      process.stdout.write(
        `${verdict} ${described.join('')}, seed ${seed}: ${outcome.tested} calls, ${outcome.cases} requests\n`,
      );
      if (!outcome.passed) process.stdout.write(outcome.output);
      failed ||= !outcome.passed;
    }
  }
  process.exitCode = failed ? 1 : 0;
}

if (import.meta.main) await main();
