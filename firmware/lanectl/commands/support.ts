/** `lanectl support`: the support bundle of the device on this machine, whether it runs or not. */
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { messageOf } from '../../../drivers/lib/errors.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { LogEntry } from '../../support/index.ts';
import { acting, type Tools } from '../context.ts';
import { CommandFailure } from '../exit-codes.ts';
import { dataFolder } from '../own-machine.ts';

const CONFIG = '/etc/laneware/config.json';
/** Of the journal, the newest. */
const LINES = '5000';
const JOURNAL_LIMIT_MS = 60_000;
/** systemd itself: what it says of an end nobody else can have written. */
const INIT = '1';

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a line of another program, or a stack
  }
}

/** @param text a line of `journalctl -o json` */
export function entryOf(text: string): LogEntry {
  const entry: Fields = Object(parsed(text));
  const { MESSAGE: message, __REALTIME_TIMESTAMP: at, _SYSTEMD_UNIT: unit } = entry;
  const moment = new Date(Number(at) / 1000);
  const said = parsed(String(message));
  return {
    ...(!Number.isNaN(moment.getTime()) && { at: moment.toISOString() }),
    ...(entry._PID === INIT ? endOf(entry) : { unit }),
    line: typeof said === 'object' && said !== null ? said : { msg: message, err: { stack: message } },
  };
}

const endOf = ({ UNIT, UNIT_RESULT, EXIT_CODE, EXIT_STATUS, N_RESTARTS }: Fields): LogEntry => ({
  unit: UNIT,
  ...(UNIT_RESULT !== undefined && { result: UNIT_RESULT }),
  ...(EXIT_CODE !== undefined && { code: EXIT_CODE, exit: Number(EXIT_STATUS) }),
  ...(N_RESTARTS !== undefined && { restarts: Number(N_RESTARTS) }),
});

async function* journal(): AsyncGenerator<LogEntry> {
  const args = ['--no-pager', '--reverse', '-o', 'json', '-n', LINES, '-u', 'laneware*'];
  const child = spawn('journalctl', args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: JOURNAL_LIMIT_MS });
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

/** Without the head of a kept file, and the lines that explain a configuration to people. */
const documentIn = (file: string): unknown =>
  JSON.parse(readFileSync(file, 'utf8').replaceAll(/^(?:laneware-kept-.*|[ \t]*\/\/.*)$/gm, ''));

async function support({ device, out }: Tools, file: string): Promise<undefined> {
  const folder = dataFolder();
  const [{ Board }, { supportBundle }] = await Promise.all([
    import('../../board/index.ts'),
    import('../../support/index.ts'),
  ]);
  const { version } = manifest;
  const board = new Board({ folder, version, monotonic: () => performance.now(), wall: Date.now });
  const zip = supportBundle({
    ...{ by: 'lanectl', version, folder, board },
    health: () => device.health('terminal'),
    figures: async () => (await device.fetch('terminal', '/metrics')).text(),
    config: () => documentIn(process.env.LANEWARE_CONFIG ?? CONFIG),
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
    `${file}: ${Math.ceil(target.bytesWritten / 1024)} KB without secrets. Its about.json says what is missing; as root less is.`,
  ]);
}

export function addSupport(program: Command): void {
  program
    .command('support')
    .description('write what support needs to know of the device on this machine to one zip without secrets')
    .argument('<file>', 'a new file, e.g. /media/laneware/lane-7.zip; - is the standard output')
    .action(acting(support));
}
