/** The firmware as a process of its own, for benches, and what they print figures with. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
export const ms = (value: number): string => `${value.toFixed(1)} ms`;

export async function post(url: string, body: object | null): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body === null ? '' : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  await response.arrayBuffer();
}

export interface Firmware {
  /** Address of the payment terminal. */
  readonly url: string;
  readonly recognition: string;
  readonly startMs: number;
  /** Resident memory, in MiB. */
  rssMb(): number;
  stop(): Promise<void>;
}

/** The program that it runs under, and options of Node. */
interface Watched {
  readonly under: readonly string[];
  readonly options: readonly string[];
}

export async function startFirmware(
  dataDir: string,
  env: Record<string, string>,
  { under, options }: Watched = { under: [], options: [] },
): Promise<Firmware> {
  const began = performance.now();
  const [program = process.execPath, ...words] = [...under, process.execPath, ...options, 'firmware/main.ts'];
  const child = spawn(program, words, {
    env: {
      ...process.env,
      LANEWARE_DATADIR: dataDir,
      LANEWARE_TERMINAL_PORT: '0',
      LANEWARE_RECOGNITION_PORT: '0',
      LANEWARE_SANDBOXBANK_ENABLED: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const urls = await new Promise<{ terminal: string; recognition: string }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the firmware ended')));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = output.split('\n').find((line) => line.includes('"msg":"ready"'));
      if (found !== undefined) resolve(JSON.parse(found));
    });
  });
  await fetch(`${urls.terminal}/version`).then((response) => response.arrayBuffer());
  const startMs = performance.now() - began;
  const rssMb = (): number => {
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    return Number(resident?.[1] ?? Number.NaN) / 1024;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url: urls.terminal, recognition: urls.recognition, startMs, rssMb, stop };
}
