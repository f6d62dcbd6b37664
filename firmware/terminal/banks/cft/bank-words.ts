/** What a bank says in its own words about a call that failed: short, on one line, without secrets. */

const MAX_BANK_TEXT = 200;
/** Under which names banks tell what went wrong. Source: public clients of several banks. */
const TEXT_NAMES = ['error', 'message', 'errorMessage', 'error_message', 'error_description', 'description'] as const;
const CODE_NAMES = ['errorCode', 'error_code', 'code'] as const;

export interface BankWords {
  readonly text: string | null;
  readonly code: string | null;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an answer calls itself an error, whatever else it holds. */
export function saysError({ error }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(error) ? Object.keys(error).length > 0 : Boolean(error);
}

function clean(value: unknown, secrets: readonly string[]): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '<PASSWORD>'), String(value));
  const line = safe.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, MAX_BANK_TEXT).toWellFormed();
}

/** @param answer JSON, or anything else, which says nothing @param secrets none of them empty */
export function bankWords(answer: unknown, secrets: readonly string[]): BankWords {
  if (!isRecord(answer)) return { text: null, code: null };
  const first = Array.isArray(answer.errors) ? answer.errors[0] : undefined;
  const parts = [answer, answer.error, first].filter(isRecord);
  const under = (names: readonly string[]): string[] =>
    parts.flatMap((part) => names.map((name) => clean(part[name], secrets)).filter((word) => word !== null));
  const text = [...new Set(under(TEXT_NAMES))].join(': ').slice(0, MAX_BANK_TEXT).toWellFormed();
  return { text: text === '' ? null : text, code: under(CODE_NAMES)[0] ?? null };
}
