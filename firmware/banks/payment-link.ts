/** Checks links that banks give for QR codes, before anybody sees one. */

import { payloadProblem } from '../../drivers/display/payload.ts';
import { amountInWords } from '../../drivers/lib/money.ts';
import { isLoopbackHost } from '../core/config/index.ts';
import { checkSbpLink, ONE_PAYMENT } from './sbp-link.ts';

/**
 * - `nspk`: a link of the payment system, right in what it names of id, type, amount and currency
 * - `nspk-test`: the same of a bank's test contour, whose checksums are placeholders
 * - `this-machine`: the same as `nspk`, or the payer's page of a sandbox bank
 */
export type LinkRule = 'nspk' | 'nspk-test' | 'this-machine';

/** The payment that the link must lead to. */
interface LinkedPayment {
  /** The id that a link of the payment system must have; null where the bank gives none. */
  readonly linkId: string | null;
  /** Kopecks. */
  readonly amount: number;
}

/** The payment system's type of a code for many payments, instead of one payment. */
const MANY_PAYMENTS = '01';
/** Host of payments, not of subscriptions. */
const PAYMENTS_HOST = 'qr.nspk.ru';
/** A plainly written link: encoded characters, or other case, may be read differently by others. */
const PLAIN = /^https:\/\/qr\.nspk\.ru\/[A-Z0-9]{1,64}\?[A-Za-z0-9=&._-]+$/;
/** A link without amount, currency or anything else: seen since July 2026. */
const BARE = /^https:\/\/qr\.nspk\.ru\/[A-Z0-9]{1,64}$/;
const KNOWN_FIELDS: readonly string[] = ['type', 'bank', 'sum', 'cur', 'crc'];
/** A field's name that `/health` may repeat. */
const FIELD_NAME = /^[A-Za-z_]{1,16}$/;
/** The checksum at the end: it covers everything before it, so nothing may follow. */
const ENDS_WITH_CHECKSUM = /&crc=[0-9A-Fa-f]{4}$/;
const PAY_PAGE = /^\/pay\/([A-Za-z0-9_-]{1,128})$/;

/** @param address where the bank is asked, as a merchant names it @param testHosts hosts of the bank's test contours */
export const isTestAddress = (address: unknown, testHosts: RegExp): boolean =>
  typeof address === 'string' && testHosts.test(URL.parse(address)?.hostname ?? '');

/** @param baseUrl where the bank is asked @param testHosts hosts of the bank's test contours */
export function linkRuleOf(baseUrl: string, testHosts: RegExp): LinkRule {
  const { hostname } = new URL(baseUrl);
  if (isLoopbackHost(hostname.replaceAll(/[[\]]/g, ''))) return 'this-machine';
  return testHosts.test(hostname) ? 'nspk-test' : 'nspk';
}

function isPayPage(link: string, linkId: string | null): boolean {
  const url = URL.parse(link);
  const id = PAY_PAGE.exec(url?.pathname ?? '')?.[1];
  if (url === null || id === undefined || (linkId !== null && id !== linkId)) return false;
  return /^https?:$/.test(url.protocol) && link === `${url.origin}/pay/${id}`;
}

