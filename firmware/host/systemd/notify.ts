/**
 * Tells systemd how the process is (sd_notify, `man systemd-notify`). Node cannot send to a datagram socket, so the
 * `systemd-notify` program does, as a child: the unit needs `NotifyAccess=all`.
 */
import { execFile } from 'node:child_process';

/** The program ends within milliseconds; one that does not is ended, so that none pile up. */
const NOTIFY_TIMEOUT_MS = 5000;

export interface Notifier {
  /** Sends assignments such as `READY=1`; resolves when systemd has taken them. */
  send(...assignments: string[]): Promise<void>;
}

/** A status line is one line: what systemd would read as another assignment is taken out. */
export const statusLine = (text: string): string => `STATUS=${text.replaceAll(/[\r\n]+/g, ' ')}`;

/** Null where systemd did not start the process. */
export function openNotifier(env: NodeJS.ProcessEnv): Notifier | null {
  if (env.NOTIFY_SOCKET === undefined) return null;
  return {
    send: (...assignments) =>
      new Promise((resolve, reject) => {
        execFile('systemd-notify', assignments, { env, timeout: NOTIFY_TIMEOUT_MS, killSignal: 'SIGKILL' }, (error) => {
          if (error === null) resolve();
          else reject(error);
        });
      }),
  };
}

/** Milliseconds within which systemd wants a sign of life; null where it watches nothing or another process. */
export function watchdogLimit(env: NodeJS.ProcessEnv, pid: number): number | null {
  const microseconds = Number(env.WATCHDOG_USEC);
  if (!Number.isSafeInteger(microseconds) || microseconds <= 0) return null;
  if (env.WATCHDOG_PID !== undefined && Number(env.WATCHDOG_PID) !== pid) return null;
  return microseconds / 1000;
}
