/**
 * JSON lines on standard output, secrets redacted. If their reader goes away, a lane works on without a log.
 * (pino's own destination waits for ever in `fatal` when the reader of its pipe has gone.)
 */
import pino, { type Logger } from 'pino';
import { isCode } from '../../drivers/lib/errors.ts';
import type { LogLine } from '../../drivers/lib/log-line.ts';
import type { Config } from '../config/index.ts';
import type { LogRing } from './log-ring.ts';

/** What services are given to write to: the details first, as pino takes them. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Where one severity is enough. */
export type { LogLine };

const REDACTED_HEADERS = ['authorization', 'cookie'];
/** Secrets may lie at the top of a logged object or up to three levels deep (settings.bankProfiles.NAME.password). */
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

const writingTo = (ring: LogRing | null) => ({
  write(line: string): boolean {
    ring?.add(line);
    return process.stdout.write(line);
  },
});

/** To be called once in a process: a reader that has gone is no reason to stop taking payments. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!isCode(error, 'EPIPE')) throw error;
    });
  }
}

/** @param secretFields names of fields that are never written, wherever they lie in what is logged; `ring` keeps the last lines */
export function createLog(
  level: Config['log']['level'],
  secretFields: readonly string[],
  ring: LogRing | null = null,
): Logger {
  const secrets = [...secretFields, ...REDACTED_HEADERS];
  const paths = DEPTHS.flatMap((depth) => secrets.map((name) => `${depth}${name}`));
  return pino(
    {
      level,
      base: null,
      redact: { paths, censor: '<REDACTED>' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    writingTo(ring),
  );
}
