/** A real Prometheus. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { call } from '../support.ts';

export interface Found {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

export interface Prometheus extends AsyncDisposable {
  /** Empty also while it does not answer. @throws {Error} where the question is none */
  query(text: string): Promise<readonly Found[]>;
  /** Names of all figures that it has. */
  names(): Promise<ReadonlySet<string>>;
}

/** @param config its configuration, in YAML */
export async function startPrometheus(folder: string, config: string): Promise<Prometheus> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}/api/v1`;
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const words = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn('prometheus', words, { stdio: 'ignore' });
  const over = once(child, 'close');
  const ask = (path: string) => call(`${base}/${path}`).catch(() => null);
  return {
    query: async (text) => {
      const answer = await ask(`query?query=${encodeURIComponent(text)}`);
      if (answer?.status === 400) throw new Error(`${text}: ${answer.text}`);
      return answer?.body?.data?.result ?? [];
    },
    names: async () => new Set((await ask('label/__name__/values'))?.body?.data ?? []),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await over;
    },
  };
}
