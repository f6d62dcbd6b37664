/** JSON lines on standard output, secrets redacted. */
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';
import { SECRET_FIELDS } from './terminal/banks/profile.ts';

const REDACTED_HEADERS = ['authorization', 'cookie'];
/** Secrets may lie at the top of a logged object or up to three levels deep (settings.bankProfiles.NAME.password). */
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

export function createLog(level: Config['log']['level']): Logger {
  const secrets = [...SECRET_FIELDS, ...REDACTED_HEADERS];
  const paths = DEPTHS.flatMap((depth) => secrets.map((name) => `${depth}${name}`));
  return pino({
    level,
    base: null,
    redact: { paths, censor: '<REDACTED>' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
