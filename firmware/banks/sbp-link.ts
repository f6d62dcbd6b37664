/**
 * Links of the Russian fast payment system (SBP), as they stand in its QR codes:
 * `https://qr.nspk.ru/<id>?type=02&bank=<member>&sum=<kopecks>&cur=RUB&crc=<4 hex digits>`. Since July 2026 some carry
 * the id alone. The checksum rule was found by computation over public samples: of 49, 40 fit, four others were edited,
 * and five are of tests or documentation. A link that fails it deserves a warning, and no more.
 */

interface SbpLink {
  readonly kind: 'sbp';
  /** `qr.nspk.ru` for payments, `sub.nspk.ru` for subscriptions. */
  readonly host: string;
  /** Upper-case letters and digits, 32 in every link that was seen. */
  readonly id: string;
  /** The type as written: 01 for many payments, 02 for one, 03 for a subscription. */
  readonly type: string | null;
  /** Kopecks. */
  readonly sum: number | null;
  readonly cur: string | null;
  readonly crc: 'ok' | 'wrong' | 'absent';
}

/** - `foreign`: no link of this system; `malformed`: one that no reader can trust (a field twice, no number). */
type SbpLinkCheck = SbpLink | { readonly kind: 'malformed'; readonly reason: string } | { readonly kind: 'foreign' };

/** The payment system's type of a code for one payment. */
export const ONE_PAYMENT = '02';

const HOSTS: readonly string[] = ['qr.nspk.ru', 'sub.nspk.ru'];
const ID = /^[A-Z0-9]{1,64}$/i;
const DIGITS = /^\d{1,15}$/;
const FIELDS = ['type', 'bank', 'sum', 'cur', 'crc'] as const;

/** CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF, not reflected, nothing added at the end) over UTF-8. */
export function crc16(text: string): number {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc;
}

const crcDigits = (text: string): string => crc16(text).toString(16).toUpperCase().padStart(4, '0');

function crcVerdict(text: string, given: string | null): SbpLink['crc'] {
  if (given === null) return 'absent';
  const end = text.search(/[?&]crc=/);
  return end >= 0 && given.toUpperCase() === crcDigits(text.slice(0, end)) ? 'ok' : 'wrong';
}

function readUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && HOSTS.includes(url.host) ? url : null;
}

/** Reads a link and recomputes its checksum. Unknown fields are ignored, but the checksum covers them. */
export function checkSbpLink(text: string): SbpLinkCheck {
  const url = readUrl(text);
  if (url === null) return { kind: 'foreign' };
  const id = url.pathname.slice(1);
  if (!ID.test(id)) return { kind: 'malformed', reason: 'its id is not made of letters and digits' };
  const query = url.searchParams;
  // an app may read SUM as sum
  const names = [...query.keys()].map((name) => name.toLowerCase());
  const twice = FIELDS.find((field) => names.indexOf(field) !== names.lastIndexOf(field));
  if (twice !== undefined) return { kind: 'malformed', reason: `it holds ${twice} twice` };
  const sum = query.get('sum');
  if (sum !== null && !DIGITS.test(sum)) return { kind: 'malformed', reason: 'its sum is not a whole number' };
  return {
    kind: 'sbp',
    host: url.host,
    id,
    type: query.get('type'),
    sum: sum === null ? null : Number(sum),
    cur: query.get('cur'),
    crc: crcVerdict(text, query.get('crc')),
  };
}

/** One sentence about a fixed code that payers may find unreadable; null where there is nothing to say. */
export function sbpLinkWarning(text: string): string | null {
  const link = checkSbpLink(text);
  if (link.kind === 'malformed') return `the SBP link is malformed: ${link.reason}`;
  if (link.kind === 'sbp' && link.crc === 'wrong') return 'the SBP link fails its own checksum (crc)';
  return null;
}
