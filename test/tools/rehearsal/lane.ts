/** A lane of the rehearsed store: a folder with releases and the real updater, in a namespace, with a simulated lane as its firmware. */

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isCode } from '../../../drivers/lib/errors.ts';
import { Rig } from '../../ota/rig.ts';
import { Program } from '../../process.ts';
import { ROOT } from '../../root.ts';
import { type Answer, call, until } from '../../support.ts';
import type { Place } from '../../sync/network.ts';

const execute = promisify(execFile);
const HERE = join(ROOT, 'test/tools/rehearsal');
/** Made up, as all secrets of tests. */
const TOKEN = 'rehearsal-technician-token-made-up';
const RELAY_PORT = '1280';
const PORTS = { terminal: 1234, recognition: 8080, control: 1290 } as const;
const CALL_LIMIT_MS = 40_000;
const KIB = 1024;
/** Of a lane that does not come up in ten seconds, as beside other work. */
const MOST_STARTS = 5;

/** What a call sends. */
export interface Asked {
  readonly json?: object;
  /** A picture. */
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly method?: string;
  readonly key?: string;
}

/** What a process holds, as /proc says. */
export interface Held {
  readonly memoryKib: number;
  readonly files: number;
  readonly connections: number;
}

export interface LaneOptions {
  readonly place: Place;
  readonly serial: string;
  readonly speed: number;
  /** Where the line to the bank ends: address and port. */
  readonly line: readonly [string, number];
  /** More of its configuration, as `LANEWARE_` variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where its files are, if not in a folder of its own. */
  readonly root?: string;
}

/** Empty where the process has ended meanwhile. */
function commandOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

