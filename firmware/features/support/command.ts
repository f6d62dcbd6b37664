/** `lanectl support`: the support bundle of the device on this machine, whether it runs or not. */

import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { messageOf } from '../../../drivers/lib/errors.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { acting, CommandFailure, dataFolder, type Tools } from '../../core/cli/index.ts';

const CONFIG = '/etc/laneware/config.json';

/** Without a byte order mark, the head of a kept file, and the lines that explain a configuration to people. */
const documentIn = (file: string): unknown =>
  JSON.parse(new TextDecoder().decode(readFileSync(file)).replaceAll(/^(?:laneware-kept-.*|[ \t]*\/\/.*)$/gm, ''));

async function support({ device, out }: Tools, file: string): Promise<undefined> {
  const folder = dataFolder();
  const [{ Board }, { supportBundle }, { journal }] = await Promise.all([
    import('../../core/board/index.ts'),
    import('./bundle.ts'),
    import('./journal.ts'),
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

export function addSupport(program: Command): void {
  program
    .command('support')
    .description('save a support bundle of the device on this machine: one zip, without secrets')
    .argument('<file>', 'a new file, e.g. /media/laneware/lane-7.zip; - is the standard output')
    .action(acting(support));
}
