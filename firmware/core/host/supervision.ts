/**
 * Reports to systemd: READY when both ports answer, a sign of life after each round of progress, STOPPING at the end.
 * Without progress there is no sign: systemd then ends the process (SIGABRT, its stack in the journal) and starts it
 * again.
 */
import { execFile } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import Type from 'typebox';
import { fits } from '../schema/index.ts';
import { machineTime, type Timekeeper } from './clock.ts';
import { type HealthReport, HealthReportSchema } from './health.ts';
import type { Log } from './log.ts';

/**
 * Proof of progress: a real request to each port went through the event loop, the router and the stores, and came back.
 * Absent hardware is in the answer, and is no lack of progress.
 */
type Progress =
  | { readonly alive: true; readonly report: HealthReport | null }
  | { readonly alive: false; readonly reason: string };

/** The report in an answer: the terminal's `health`, the recognition device's `data`. */
const AnswerSchema = Type.Union([
  Type.Object({ health: HealthReportSchema }),
  Type.Object({ data: HealthReportSchema }),
]);

function reportOf(body: unknown): HealthReport | null {
  if (!fits(AnswerSchema, body)) return null;
  return 'health' in body ? body.health : body.data;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Asks over a new connection: accepting it is part of the proof. */
function ask(url: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(new URL('/health', url), { agent: false, signal }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject);
    });
    request.on('error', reject);
  });
}

/**
 * @param url base address of a port of this process, on loopback
 * @param deadlineMs silence for this long counts as no progress
 */
async function probe(url: string, deadlineMs: number): Promise<Progress> {
  const where = `${url}/health`;
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const answer = await ask(url, deadline);
    // a refusal comes from the router too: the device works, it only does not count its own address among its clients
    if (answer.status >= 500) return { alive: false, reason: `${where} answered ${answer.status}` };
    const body: unknown = JSON.parse(answer.text);
    return { alive: true, report: reportOf(body) };
  } catch (error) {
    const reason = deadline.aborted ? `was silent for ${Math.round(deadlineMs)} ms` : String(error);
    return { alive: false, reason: `${where}: ${reason}` };
  }
}

/** A line for `systemctl status`: what is wrong, in the words of the health report. */
function statusOf(report: HealthReport | null): string {
  if (report === null) return 'running';
  const wrong = report.parts.filter(({ state }) => state !== 'ok').map(({ part, reason }) => `${part}: ${reason}`);
  return wrong.length === 0 ? `${report.version} works` : `${report.version} ${report.state}; ${wrong.join('; ')}`;
}

/** Rounds within one watchdog limit: two may fail before systemd acts. */
const ROUNDS_PER_LIMIT = 3;
/** Pause between rounds where systemd sets no limit. */
const DEFAULT_ROUND_MS = 10_000;
/** Share of a round for an answer, so that a round ends before the next begins. */
const ANSWER_SHARE = 0.8;
/** Time limit of `systemd-notify`: it ends within milliseconds; a slower one is killed, so that none pile up. */
const NOTIFY_TIMEOUT_MS = 5000;

const run = promisify(execFile);

/**
 * Reports the state of the process to systemd, by assignments such as `READY=1`; resolves when systemd has them
 * (sd_notify, `man systemd-notify`). Node cannot send to a datagram socket, so the `systemd-notify` program does, as a
 * child: the unit needs `NotifyAccess=all`.
 */
type Notify = (...assignments: string[]) => Promise<void>;

/** A status on one line: line breaks, which systemd would read as another assignment, are removed. */
const statusLine = (text: string): string => `STATUS=${text.replaceAll(/[\r\n]+/g, ' ')}`;

/** The notifier; null where systemd did not start the process. */
function openNotifier(env: NodeJS.ProcessEnv): Notify | null {
  if (env.NOTIFY_SOCKET === undefined) return null;
  return async (...assignments) =>
    void (await run('systemd-notify', assignments, { env, timeout: NOTIFY_TIMEOUT_MS, killSignal: 'SIGKILL' }));
}

/** Milliseconds within which systemd wants a sign of life; null where it watches nothing or another process. */
function watchdogLimit(env: NodeJS.ProcessEnv, pid: number): number | null {
  const microseconds = Number(env.WATCHDOG_USEC);
  if (!Number.isSafeInteger(microseconds) || microseconds <= 0) return null;
  if (env.WATCHDOG_PID !== undefined && Number(env.WATCHDOG_PID) !== pid) return null;
  return microseconds / 1000;
}

