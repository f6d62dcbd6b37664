/**
 * Writes the log: JSON lines on standard output, or sentences for a person at a terminal; secrets redacted. A lane works
 * without a log (`log-output.ts`). (pino's own destination waits for ever in `fatal` when the reader of its pipe has
 * gone.)
 */
import pino, { type Logger } from 'pino';
import type { LogLine } from '../../../drivers/lib/errors.ts';
import type { Config } from '../config/index.ts';
import type { LogRing } from './log-ring.ts';

/** The log that services get: details first, as pino takes them. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** A log with one severity. */
export type { LogLine };

const REDACTED_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'];
const CENSOR = '<REDACTED>';
/** Secrets may lie at the top of a logged object or up to three levels deep (settings.bankProfiles.NAME.password). */
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

/** Redacts secrets at deeper levels, and in foreign texts: JSON, the query or user of an address, a credential. */
function redacting(names: readonly string[]): (line: string) => string {
  const any = names.join('|');
  const inJson = new RegExp(`("(?:${any})\\\\?":\\s*\\\\?")(?:[^"\\\\]|\\\\.)+`, 'gi');
  const inQuery = new RegExp(`([?&](?:${any})=)[^&\\s"\\\\]+`, 'gi');
  const others = /(:\/\/)[^/@\s"]+(?=@)|(\b(?:bearer|basic) )[\w.~+/=-]+/gi;
  return (line) =>
    line
      .replaceAll(inJson, `$1${CENSOR}`)
      .replaceAll(inQuery, `$1${CENSOR}`)
      .replaceAll(others, (_, user = '', scheme = '') => `${user}${scheme}${CENSOR}`);
}

interface Line {
  readonly level: string;
  readonly msg?: string;
  readonly err?: { readonly message?: unknown };
  readonly reason?: unknown;
}

/** Characters that move the cursor, reverse the writing, or begin a new line. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const visible = (text: string): string =>
  text.replaceAll(UNSHOWN, (sign) => `\\u${sign.codePointAt(0)?.toString(16).padStart(4, '0')}`);

/** A line in words for a person at a terminal; empty for one of level `info`. */
function inWords(line: string): string {
  const { level, msg = '', err, reason } = JSON.parse(line) as Line;
  const words = [msg, err?.message, reason].filter((text) => typeof text === 'string');
  return level === 'info' ? '' : `${level}: ${visible(words.join(': '))}\n`;
}

/** What a log is written to. */
export interface LogSink {
  write(text: string): unknown;
}

const writingTo = (sink: LogSink, ring: LogRing | null, redact: (line: string) => string, isForPerson: boolean) => ({
  write(line: string): void {
    const shown = redact(line);
    ring?.add(shown);
    const text = isForPerson ? inWords(shown) : shown;
    if (text !== '') sink.write(text);
  },
});

/**
 * @param secretFields names of fields that are never written, at any depth
 * @param ring keeps the last lines
 * @param isForPerson whether the sink only gets warnings in words, instead of all lines as JSON
 * @param sink standard output when left out
 */
export function createLog(
  level: Config['log']['level'],
  secretFields: readonly string[],
  ring: LogRing | null = null,
  isForPerson = false,
  sink: LogSink = process.stdout,
): Logger {
  const secrets = [...secretFields, ...REDACTED_HEADERS];
  const paths = DEPTHS.flatMap((depth) => secrets.map((name) => `${depth}${name}`));
  return pino(
    {
      level,
      base: null,
      redact: { paths, censor: CENSOR },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    writingTo(sink, ring, redacting(secrets), isForPerson),
  );
}
