/** What a till asks for: as it has sent it, and as a sale, with defaults filled in and the purpose made fit for banks. */

import { type BankProfile, TerminalError } from '../../banks/index.ts';
import { MAX_PURPOSE_CHARACTERS } from '../../core/config/index.ts';
import type { SaleKey } from '../money/payment-row.ts';

/** What a till has sent. */
export interface SaleRequest {
  /** Kopecks. */
  readonly amount: number;
  readonly purpose?: string | null;
  /** Minutes. */
  readonly ttl?: number | null;
  /** Name of a profile that is set up; the one in use when left out. */
  readonly profile?: string | null;
  /** What the till calls the sale, as the number of a receipt; only a sale that has a key keeps it. */
  readonly reference?: string | null;
}

/** A call for a code. The till names its sale by a key; without one the sale is an amount, a purpose and a profile. */
export interface Sale {
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  /** Minutes. */
  readonly ttl: number;
  readonly profileName: string;
  readonly profile: BankProfile;
  /** Name of the credential that asks for it; null where none is asked for. */
  readonly till: string | null;
  /** Who sits at the till; null where nothing says. */
  readonly cashier: string | null;
  /** Whether payments of other tills are always other sales, and no answer mentions them. */
  readonly ownOnly: boolean;
  /** Null where the till has sent none. */
  readonly key: SaleKey | null;
  /** Order id of the payment that its key names already; null for a new one. */
  readonly orderId: string | null;
  /** How often the till had cleared the display by then: a code that it asked for before is not drawn after. */
  readonly clearings: number;
}

/** What a payment is for. */
interface Subject {
  readonly amount: number;
  readonly purpose: string | null;
  /** Name of the profile. */
  readonly profile: string;
}

/** Whether two payments are for the same sale, as far as their fields show: a profile may have changed under its name. */
export const isForSame = (one: Subject, other: Subject): boolean =>
  one.amount === other.amount && one.purpose === other.purpose && one.profile === other.profile;

/** Signs that turn the order of the letters after them round: a purpose would be read otherwise than it was written. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** What has no place in one line of text. */
const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The first characters of a text that have room, none of them in part; the bank counts code points. */
function clipped(text: string, room: number): string {
  if ([...text].length <= room) return text;
  let used = 0;
  let end = 0;
  // made where it is needed: its tables cost every start 16 ms
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    used += [...segment].length;
    if (used > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}

/**
 * One line of whole characters that banks take; null where nothing is left. What is so already stays as it came.
 * @param most characters (code points) that the bank takes
 */
export function purposeFor(text: string, most = MAX_PURPOSE_CHARACTERS): string | null {
  const line = text.toWellFormed().replaceAll(DIRECTIONS, '').replaceAll(BREAKS_AND_CONTROLS, ' ');
  const purpose = clipped(line === text ? line : line.trim(), most);
  return purpose === '' ? null : purpose;
}

/** For a `ttl` that a lane does not take: a till that cannot change gets one that it does, any other a refusal. */
export type OnWrongTtl = 'refuse' | 'mend';

/** @param most minutes that a code of this lane may live @throws {TerminalError} 400 naming the field and its range */
function ttlWithin(ttl: number | null, most: number, onWrong: OnWrongTtl): number | null {
  if (ttl === null || (ttl >= 1 && ttl <= most)) return ttl;
  if (onWrong === 'mend') return Math.min(ttl, most) || null;
  const todo = ttl < 1 ? 'or leave it out' : 'or have terminal.ttlMaxMinutes of its configuration raised';
  throw TerminalError.of(
    'RequestParams',
    'InvalidField',
    `ttl must be from 1 to ${most} minutes on this lane: ask for so many, ${todo}`,
    { field: 'ttl', extra: { limit: most } },
  );
}

/**
 * What a till asks for, before it is known what its bank takes. A purpose that no bank would take is mended.
 * @param most, onWrong as of `ttlWithin` @returns `ttl`: null where the till names none @throws {TerminalError}
 */
export function wantedOf(asked: SaleRequest, most: number, onWrong: OnWrongTtl) {
  const { amount, purpose, ttl } = asked;
  return { amount, purpose: purposeFor(purpose ?? ''), ttl: ttlWithin(ttl ?? null, most, onWrong) };
}
