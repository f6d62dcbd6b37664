/** The journal of this machine, as a support bundle of a device that need not run has it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Fields, isFields } from '../../../drivers/lib/fields.ts';
import type { LogEntry } from './bundle.ts';

/** Of the journal, the newest. */
const LINES = '5000';
/** For the journal. */
const LIMIT_MS = 60_000;
/** systemd itself: what it says of an end nobody else can have written. */
const INIT = '1';

function parsed(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null; // of another program, or of a stack
  }
}

/** @param text a line of `journalctl -o json` */
function entryOf(text: string): LogEntry {
  const entry: Fields = parsed(text) ?? {};
  const { MESSAGE: message, __REALTIME_TIMESTAMP: micros, _SYSTEMD_UNIT, _PID } = entry;
  const end: Fields = _PID === INIT ? entry : { UNIT: _SYSTEMD_UNIT };
  const { UNIT: unit, UNIT_RESULT: result, EXIT_CODE: code, EXIT_STATUS: exit, N_RESTARTS: restarts } = end;
  const line = parsed(String(message)) ?? { msg: message, err: { stack: message } };
  return { at: new Date(Number(micros) / 1000).toJSON(), unit, result, code, exit, restarts, line };
}

/** The newest first. @throws {Error} where it may not be read */
export async function* journal(): AsyncGenerator<LogEntry> {
  const args = ['--no-pager', '--reverse', '-o', 'json', '-n', LINES, '-u', 'laneware*'];
  const child = spawn('journalctl', args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: LIMIT_MS });
  const end = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`journalctl ended with ${code}`))));
  });
  end.catch(() => undefined); // it is heard below
  try {
    for await (const line of createInterface({ input: child.stdout })) yield entryOf(line);
    await end;
  } finally {
    child.kill();
  }
}
