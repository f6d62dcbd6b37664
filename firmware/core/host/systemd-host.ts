/**
 * Commands the system over systemd's D-Bus: `org.freedesktop.timedate1`, `login1` and `systemd1`, called through
 * `busctl` as a child process, so that a hanging bus does not hang the device. `systemd/polkit/50-laneware.rules` names
 * exactly the calls allowed without a password.
 */
import { execFile } from 'node:child_process';
import { readPlainFileIfAny } from '../files/index.ts';
import { type Host, HostError, type HostErrorCode, NO_HOST } from './host.ts';

/** How long a system service may take for one answer. */
const CALL_TIMEOUT_SECONDS = 10;
/** `busctl` is killed when it exceeds that. */
const CHILD_TIMEOUT_MS = (CALL_TIMEOUT_SECONDS + 2) * 1000;

/** Units that each do one thing and take no input from their starter; none is part of the device, which they stop. */
const UNITS = {
  reset: 'laneware-factory-reset.service',
  update: 'laneware-update-now.service',
  rollBack: 'laneware-rollback.service',
} as const;

const TIMEDATE = ['org.freedesktop.timedate1', '/org/freedesktop/timedate1'] as const;
const LOGIN = ['org.freedesktop.login1', '/org/freedesktop/login1', 'org.freedesktop.login1.Manager'] as const;
const SYSTEMD = ['org.freedesktop.systemd1', '/org/freedesktop/systemd1', 'org.freedesktop.systemd1.Manager'] as const;
/** The file in which `scripts/update/ota.sh` records the state of an update. */
const UPDATE_STATE_FILE = '/var/lib/laneware-update/state';
/** Most bytes read of that file: many times its size. */
const MAX_STATE_BYTES = 64 * 1024;

/** All states of `scripts/lib/update-state.sh` except `idle`. */
const UNDER_WAY = /^state=(?:check|download|verify|unpack|trial|switch|restart|gate|commit|cleanup|undo)$/m;

/**
 * Whether an update runs: from the first byte of a download until it is confirmed or undone. A killed updater leaves its
 * state until it has recovered, and counts as running. It renames the state file into place, whole: an empty or
 * incomplete file was left by a damaged card.
 */
function isUpdating(file: string): boolean {
  return UNDER_WAY.test(readPlainFileIfAny(file, MAX_STATE_BYTES)?.toString() ?? '');
}

/** Words of `busctl` → their meaning. Its exit code is 1 for all of them. */
const MEANINGS: readonly (readonly [RegExp, HostErrorCode])[] = [
  [/access denied|interactive authentication required|not authorized|permission denied/i, 'NOT_PERMITTED'],
  [/timed out|timeout/i, 'TIMEOUT'],
  [
    /failed to connect|no such file|was not provided|unit .* not found|could not activate|ServiceUnknown/i,
    'UNAVAILABLE',
  ],
];

function hostError(what: string, error: Error & { killed?: boolean; code?: unknown }, stderr: string): HostError {
  const words = stderr.trim() || error.message;
  if (error.code === 'ENOENT')
    return new HostError('UNAVAILABLE', `${what}: this machine has no systemd`, { cause: error });
  const code = error.killed === true ? 'TIMEOUT' : (MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? 'FAILED');
  return new HostError(code, `${what}: ${words}`, { cause: error });
}

export class SystemdHost implements Host {
  readonly isManaged = true;
  readonly #env: NodeJS.ProcessEnv;
  readonly #stateFile: string;

  constructor(env: NodeJS.ProcessEnv, stateFile = UPDATE_STATE_FILE) {
    this.#env = env;
    this.#stateFile = stateFile;
  }

  /**
   * Sets the time. A clock synchronised over the network is released for the call and synchronised again: offline the
   * time that was set stays.
   */
  async setTime(sec: number, usec: number): Promise<void> {
    const microseconds = BigInt(sec) * 1_000_000n + BigInt(usec);
    const followed = await this.#followsNetwork();
    if (followed) await this.#timedate('SetNTP', 'bb', 'false', 'false');
    try {
      await this.#timedate('SetTime', 'xbb', `${microseconds}`, 'false', 'false');
    } finally {
      if (followed) await this.#timedate('SetNTP', 'bb', 'true', 'false');
    }
  }

  /** Sets the zone. systemd's own policy allows this to users who may set the clock. */
  async setZone(zone: string): Promise<void> {
    await this.#timedate('SetTimezone', 'sb', zone, 'false');
    process.env.TZ = zone; // else this process keeps the zone of its start
  }

  async reboot(): Promise<void> {
    await this.#busctl('the reboot', ['call', ...LOGIN, 'Reboot', 'b', 'false']);
  }

  factoryReset(): Promise<void> {
    return this.#start('the factory reset', UNITS.reset);
  }

  update(): Promise<void> {
    return this.#start('the update', UNITS.update);
  }

  rollBack(): Promise<void> {
    return this.#start('going back', UNITS.rollBack);
  }

  updateInProgress(): boolean {
    return isUpdating(this.#stateFile);
  }

  async #followsNetwork(): Promise<boolean> {
    const answer = await this.#busctl('the clock', ['get-property', ...TIMEDATE, TIMEDATE[0], 'NTP']);
    return answer.trim() === 'b true';
  }

  /** Starts a unit. systemd answers once it has begun, and runs a unit once however often it is asked. */
  async #start(what: string, unit: string): Promise<void> {
    if (this.updateInProgress())
      throw new HostError('UPDATE_IN_PROGRESS', 'an update is on its way: try again when it has ended');
    await this.#busctl(what, ['call', ...SYSTEMD, 'StartUnit', 'ss', unit, 'replace']);
  }

  async #timedate(method: string, signature: string, ...values: string[]): Promise<void> {
    await this.#busctl('the clock', ['call', ...TIMEDATE, TIMEDATE[0], method, signature, ...values]);
  }

  #busctl(what: string, args: readonly string[]): Promise<string> {
    const all = ['--system', '--no-pager', `--timeout=${CALL_TIMEOUT_SECONDS}`, '--', ...args];
    return new Promise((resolve, reject) => {
      execFile(
        'busctl',
        all,
        { env: this.#env, timeout: CHILD_TIMEOUT_MS, killSignal: 'SIGKILL' },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(hostError(what, error, stderr));
        },
      );
    });
  }
}

/** The host of an installed device, where systemd started this process. */
export const openHost = (env: NodeJS.ProcessEnv): Host =>
  env.NOTIFY_SOCKET === undefined ? NO_HOST : new SystemdHost(env);
