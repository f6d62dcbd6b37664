/** The master's `nats-server`: starts it, watches it, restarts it, and ends it with the master. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pause } from '../../../drivers/lib/async.ts';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { beginning } from '../../../drivers/lib/text.ts';
import { clearPath, makeFolder, readPlainFile, readPlainFileIfAny, replaceFile } from '../../core/files/index.ts';
import type { Log } from '../../core/host/index.ts';
import { SyncError } from '../errors.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** Lines that differ only in their digits are logged once within this time: a failing server logs the same for each message. */
const QUIET_MS = 60_000;
/** Most kinds of lines that are remembered; one more clears the memory. */
const MOST_KINDS = 100;

interface Kind {
  /** When the line was last logged, monotonic ms. */
  readonly saidAt: number;
  /** How many lines of this kind were left out since. */
  readonly more: number;
}

export class RepeatedLines {
  readonly #log: Pick<Log, 'warn'>;
  readonly #monotonic: () => number;
  readonly #kinds = new Map<string, Kind>();

  constructor(log: Pick<Log, 'warn'>, monotonic: () => number = () => performance.now()) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  /** Logs each kind of line at most once a minute, with how many lines were left out. */
  warn(line: string, message: string): void {
    const kind = `${message} ${line.replaceAll(/\d+/g, '#')}`;
    const now = this.#monotonic();
    const known = this.#kinds.get(kind);
    if (known !== undefined && now - known.saidAt < QUIET_MS) {
      this.#kinds.set(kind, { ...known, more: known.more + 1 });
      return;
    }
    if (this.#kinds.size >= MOST_KINDS) this.#kinds.clear();
    this.#kinds.set(kind, { saidAt: now, more: 0 });
    this.#log.warn({ server: line, ...(known !== undefined && known.more > 0 && { more: known.more }) }, message);
  }
}

const VERSION_LIMIT_MS = 5000;
/** How long the server may take to end before it is killed. */
const STOP_LIMIT_MS = 3000;
/** Far more than the digits of a process id, and than our server's command line. */
const MAX_PID_BYTES = 64;
const MAX_COMMAND_BYTES = 4 * 1024 * 1024;
const RELOAD_LIMIT_MS = 3000;
const LOOK_AGAIN_MS = 20;
const RESTART_MS = 1000;
/** Longest line in characters: an address, a client's name and a reason are far shorter. */
const LONGEST_LINE = 2000;
/** How many of the server's last lines explain its end. */
const LAST_WORDS = 3;

/** The server's line once it has reloaded its configuration. */
const RELOADED = 'Reloaded server configuration';

const run = promisify(execFile);

/** A message server, which its master starts and configures. */
export interface MessageServer {
  /** Why it does not run, or null. */
  readonly problem: string | null;
  /** Id of its process; null where none runs, and for a unit. */
  readonly pid: number | null;
  /** Whether its program can be started. @throws {SyncError} `no-server` */
  requireProgram(): Promise<void>;
  /**
   * Writes the configuration. A running server reloads it, and keeps the connections whose rights are unchanged. Resolves after
   * the reload, or after `RELOAD_LIMIT_MS`: without a reload the server refuses a new device, which shows the fault.
   */
  configure(text: string): Promise<void>;
  /** Starts it, and starts it again whenever it ends, until `stop`. @param port that the configuration names */
  start(port: number): void;
  /** Ends the running server, by force where it must; it is then started again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param program its name or path
 * @param folder holds the configuration, the certificate and the store
 * @param isRouted whether devices outside the subnets of this machine may connect; only for a unit
 */
export type OpenServer = (program: string, folder: string, isRouted: boolean, log: Log) => MessageServer;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/** Reads a process id; NaN where the file holds none: a damaged file must not stop the master. */
function pidIn(file: string): number {
  try {
    return Number(readPlainFile(file, MAX_PID_BYTES).toString().trim());
  } catch (error) {
    if (isCode(error, 'TOO_LARGE')) return Number.NaN;
    throw error;
  }
}

export class NatsServer implements MessageServer {
  readonly #program: string;
  readonly #folder: string;
  readonly #isRouted: boolean;
  readonly #log: Log;
  readonly #socket: string | undefined;
  #process: ServerProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  #closing = new AbortController();
  readonly #lines: RepeatedLines;
  #words: string[] = [];
  #line = '';
  /** The configuration that the server has, or will read when it starts; null where a reload is not confirmed. */
  #taken: string | null = null;
  #onReload: () => void = () => undefined;
  readonly #configuring = new SerialQueue();
  #running: Promise<void> | null = null;

  /**
   * Parameters as in `OpenServer`.
   * @param socket of the unit that runs the server; without one the server is a child of this process
   */
  constructor(program: string, folder: string, isRouted: boolean, log: Log, socket?: string) {
    this.#program = program;
    this.#folder = folder;
    this.#isRouted = isRouted;
    this.#log = log;
    this.#socket = socket;
    this.#lines = new RepeatedLines(log);
    makeFolder(folder);
  }

