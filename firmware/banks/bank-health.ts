/**
 * Reasons in `/health` why the bank in use may register no payment, now or soon. A watch asks it something harmless
 * again and again, so that a silent bank is known before a payment fails.
 */
import { isCode } from '../../drivers/lib/errors.ts';
import type { Reason } from '../../drivers/lib/records.ts';
import { type Clock, pauseBy, type Timekeeper } from '../core/host/index.ts';
import { type BankError, type BankErrorCode, bankMessage, UnopenedBank } from './bank-error.ts';
import type { BankPool } from './bank-pool.ts';
import type { WatchedCertificate } from './certificate-watch.ts';
import type { BankHealth, RegistrationFailures } from './open-banks.ts';
import { reasonOf } from './reason-records.ts';
import type { BankProfile } from './registry.ts';

const DAY_MS = 24 * 3_600_000;
/** A bank may take weeks for a new certificate, and a technician has to come with it. */
const CERTIFICATE_NOTICE_MS = 30 * DAY_MS;

const isOutOfTime = ({ cause }: BankError): boolean => isCode(cause, 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID');

const CODES = {
  unreachable: 'bank-unreachable',
  refused: 'bank-refuses',
  contradiction: 'bank-contradicts',
} as const satisfies { readonly [Code in BankErrorCode]: string };
/**
 * The code of failed registrations: a single refusal may be about that payment; several in a row, or refused
 * credentials, stop sales.
 */
function codeOf({ payments, error }: RegistrationFailures) {
  if (isOutOfTime(error)) return 'bank-certificate-doubted';
  const isOne = error.code === 'refused' && payments === 1 && !error.isUnauthorized;
  return isOne ? 'bank-refused' : CODES[error.code];
}

const KINDS: readonly WatchedCertificate['kind'][] = ['client', 'authority'];

function certificateProblem(
  { kind, name, field, validFrom, validTo }: WatchedCertificate,
  wall: number,
): Reason | null {
  const reason = (what: 'ended' | 'early' | 'ending', at: number): Reason => {
    const about = { name, at: new Date(at).toISOString(), today: new Date(wall).toISOString() };
    return reasonOf(`certificate-${kind}-${what}`, about, field);
  };
  if (wall >= validTo) return reason('ended', validTo);
  if (wall < validFrom) return reason('early', validFrom);
  return wall < validTo - CERTIFICATE_NOTICE_MS ? null : reason('ending', validTo);
}

/** The certificate that ends next: a file of authorities may hold hundreds, and old ones beside their successors. */
function nextToEnd(certificates: readonly WatchedCertificate[], wall: number): WatchedCertificate | undefined {
  const byEnd = certificates.toSorted((a, b) => a.validTo - b.validTo);
  return byEnd.find(({ validTo }) => wall < validTo) ?? byEnd.at(-1);
}

function certificateProblems(certificates: readonly WatchedCertificate[], wall: number): Reason[] {
  return KINDS.flatMap((kind) => {
    const next = nextToEnd(
      certificates.filter((each) => each.kind === kind),
      wall,
    );
    const problem = next === undefined ? null : certificateProblem(next, wall);
    return problem === null ? [] : [problem];
  });
}

function openProblems({ isOpen, openProblem }: BankHealth): Reason[] {
  return openProblem === null ? [] : [reasonOf(isOpen ? 'bank-stale' : 'bank-closed', { detail: openProblem })];
}

function failureProblems(failures: RegistrationFailures, wall: number): Reason[] {
  const about = { n: failures.payments, detail: bankMessage(failures.error), today: new Date(wall).toISOString() };
  return [reasonOf(codeOf(failures), about)];
}

function unauthorizedProblems({ unauthorized, failures }: BankHealth): Reason[] {
  if (unauthorized === null || failures?.error.isUnauthorized === true) return []; // that is reported anyway
  return [reasonOf('bank-unauthorised', { detail: bankMessage(unauthorized) })];
}

/** Unanswered questions that count as silence: one may be lost on the way. */
const SILENT_TIMES = 2;

/** The reason of a silent bank; none where failed registrations are reported already. */
function silenceProblems({ silence, failures }: BankHealth): Reason[] {
  if (silence === null || silence.times < SILENT_TIMES || failures?.error.code === 'unreachable') return [];
  return [reasonOf('bank-silent', { detail: bankMessage(silence.error) })];
}

const linkProblems = ({ unusualLink }: BankHealth): Reason[] =>
  unusualLink === null ? [] : [reasonOf('bank-link-unusual', { detail: unusualLink })];

/** Health of the bank of a profile that is not in use; payments of its merchant may still need it. */
export interface NamedBankHealth {
  readonly profileName: string;
  readonly health: BankHealth;
}

export function otherBankProblems(others: readonly NamedBankHealth[]): Reason[] {
  return others.flatMap(({ profileName: profile, health: { openProblem, unauthorized } }) => {
    if (openProblem !== null) return [reasonOf('bank-other-closed', { profile, detail: openProblem })];
    if (unauthorized === null) return [];
    return [reasonOf('bank-other-unauthorised', { profile, detail: bankMessage(unauthorized) })];
  });
}

export function bankProblems(health: BankHealth, clock: Clock): Reason[] {
  const { certificates, failures } = health;
  const wall = clock.wall();
  return [
    ...openProblems(health),
    ...certificateProblems(certificates, wall),
    ...unauthorizedProblems(health),
    ...(failures === null ? [] : failureProblems(failures, wall)),
    ...silenceProblems(health),
    ...linkProblems(health),
  ];
}

const ASK_EVERY_MS = 60_000;
/** Pause after a question without an answer: a recovery shows soon, and a release is judged within a minute. */
const ASK_AGAIN_MS = 10_000;
const ANSWER_LIMIT_MS = 10_000;

interface WatchedBank {
  readonly banks: Pick<BankPool, 'tryOut'>;
  /** The profile in use; null until configured. */
  readonly profile: () => BankProfile | null;
  /** Ends the watch. */
  readonly closing: AbortSignal;
  readonly clock: Pick<Timekeeper, 'after'>;
}

async function isAnswering(banks: WatchedBank['banks'], profile: BankProfile, closing: AbortSignal): Promise<boolean> {
  try {
    return await banks.tryOut(profile, { deadlineMs: ANSWER_LIMIT_MS, closing });
  } catch (error) {
    if (!(error instanceof UnopenedBank)) throw error;
    return false; // the bank cannot be opened: `OpenBanks` has the reason
  }
}

/** Asks at once, as an update is judged by the first answer, and again and again. Settles when the watch has ended. */
export async function watchBank({ banks, profile, closing, clock }: WatchedBank): Promise<void> {
  while (!closing.aborted) {
    const own = profile();
    const answers = own === null || (await isAnswering(banks, own, closing));
    await pauseBy(clock, answers ? ASK_EVERY_MS : ASK_AGAIN_MS, closing);
  }
}
