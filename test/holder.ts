/** Another program that holds one of the device's databases open, in an unfinished transaction. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const DATABASE = JSON.stringify(new URL('../firmware/core/files/database.ts', import.meta.url).href);
const SCRIPT = `const { openFile } = await import(${DATABASE});
  globalThis.kept = openFile(process.argv[1]); // a name keeps it from garbage collection, which would close it
  kept.exec('BEGIN IMMEDIATE');
  process.stdout.write('held');
  process.stdin.on('end', () => process.exit()).resume();`;

export interface Holder extends AsyncDisposable {
  readonly pid: number;
  /** Ends the program, which closes the file. */
  leave(): Promise<void>;
}

/** Settles once the program holds the file. */
export async function holding(file: string): Promise<Holder> {
  const other = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(other, 'close');
  await once(other.stdout, 'data');
  const leave = async (): Promise<void> => {
    other.stdin.end();
    await ended;
  };
  return { pid: other.pid ?? 0, leave, [Symbol.asyncDispose]: leave };
}