  get problem(): string | null {
    if (this.#process !== null) return null;
    return this.#words.length === 0 ? 'nats-server is being started' : `nats-server ended: ${this.#words.join('; ')}`;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  async requireProgram(): Promise<void> {
    try {
      await run(this.#program, ['--version'], { timeout: VERSION_LIMIT_MS });
    } catch (cause) {
      const message = `${this.#program} cannot be started; a master needs it: sudo apt-get install nats-server`;
      throw new SyncError('no-server', message, { cause });
    }
  }

  /** Applies configurations one at a time: the server's line `RELOADED` does not say which one it has read. */
  configure(text: string): Promise<void> {
    return this.#configuring.run(() => this.#applyConfig(text));
  }

  start(port: number): void {
    this.#running ??= this.#keepRunning(port);
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    await this.restart();
    await this.#running;
  }

  get #configFile(): string {
    return join(this.#folder, 'server.conf');
  }

  async #applyConfig(text: string): Promise<void> {
    // a reload loses answers that are on their way to devices
    if (text === this.#taken) return;
    this.#taken = null;
    replaceFile(this.#configFile, text);
    if (this.#process === null || (await this.#reload(this.#process))) this.#taken = text;
  }

  /** Reloads the configuration. @returns whether the server has confirmed it in time */
  async #reload(server: ServerProcess): Promise<boolean> {
    const reloaded = new Promise<boolean>((resolve) => {
      this.#onReload = () => resolve(true);
    });
    server.reload();
    const limit = new AbortController();
    const tooLate = pause(RELOAD_LIMIT_MS, limit.signal).then(() => false);
    const isTaken = await Promise.race([reloaded, tooLate]);
    limit.abort();
    return isTaken;
  }

  async #keepRunning(port: number): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#endLeftover();
        if (signal.aborted) return;
        this.#launch(port);
        await this.#exited;
      } catch (error) {
        this.#words = [messageOf(error)]; // for example, no free file descriptor or process: it is tried again
      }
      if (signal.aborted) return;
      this.#lines.warn(this.#words.join('; '), 'nats-server ended and is started again');
      await pause(RESTART_MS, signal);
    }
  }

  #launch(port: number): void {
    this.#words = [];
    const server = startServer({
      program: this.#program,
      config: this.#configFile,
      socket: this.#socket,
      port,
      isRouted: this.#isRouted,
    });
    this.#process = server;
    server.lines.setEncoding('utf8').on('data', (text: string) => this.#listen(text));
    this.#exited = server.over.then((why) => {
      if (why !== null) this.#words = [why];
      this.#process = null;
    });
    this.#log.info({ pid: server.pid }, 'nats-server started');
  }

  /** Reads the server's lines; its warnings and errors are logged, refused clients included. */
  #listen(text: string): void {
    const lines = (this.#line + text).split('\n').map((line) => beginning(line, LONGEST_LINE));
    this.#line = lines.pop() ?? '';
    for (const line of lines) {
      if (line.includes(RELOADED)) this.#onReload();
      const [, level, message] = /\[(INF|WRN|ERR|FTL)\] (.*)$/.exec(line) ?? [];
      if (level === undefined || level === 'INF' || message === undefined) continue;
      this.#words = [...this.#words, message].slice(-LAST_WORDS);
      this.#lines.warn(message, 'nats-server');
    }
  }

  async restart(): Promise<void> {
    const server = this.#process;
    if (server === null) return;
    server.end();
    const limit = setTimeout(() => server.kill(), STOP_LIMIT_MS);
    await this.#exited;
    clearTimeout(limit);
  }

  /** Ends a server that a killed master left behind, which would hold the port and the store. */
  async #endLeftover(): Promise<void> {
    const file = join(this.#folder, 'server.pid');
    clearPath(file, Date.now());
    if (!existsSync(file)) return;
    const pid = pidIn(file);
    if (!Number.isInteger(pid) || pid < 2 || !this.#isOurs(pid)) return;
    process.kill(pid, 'SIGTERM');
    const end = performance.now() + STOP_LIMIT_MS;
    // checked each time: another process may get the id meanwhile
    while (isAlive(pid) && this.#isOurs(pid)) {
      if (performance.now() > end) process.kill(pid, 'SIGKILL');
      await pause(LOOK_AGAIN_MS);
    }
    this.#log.warn({ pid }, 'a nats-server of a process before this one was ended');
  }

  /** Whether a process is our server: ids are reused, so its command line must name our configuration. */
  #isOurs(pid: number): boolean {
    const command = readPlainFileIfAny(`/proc/${pid}/cmdline`, MAX_COMMAND_BYTES)?.toString() ?? '';
    return command.split('\0').includes(this.#configFile);
  }
}
