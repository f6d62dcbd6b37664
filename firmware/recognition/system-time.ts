/** Setting the clock of the system, which a device without a battery-backed one is told by its till (`set_time`). */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LIMIT_MS = 5000;
const run = promisify(execFile);

/** @param seconds since 1970 @throws where this process may not, with the words of the system */
export async function setSystemTime(seconds: number, microseconds: number): Promise<void> {
  const moment = `@${seconds}.${String(microseconds).padStart(6, '0')}`;
  try {
    await run('date', ['--utc', `--set=${moment}`], { timeout: LIMIT_MS });
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string };
    throw new Error((stderr?.trim() || message).split('\n')[0] ?? message, { cause });
  }
}
