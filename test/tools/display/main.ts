/**
 * A simulated display for a till programmer: a serial port that behaves like one, and a picture of what it shows.
 *
 *     node test/tools/display/main.ts --path /tmp/ttyQR --png /tmp/display.png
 *
 * The port is made by `socat` (Linux, macOS). Each picture is also a JSON line on the standard output.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Picture } from '../../../drivers/display/contract.ts';
import { type Answers, SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { renderPng } from '../../../drivers/display/wire/simulator-png.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { PtyDisplay, WIRE_BYTES_PER_SECOND } from './pty.ts';

const ANSWERS: readonly Answers[] = ['echo', 'none', 'rubbish'];

const USAGE = `usage: node test/tools/display/main.ts [--path LINK] [--png FILE] [--answers ${ANSWERS.join('|')}] [--slow]
  --path     where the serial port shall appear (default: in a folder of its own; printed)
  --png      keeps what the customer sees in this file
  --answers  what the display sends back (default echo)
  --slow     takes bytes at the rate of a wire of 115200 baud
`;

const say = (line: Readonly<Record<string, unknown>>): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Writes the newest picture, one at a time and each file whole: who reads it never sees half of one. */
function createPngWriter(file: string): (picture: Picture) => void {
  let wanted: Picture | null = null;
  let busy = false;
  const write = async () => {
    busy = true;
    for (let picture = wanted; picture !== null; picture = wanted) {
      wanted = null;
      writeFileSync(`${file}.part`, await renderPng(picture));
      renameSync(`${file}.part`, file);
    }
    busy = false;
  };
  return (picture) => {
    wanted = picture;
    if (!busy) write().catch(fail);
  };
}

function fail(error: unknown): never {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

function readArguments() {
  const options = {
    path: { type: 'string' },
    png: { type: 'string' },
    answers: { type: 'string', default: 'echo' },
    slow: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ options });
  const answers = ANSWERS.find((known) => known === values.answers);
  if (answers === undefined) throw new Error(`--answers is one of ${ANSWERS.join(', ')}`);
  return { ...values, answers };
}

async function main(): Promise<void> {
  const args = readArguments();
  if (args.help) return void process.stdout.write(USAGE);
  const writePng = args.png === undefined ? () => undefined : createPngWriter(args.png);
  const device = new SimulatedDisplay(args.answers, (picture) => {
    say({ picture });
    writePng(picture);
  });
  const pty = new PtyDisplay(device, args.slow ? { bytesPerSecond: WIRE_BYTES_PER_SECOND } : {});
  await pty.plug(args.path);
  writePng(device.picture);
  say({ port: pty.path(args.path) });
  const end = () => void pty.close().catch(fail);
  // not `once`: a signal to the whole group may come twice, and the second would end us before the links are gone
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

main().catch((error: unknown) => {
  process.stderr.write(USAGE);
  fail(error);
});