type Own = Pick<NodeJS.Process, 'env' | 'pid'>;
interface Urls {
  readonly terminal: string;
  readonly recognition: string;
}

interface Supervision {
  /** Reports to systemd that the process is ending, and sends no more signs of life. */
  stopping(): Promise<void>;
}

const NOT_SUPERVISED: Supervision = Object.freeze({ stopping: async () => undefined });
const ENDPOINTS_FILE = 'endpoints';

/**
 * Writes the addresses of this process for the updater and `lanectl`: `key=value` lines in systemd's runtime folder,
 * addresses on loopback, for each user of the machine. A hint only: the updater asks the ports themselves what runs
 * there. The updater reads these lines and no others (`scripts/lib/service.sh`).
 */
function publishEndpoints(folder: string, urls: Urls, log: Log): void {
  const lines = [`terminal=${urls.terminal}`, `recognition=${urls.recognition}`];
  try {
    writeFileSync(join(folder, ENDPOINTS_FILE), `${lines.join('\n')}\n`);
    chmodSync(join(folder, ENDPOINTS_FILE), 0o644); // the umask of the process keeps its files to its user
  } catch (err) {
    log.warn({ err }, 'the updater and lanectl will not find the ports of this process');
  }
}

class Watch implements Supervision {
  readonly #own: Own;
  readonly #urls: Urls;
  readonly #log: Log;
  readonly #notify: Notify;
  readonly #roundMs: number;
  readonly #time: Timekeeper;
  #callOff: () => void = () => undefined;
  #ended = false;
  #status = '';

  constructor(own: Own, urls: Urls, log: Log, time: Timekeeper, notify: Notify) {
    this.#own = own;
    this.#urls = urls;
    this.#log = log;
    this.#notify = notify;
    this.#time = time;
    const limit = watchdogLimit(own.env, own.pid);
    this.#roundMs = limit === null ? DEFAULT_ROUND_MS : limit / ROUNDS_PER_LIMIT;
  }

  /** The first round decides whether the process is ready at all. */
  async round(first: boolean): Promise<void> {
    const began = this.#time.monotonic();
    const urls = this.#urls;
    const deadline = this.#roundMs * ANSWER_SHARE;
    const all = await Promise.all([urls.terminal, urls.recognition].map((url) => probe(url, deadline)));
    const stuck = all.find((progress) => !progress.alive);
    if (this.#ended) return;
    if (stuck === undefined) await this.#report(all, first);
    else this.#log.warn({ reason: stuck.reason }, 'no progress: systemd gets no sign of life');
    this.#next(began, first && stuck !== undefined);
  }

  async stopping(): Promise<void> {
    this.#ended = true;
    this.#callOff();
    const folder = this.#own.env.RUNTIME_DIRECTORY;
    if (folder !== undefined) rmSync(join(folder, ENDPOINTS_FILE), { force: true });
    await this.#send('STOPPING=1', statusLine('closing'));
  }

  async #report(all: readonly Progress[], first: boolean): Promise<void> {
    const report = all.map((progress) => (progress.alive ? progress.report : null)).find((one) => one !== null) ?? null;
    const status = statusOf(report);
    const assignments = [first ? 'READY=1' : 'WATCHDOG=1'];
    if (status !== this.#status) assignments.push(statusLine(status));
    this.#status = status;
    await this.#send(...assignments);
  }

  #next(began: number, first: boolean): void {
    if (this.#ended) return;
    const pause = Math.max(0, this.#roundMs - (this.#time.monotonic() - began));
    this.#callOff = this.#time.after(pause, () => void this.round(first));
  }

  async #send(...assignments: string[]): Promise<void> {
    try {
      await this.#notify(...assignments);
    } catch (error) {
      this.#log.warn({ err: error }, 'systemd could not be reached: it does not know how the device is');
    }
  }
}

/**
 * Call it when both ports listen. Does nothing in a process that systemd did not start.
 * @param notify replaces the program, where systemd started the process
 */
export async function superviseBySystemd(
  own: Own,
  urls: Urls,
  log: Log,
  time = machineTime(),
  notify?: Notify,
): Promise<Supervision> {
  const program = openNotifier(own.env);
  if (program === null) return NOT_SUPERVISED;
  const folder = own.env.RUNTIME_DIRECTORY;
  if (folder !== undefined) publishEndpoints(folder, urls, log);
  const watch = new Watch(own, urls, log, time, notify ?? program);
  await watch.round(true);
  return watch;
}
