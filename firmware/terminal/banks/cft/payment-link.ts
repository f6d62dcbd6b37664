/**
 * The link that a bank gives for one payment, judged before anybody sees it: whoever can have another one drawn takes the
 * customer's money. For the rules of the payment system's links see `sbp-link.ts`.
 */
import { payloadProblem } from '../../../../drivers/display/payload.ts';
import { isLoopbackHost } from '../../../config/loopback.ts';
import { BankError } from '../bank.ts';
import { checkSbpLink } from '../sbp-link.ts';

/**
 * - `nspk`: a link of the payment system, right in all its parts
 * - `nspk-test`: the same of a bank's test contour, whose checksums are placeholders
 * - `this-machine`: the same as `nspk`, or the payer's page of a sandbox bank
 */
export type LinkRule = 'nspk' | 'nspk-test' | 'this-machine';

/** The payment that the link must lead to. */
export interface LinkedPayment {
  /** The bank's id of it. */
  readonly bankId: string;
  /** Kopecks. */
  readonly amount: number;
}

/** Written plainly: what is encoded, or stands in another case, others may read differently. */
const PLAIN = /^https:\/\/qr\.nspk\.ru\/[A-Z0-9]{1,64}\?[A-Za-z0-9=&._-]+$/;
/** The checksum covers what stands before it, so nothing may stand behind it. */
const ENDS_WITH_CHECKSUM = /&crc=[0-9A-Fa-f]{4}$/;
const ONE_PAYMENT = '02';
/** Test contours of the CFT. Source: public client code. */
const TEST_HOST = /(^|\.)ahmad\.ftc\.ru$/;

/** @param baseUrl where the bank is asked */
export function linkRuleOf(baseUrl: string): LinkRule {
  const { hostname } = new URL(baseUrl);
  if (isLoopbackHost(hostname.replaceAll(/[[\]]/g, ''))) return 'this-machine';
  return TEST_HOST.test(hostname) ? 'nspk-test' : 'nspk';
}

function isPayPage(link: string, bankId: string): boolean {
  const url = URL.parse(link);
  return url !== null && link === `${url.origin}/pay/${bankId}` && url.protocol === 'http:';
}

/** What is wrong with a link, to be read after "the bank gave"; null when nothing is. */
export function linkProblem(link: string, { bankId, amount }: LinkedPayment, rule: LinkRule): string | null {
  const undrawable = payloadProblem(link);
  if (undrawable !== null) return `a link that no QR code can hold (it ${undrawable})`;
  if (rule === 'this-machine' && isPayPage(link, bankId)) return null;
  const parts = checkSbpLink(link);
  if (parts.kind === 'foreign' || !PLAIN.test(link)) {
    return 'a link that does not lead to https://qr.nspk.ru, or is not plainly written';
  }
  if (parts.kind === 'malformed') return `a malformed link: ${parts.reason}`;
  if (parts.id !== bankId) return 'a link to another payment than the one that it registered';
  if (parts.type !== ONE_PAYMENT) return 'a link that is not for one payment (type 02)';
  if (parts.sum !== null && parts.sum !== amount) return `a link for another amount than ${amount} kopecks`;
  if (parts.cur !== null && parts.cur !== 'RUB') return 'a link in another currency than RUB';
  if (rule !== 'nspk-test' && !(parts.crc === 'ok' && ENDS_WITH_CHECKSUM.test(link))) {
    return 'a link that fails its own checksum (crc)';
  }
  return null;
}

/** @throws {BankError} `contradiction`: such a link is never drawn */
export function mustBeRightLink(link: string, payment: LinkedPayment, rule: LinkRule): void {
  const problem = linkProblem(link, payment, rule);
  if (problem !== null) throw new BankError('contradiction', `the bank gave ${problem}; it is not shown`);
}