/** What is wrong with a link, to be read after "the bank gave"; null when nothing is. */
export function linkProblem(link: string, { linkId, amount }: LinkedPayment, rule: LinkRule): string | null {
  const undrawable = payloadProblem(link);
  if (undrawable !== null) return `a link that no QR code can hold (it ${undrawable})`;
  if (rule === 'this-machine' && isPayPage(link, linkId)) return null;
  const parts = checkSbpLink(link);
  if (isBareLink(link) && linkId === null)
    return 'a link without its amount (sum), and no id to know it by: its own could be that of any payment';
  if (parts.kind === 'sbp' && isBareLink(link))
    return parts.id === linkId ? null : 'a link to another payment than the one that it registered';
  if (parts.kind === 'foreign' || !PLAIN.test(link)) {
    return 'a link that does not lead to https://qr.nspk.ru, or is not plainly written';
  }
  if (parts.kind === 'malformed') return `a malformed link: ${parts.reason}`;
  if (linkId !== null && parts.id !== linkId) return 'a link to another payment than the one that it registered';
  if (parts.type !== ONE_PAYMENT) return 'a link that is not for one payment (type 02)';
  // placeholders of test contours lack what a payer's app needs
  if (rule !== 'nspk-test' && parts.sum === null)
    return 'a link without its amount (sum), which one for one payment must have';
  if (rule !== 'nspk-test' && parts.cur === null)
    return 'a link without its currency (cur), which stands beside the amount';
  if (parts.sum !== null && parts.sum !== amount) return `a link for another amount than ${amountInWords(amount)}`;
  if (parts.cur !== null && parts.cur !== 'RUB') return 'a link in another currency than RUB';
  return null;
}

/** Whether a link of the payment system contains only the payment's id. */
export const isBareLink = (link: string): boolean => BARE.test(link);

/**
 * What is unusual in the form of a shown link, in words without ids; null for nothing. It never stops a sale: the
 * payment system may change its links overnight, and sum, currency, host and id are right.
 */
export function unusualForm(link: string, rule: LinkRule): string | null {
  if (isBareLink(link)) return 'the link carries no amount';
  const parts = checkSbpLink(link);
  if (rule === 'nspk-test' || parts.kind !== 'sbp') return null;
  const names = [...new URL(link).searchParams.keys()].filter((name) => !KNOWN_FIELDS.includes(name));
  if (names.length > 0) return `a new field: ${names.map((name) => (FIELD_NAME.test(name) ? name : '?')).join(', ')}`;
  if (parts.crc === 'absent') return 'no checksum (crc)';
  return parts.crc === 'ok' && ENDS_WITH_CHECKSUM.test(link) ? null : 'another checksum (crc)';
}

/**
 * What is wrong with the link of a code on the shop's wall, to be read after "it is"; null for nothing. A wrong
 * checksum is only worth a warning. The link has no amount: each payment brings its own.
 */
export function stickerProblem(link: string, rule: LinkRule): string | null {
  const undrawable = payloadProblem(link);
  if (undrawable !== null) return `a link that no QR code can hold (it ${undrawable})`;
  if (rule === 'this-machine' && isPayPage(link, null)) return null;
  const parts = checkSbpLink(link);
  if (parts.kind === 'malformed') return `a malformed link: ${parts.reason}`;
  if (parts.kind === 'foreign' || parts.host !== PAYMENTS_HOST)
    return `a link that does not lead to https://${PAYMENTS_HOST}`;
  if (parts.type !== null && parts.type !== MANY_PAYMENTS) return 'a link that is not for many payments (type 01)';
  return parts.sum === null
    ? null
    : 'a link with an amount (sum), which a printed code for payments of any amount has not';
}

/** What is wrong with the link of a code that is to be printed; null when nothing is. */
export function printedProblem(link: string, rule: LinkRule): string | null {
  const problem = stickerProblem(link, rule);
  if (problem !== null) return problem;
  const parts = checkSbpLink(link);
  const isMisread = parts.kind === 'sbp' && parts.crc === 'wrong' && rule !== 'nspk-test';
  return isMisread ? 'a link that fails its own checksum (crc)' : null;
}

/**
 * What is wrong with the address of a bank's page, which a customer's phone opens instead of a bank's app; null for
 * nothing.
 */
export function pageProblem(link: string, rule: LinkRule): string | null {
  const undrawable = payloadProblem(link);
  if (undrawable !== null) return `an address that no QR code can hold (it ${undrawable})`;
  const protocol = URL.parse(link)?.protocol;
  const isFit = protocol === 'https:' || (rule === 'this-machine' && protocol === 'http:');
  return isFit ? null : 'an address that is not https';
}