/** A release with the sources as they are, that calls itself so. */
export function asRelease(version: string, isBroken: boolean): (folder: string) => void {
  return (folder) => {
    for (const part of ['firmware', 'drivers']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
    if (isBroken) writeFileSync(join(folder, 'firmware/tools/sim/main.ts'), 'process.exit(3);\n');
  };
}

export class RehearsedLane extends Rig implements AsyncDisposable {
  readonly options: LaneOptions;
  serial: string;
  #relay: Program | null = null;

  constructor(options: LaneOptions) {
    super(options.root);
    this.options = options;
    this.serial = options.serial;
    writeFileSync(
      this.#node,
      `#!/bin/sh\nexec ip netns exec ${options.place.name} ${process.execPath} "$@" >>${this.log} 2>&1\n`,
      { mode: 0o755 },
    );
  }

  get log(): string {
    return join(this.folder, 'lane.log');
  }

  get #node(): string {
    return join(this.folder, 'node');
  }

  get data(): string {
    return join(this.root, 'data');
  }

  override get within(): string[] {
    return ['ip', 'netns', 'exec', this.options.place.name];
  }

  /** As systemd does, again where it did not come up; the bank is in this process, and goes on meanwhile. */
  override async startService(): Promise<void> {
    for (let start = 1; ; start += 1) {
      try {
        await execute('systemctl', ['restart', 'laneware.service'], { env: this.env });
        return;
      } catch (error) {
        if (start === MOST_STARTS)
          throw new Error(`${this.serial}: ${readFileSync(this.log, 'utf8')}`, { cause: error });
      }
    }
  }

  override async answers(): Promise<string | null> {
    const answer = await this.ask('terminal', '/health').catch(() => null);
    return answer?.body?.health?.version ?? null;
  }

  override get env(): NodeJS.ProcessEnv {
    const { place, speed, settings } = this.options;
    return {
      ...super.env,
      ...{ LANEWARE_TEST_NODE: this.#node, LANEWARE_TEST_DEVICE: join(HERE, 'launch.mjs') },
      ...{ REHEARSAL_ADDRESS: place.address, REHEARSAL_SPEED: String(speed), REHEARSAL_SOURCES: ROOT },
      ...{ LANEWARE_SERIAL: this.serial, LANEWARE_API_TOKENS_TECHNICIAN: TOKEN },
      ...{ LANEWARE_MODEL_MANIFEST: join(ROOT, 'models/lane-embed-1.json'), LANEWARE_SYNC_HOST: '0.0.0.0' },
      ...{ TZ: 'Europe/Moscow', ...settings },
    };
  }

  /** Installs, starts and sets it up as a lane of that shop. */
  async open(): Promise<void> {
    const { place, line } = this.options;
    const [address, port] = line;
    const within = ['netns', 'exec', place.name, process.execPath];
    this.#relay = new Program(
      [...within, join(HERE, 'relay.mjs'), RELAY_PORT, address, String(port)],
      {},
      { node: 'ip' },
    );
    await this.#relay.line((said) => (said.ready === true ? true : null));
    // a release holds no links: its packages are found above it
    mkdirSync(join(this.root, 'opt/laneware'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'opt/laneware/node_modules'));
    await this.install();
    await this.setUp();
  }

  /** Names its bank: all lanes of the shop have the same contract. */
  async setUp(): Promise<void> {
    const main = {
      ...{ bankName: 'Sber', userName: 'shop-api', password: 'made-up' },
      baseUrl: `http://127.0.0.1:${RELAY_PORT}/rbs/payment/rest/`,
    };
    const deviceConnection = { connectionType: 'Serial', portName: '/dev/ttySIM0' };
    const settings = { bankProfile: 'main', bankProfiles: { main }, deviceConnection };
    await this.must('terminal', '/updateDriverSettings', { json: { settings } });
  }

  /** @throws where nobody answers */
  ask(door: keyof typeof PORTS, path: string, { json, key, method, body }: Asked = {}): Promise<Answer> {
    const sent = json === undefined ? body : JSON.stringify(json);
    return call(`http://${this.options.place.address}:${PORTS[door]}${path}`, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body === undefined ? {} : { 'content-type': 'image/jpeg' }),
      },
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
      ...(sent === undefined ? {} : { body: sent }),
    });
  }

  /** A call that must succeed in the end: just now it may be killed, or without a disk. @returns its body */
  must(door: keyof typeof PORTS, path: string, asked: Asked = {}) {
    let last = 'no answer';
    return until(`${this.serial} ${path}`, async () => {
      const answer = await this.ask(door, path, asked).catch(() => null);
      last = answer?.text ?? 'no answer';
      return answer !== null && answer.status < 300 && (answer.body?.code ?? 0) === 0 ? { body: answer.body } : null;
    }).then(
      ({ body }) => body,
      (error: unknown) => {
        throw new Error(`${this.serial} ${path}: ${last}`, { cause: error });
      },
    );
  }

  /** Shown on the master itself only; null where it has none yet. */
  async pairingCode(): Promise<string | null> {
    const { place } = this.options;
    const url = `http://127.0.0.1:${PORTS.recognition}/api/get_sync_pairing_code`;
    const asked = [
      'netns',
      'exec',
      place.name,
      'curl',
      '-s',
      '-X',
      'POST',
      url,
      '-H',
      'content-type: application/json',
      '-d',
      '{}',
    ];
    const { stdout } = await execute('ip', asked).catch(() => ({ stdout: '{}' }));
    return JSON.parse(stdout || '{}').data?.pairingCode ?? null;
  }

  /** How many templates it has of each item, in order. */
  async templates(): Promise<string> {
    const { items } = await this.must('recognition', '/v1/templates');
    return items
      .map(({ id, templates }: { id: string; templates: number }) => `${id}:${templates}`)
      .sort()
      .join('\n');
  }

  /** Milliseconds since 1970, by its own clock. */
  async now(): Promise<number> {
    return Date.parse((await this.must('control', '/clock')).now);
  }

  /** Lets time pass at once until it is that late there. */
  async comeTo(moment: number): Promise<void> {
    for (;;) {
      const seconds = Math.min(86_400, Math.floor((moment - (await this.now())) / 1000));
      if (seconds <= 0) return;
      await this.must('control', '/clock/advance', { json: { seconds } });
    }
  }

  /** Of what runs, or ran last. */
  get pid(): number {
    return Number(readFileSync(join(this.folder, 'main-pid'), 'utf8'));
  }

  async kill(): Promise<void> {
    this.stopService();
    await until(
      `${this.serial} to be gone`,
      () => !existsSync(`/proc/${this.pid}`) || /^State:\s+Z/m.test(this.#status()),
    );
  }

  #status(): string {
    return readFileSync(`/proc/${this.pid}/status`, 'utf8');
  }

  /** Its card is dead: another device is put into the lane. */
  async replaceBy(serial: string): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true });
    this.serial = serial;
    await this.startService();
    await this.setUp();
  }

  held(): Held {
    const folder = `/proc/${this.pid}/fd`;
    const links = readdirSync(folder).length;
    const sockets = readFileSync(`/proc/${this.pid}/net/tcp`, 'utf8')
      .split('\n')
      .filter((line) => / 01 /.test(line)).length;
    return { memoryKib: Number(/^VmRSS:\s+(\d+)/m.exec(this.#status())?.[1]), files: links, connections: sockets };
  }

  /** KiB of its data folder. */
  stored(): number {
    const files = readdirSync(this.data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    return Math.round(bytes / KIB);
  }

  /** What it has started and left behind, as its message server: systemd ends that with the unit. */
  #children(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => commandOf(name).includes(this.data))
      .map(Number);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#relay?.[Symbol.asyncDispose]();
    this.stopService();
    for (const child of this.#children()) process.kill(child, 'SIGKILL');
    this.close();
  }
}
