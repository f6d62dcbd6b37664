/** Makes a support bundle: a zip of the parts below. A part that cannot be read is named as missing in `about.json`. */
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { freemem, release, uptime } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import { ZipFile } from 'yazl';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { type Board, SystemFiles, settingIn } from '../../core/board/index.ts';
import { BOARD, CONNECTION, END, HEALTH, JOURNAL, KEPT, LABELS, PROFILE, shapeOf } from './bundle-shapes.ts';
import { listed, Secrets, type Shape, unlisted } from './bundle-shown.ts';

/** Most bytes of a part, before compression. */
const PART_BYTES = 2 * 1024 * 1024;
const ENDS = '/var/lib/laneware-update/ends';

/** A line of the log, or systemd's report on the end of a unit. */
export type LogEntry = Readonly<Record<string, unknown>>;

export interface Sources {
  readonly by: 'device' | 'lanectl';
  readonly version: string;
  /** The data folder. */
  readonly folder: string;
  /** System files; those of this machine when left out. */
  readonly files?: SystemFiles;
  readonly board: Pick<Board, 'guards' | 'isSynchronised' | 'update'>;
  /** The answer of `/health`. */
  health(): unknown;
  /** The answer of `/metrics`. */
  figures(): Promise<string>;
  config(): unknown;
  readonly configSchema: TSchema;
  /** The settings, with open or sealed secrets. Open ones are then withheld in all parts. */
  settings(): unknown;
  /** Lines of the log, the newest first. */
  lines(): AsyncIterable<LogEntry> | Iterable<LogEntry>;
}

type Pieces = (sources: Sources, secrets: Secrets) => AsyncIterable<string>;

const asDocument = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const document = (read: (sources: Sources) => unknown, shape: Shape): Pieces =>
  async function* (sources, secrets) {
    yield asDocument(listed(await read(sources), shape, secrets));
  };

const SAMPLE =
  /^((?:laneware|process|nodejs_(?:eventloop|heap_size|external))_[a-z0-9_]{1,80})(?:\{(.*)\})? ([-+0-9.eE]{1,32}|[+-]Inf|NaN)$/;
const LABEL = /(?<=^|,)([a-z_]{1,40})="((?:[^"\\]|\\.)*)"/g;

async function* figures(sources: Sources, secrets: Secrets): AsyncGenerator<string> {
  for (const line of (await sources.figures()).split('\n')) {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) continue;
    const all = [...labels.matchAll(LABEL)].flatMap(([, label = '', text]) => {
      const shape = LABELS[label];
      return shape === undefined ? [] : [`${label}="${listed(text, shape, secrets)}"`];
    });
    yield `${name}{${all.join(',')}} ${value}\n`;
  }
}

async function* log(sources: Sources, secrets: Secrets): AsyncGenerator<string> {
  for await (const entry of sources.lines()) yield `${JSON.stringify(listed(entry, JOURNAL, secrets))}\n`;
}

const SETTINGS: Shape = { profiles: [PROFILE], deviceConnection: CONNECTION };

/** The settings without the names of the profiles, which the shop chooses. */
function settingsOf(sources: Sources): unknown {
  const { bankProfile: _, bankProfiles, ...others } = Object(sources.settings());
  return { ...others, profiles: Object.values(bankProfiles ?? {}) };
}

function endsOf({ files = new SystemFiles() }: Sources): unknown {
  return files.list(ENDS).map((version) => {
    const text = files.text(`${ENDS}/${version}`);
    const causes = settingIn('causes', text)
      .split(' ')
      .map((each) => each.split(':'))
      .map(([cause, n]) => ({ cause, n: Number(n) }));
    return { version, ends: Number(settingIn('ends', text)), causes };
  });
}

/** Ends of the names of files that SQLite or the device stores beside a file. */
const BESIDE = /(?:-wal|-shm|\.copy)$/;

function filesOf({ folder }: Sources): unknown {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => {
      const { size, mtime } = statSync(join(folder, name));
      const [beside = ''] = BESIDE.exec(name) ?? [];
      return { name: name.slice(0, name.length - beside.length), beside, bytes: size, at: mtime.toISOString() };
    });
}

async function* configuration({ config, configSchema }: Sources, secrets: Secrets): AsyncGenerator<string> {
  yield asDocument(listed(config(), shapeOf(configSchema), secrets));
}

const PARTS: Readonly<Record<string, Pieces>> = {
  'health.json': document(({ health }) => health(), HEALTH),
  'metrics.txt': figures,
  'board.json': document(({ board }) => board, BOARD),
  'ends.json': document(endsOf, [END]),
  'settings.json': document(settingsOf, SETTINGS),
  'config.json': configuration,
  'files.json': document(filesOf, [KEPT]),
  'log.jsonl': log,
};

/** @returns the bytes of a part, and its state: `whole`, `cut`, or `missing` with the failure's code */
async function gathered(pieces: AsyncIterable<string>, secrets: Secrets): Promise<[bytes: Buffer, state: string]> {
  const made: Buffer[] = [];
  let room = PART_BYTES;
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      room -= bytes.length;
      if (room < 0) return [Buffer.concat(made), 'cut'];
      made.push(bytes);
      await nextTurn(); // the lane sells meanwhile
    }
    return [Buffer.concat(made), 'whole'];
  } catch (error) {
    const { code, name, details } = Object(error);
    return [Buffer.concat(made), `missing: ${listed(String(code ?? details?.code ?? name), 'word', secrets)}`];
  }
}

/**
 * The secrets of configuration and settings, as far as these can be read; what cannot be read is missing in the bundle,
 * too.
 */
function secretsOf(sources: Sources): Secrets {
  const texts = (read: () => string[]): string[] => {
    try {
      return read();
    } catch {
      return []; // about.json says why
    }
  };
  return new Secrets([
    ...texts(() => unlisted(sources.config(), shapeOf(sources.configSchema))),
    ...texts(() => unlisted(settingsOf(sources), SETTINGS)),
  ]);
}

async function fill(zip: ZipFile, sources: Sources): Promise<void> {
  const secrets = secretsOf(sources);
  const parts: Record<string, string> = {};
  for (const [name, make] of Object.entries(PARTS)) {
    const [bytes, state] = await gathered(make(sources, secrets), secrets);
    if (bytes.length > 0) zip.addBuffer(bytes, name);
    parts[name] = state;
  }
  zip.addBuffer(Buffer.from(asDocument({ ...aboutOf(sources), parts })), 'about.json');
  zip.end();
}

const PLAIN = /^[\w ./,+~()-]{1,80}$/;
const plain = (text: string | null): string | null => (text !== null && PLAIN.test(text) ? text : null);

/** The release, the machine and its system. */
function aboutOf({ by, version, folder, files = new SystemFiles() }: Sources): object {
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : '/');
  const system = files.text('/etc/os-release');
  return {
    by,
    version,
    madeAt: new Date().toISOString(),
    node: process.version,
    arch: process.arch,
    system: plain(settingIn('PRETTY_NAME', system).replaceAll('"', '')),
    kernel: plain(release()),
    upSeconds: uptime(),
    freeMemory: freemem(),
    freeDisk: bavail * bsize,
    board: plain(files.text('/proc/device-tree/model')?.replaceAll('\0', '') ?? null),
  };
}

/** @returns the zip as a stream, which is made while it is read */
export function supportBundle(sources: Sources): Readable {
  const zip = new ZipFile();
  const sent = new PassThrough();
  zip.outputStream.pipe(sent);
  fill(zip, sources).catch((error) => sent.destroy(error));
  return sent;
}
