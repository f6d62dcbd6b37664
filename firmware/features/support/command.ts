/** `lanectl support`: makes the support bundle of the device on this machine, whether it runs or not. */

import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type Fields, isFields } from '../../../drivers/lib/strict-json.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { acting, CommandFailure, dataFolder, type Tools } from '../../core/cli/index.ts';
import type { Shell } from '../feature.ts';
import type { LogEntry } from './bundle.ts';

/** How many of the journal's newest lines are read. */
const LINES = '5000';
/** Time limit of reading the journal. */
const LIMIT_MS = 60_000;
/** Process id of systemd: only lines with this id are its reports. */
const INIT = '1';

function parsed(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null; // a line that is no JSON: of another program, or of a stack
  }
}

/** Converts a line of the journal. @param text a line of `journalctl -o json` */
function entryOf(text: string): LogEntry {
  const entry: Fields = parsed(text) ?? {};
  const { MESSAGE: message, __REALTIME_TIMESTAMP: micros, _SYSTEMD_UNIT, _PID } = entry;
  const end: Fields = _PID === INIT ? entry : { UNIT: _SYSTEMD_UNIT };
  const { UNIT: unit, UNIT_RESULT: result, EXIT_CODE: code, EXIT_STATUS: exit, N_RESTARTS: restarts } = end;
  const line = parsed(String(message)) ?? { msg: message, err: { stack: message } };
  return { at: new Date(Number(micros) / 1000).toJSON(), unit, result, code, exit, restarts, line };
}

/**
 * Lines of this machine's journal, the newest first; the device need not run.
 * @throws {Error} where the journal may not be read
 */
async function* journal(): AsyncGenerator<LogEntry> {
  const args = ['--no-pager', '--reverse', '-o', 'json', '-n', LINES, '-u', 'laneware*'];
  const child = spawn('journalctl', args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: LIMIT_MS });
  const end = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`journalctl ended with ${code}`))));
  });
  end.catch(() => undefined); // a failure is thrown by the `await` below
  try {
    for await (const line of createInterface({ input: child.stdout })) yield entryOf(line);
    await end;
  } finally {
    child.kill();
  }
}

const CONFIG = '/etc/laneware/config.json';

/** Parses a JSON file, without its byte order mark, the first line of a document of the device, and comment lines. */
const documentIn = (file: string): unknown =>
  JSON.parse(new TextDecoder().decode(readFileSync(file)).replaceAll(/^(?:laneware-kept-.*|[ \t]*\/\/.*)$/gm, ''));

async function support({ device, out }: Tools, file: string, shell: () => Promise<Shell>): Promise<undefined> {
  const folder = dataFolder();
  const [{ Board }, { supportBundle }] = await Promise.all([
    import('../../core/board/index.ts'),
    import('./bundle.ts'),
  ]);
  const { version } = manifest;
  const board = new Board(folder, version, { monotonic: () => performance.now(), wall: Date.now });
  const zip = supportBundle({
    by: 'lanectl',
    version,
    folder,
    board,
    health: () => device.health('terminal'),
    figures: () => device.read('terminal', '/metrics', (answer) => answer.text()),
    config: () => documentIn(process.env.LANEWARE_CONFIG ?? CONFIG),
    configSchema: await (await shell()).configSchema(),
    settings: () => Object(documentIn(`${folder}/settings.json`)).settings,
    lines: journal,
  });
  if (file === '-') return void (await pipeline(zip, process.stdout));
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(zip, target);
  } catch (error) {
    if (!target.pending) rmSync(file, { force: true });
    const how = 'name a new file on a medium with room, or - for the standard output';
    throw new CommandFailure('failed', `${file} cannot be written: ${messageOf(error)}: ${how}`, {}, error);
  }
  out.result({ file, bytes: target.bytesWritten }, [
    `${file}: ${Math.ceil(target.bytesWritten / 1024)} KB without secrets. Its about.json says what is missing; as root, less is missing.`,
  ]);
}

export function addSupport(program: Command, shell: () => Promise<Shell>): void {
  program
    .command('support')
    .description('save a support bundle of the device on this machine: one zip, without secrets')
    .argument('<file>', 'a new file, e.g. /media/laneware/lane-7.zip; - is the standard output')
    .action(acting((tools, file: string) => support(tools, file, shell)));
}
