/** A till's request: as sent, the program that waits, and the sale with defaults filled in and a purpose fit for banks. */

import type { BankProfile } from '../../../banks/index.ts';
import { MAX_PURPOSE_CHARACTERS } from '../../../core/config/index.ts';
import type { SaleKey } from '../../model/payment-row.ts';
import type { SaleValues } from '../../model/sale-fields.ts';
import { TerminalError } from '../../model/terminal-error.ts';

/** A request as the till sent it. */
export interface SaleRequest extends Partial<SaleValues> {
  /** Kopecks. */
  readonly amount: number;
  readonly purpose?: string | null;
  /** Minutes. */
  readonly ttl?: number | null;
  /** Name of a profile that is set up; that in use when left out. */
  readonly profile?: string | null;
}

/** The program that waits for the answer to a call. */
export interface Caller {
  /** Aborts when the program hangs up before it has the answer. */
  readonly gone: AbortSignal;
  /** Name of the credential that it sent; null where none is required. */
  readonly till: string | null;
  /** The cashier; null where unknown. */
  readonly cashier: string | null;
  /** Whether the program sees only the payments that it has asked for itself. */
  readonly ownOnly: boolean;
  /** Calls `received` once the whole answer has gone out; never where the caller has hung up before. */
  whenAnswered(received: () => void): void;
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
  /** Name of the till's credential; null where none is required. */
  readonly till: string | null;
  /** The cashier; null where unknown. */
  readonly cashier: string | null;
  /** Whether payments of other tills are always other sales, and no answer mentions them. */
  readonly ownOnly: boolean;
  /** The key of the sale; null where the till sent none. */
  readonly key: SaleKey | null;
  /** Order id of the payment that the key already has; null for a new one. */
  readonly orderId: string | null;
  /** How often the till had cleared the display when it called: after a later clearing the code is not drawn. */
  readonly clearings: number;
}

/** Characters that reverse the writing direction: a purpose would read otherwise than it was written. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Characters that do not belong in one line of text. */
const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The first whole characters of a text that fit; banks count code points. */
function clipped(text: string, room: number): string {
  if ([...text].length <= room) return text;
  let used = 0;
  let end = 0;
  // made here: the segmenter's tables would cost every start 16 ms
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    used += [...segment].length;
    if (used > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}

/**
 * A purpose as one line of whole characters that banks accept; null where nothing is left. A fitting purpose is returned
 * unchanged.
 * @param most characters (code points) that the bank accepts
 */
export function purposeFor(text: string, most = MAX_PURPOSE_CHARACTERS): string | null {
  const line = text.toWellFormed().replaceAll(DIRECTIONS, '').replaceAll(BREAKS_AND_CONTROLS, ' ');
  const purpose = clipped(line === text ? line : line.trim(), most);
  return purpose === '' ? null : purpose;
}

/** How to treat a `ttl` beyond a lane's limits: mend it for tills that cannot change, refuse it for others. */
export type OnWrongTtl = 'refuse' | 'mend';

/** @param most longest life of this lane's codes, minutes @throws {TerminalError} 400 naming the field and its range */
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
 * The request before its bank's limits are known. A purpose that no bank would accept is mended.
 * @param most, onWrong as in `ttlWithin` @returns `ttl`: null where the till names none @throws {TerminalError}
 */
export function wantedOf(asked: SaleRequest, most: number, onWrong: OnWrongTtl) {
  const { amount, purpose, ttl } = asked;
  return { amount, purpose: purposeFor(purpose ?? ''), ttl: ttlWithin(ttl ?? null, most, onWrong) };
}
