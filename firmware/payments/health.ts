/** Reasons that the terminal reports in `/health`, and the payments and refunds that a person must look into. */

import type { Reason } from '../../drivers/lib/records.ts';
import { shortened } from '../../drivers/lib/text.ts';
import { adapterOf, bankProblems, isForTest, otherBankProblems } from '../banks/index.ts';
import { type Clock, degradedBy, failed, type HealthBoard, type Verdict, WELL } from '../core/host/index.ts';
import type { PaymentRow } from './model/payment-row.ts';
import { reasonOf } from './model/reason-records.ts';
import type { Refund } from './model/refund.ts';
import type { Ledger } from './money/ledger.ts';
import type { Ledgers } from './money/ledgers.ts';
import type { Unanswered } from './service/outcome/follower.ts';
import type { Screen } from './service/screen/screen.ts';
import type { SettingsInUse } from './settings/settings-in-use.ts';

/** An open payment that the bank does not report is named until this long after its ttl. */
const NOTICE_MS = 24 * 3_600_000;
/** After this many requests in a row without a verdict the bank is reported. */
const BANK_FAILURES = 3;
const MOST_LISTED = 20;
const LONGEST_PURPOSE = 40;

// made where there is a problem to report: made beforehand, they would cost each start some milliseconds
const roubles = (kopecks: number): string =>
  new Intl.NumberFormat('ru-RU', { style: 'currency', currency: 'RUB' }).format(kopecks / 100);
const localTime = (wall: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(wall);

/** A payment in words: amount (1 000,00 ₽), time, purpose. */
function inWords({ amount, purpose, refunded }: PaymentRow, wall: number): string {
  const details = purpose === null ? '' : ` (${shortened(purpose, LONGEST_PURPOSE)})`;
  const back = refunded === 0 ? '' : refunded >= amount ? ', refunded' : `, ${roubles(refunded)} refunded`;
  return `${roubles(amount)}, ${localTime(wall)}${details}${back}`;
}

/** @param count how many there are in all */
function listed(payments: readonly PaymentRow[], count: number, wall: (payment: PaymentRow) => number): string {
  const lines = payments.slice(0, MOST_LISTED).map((payment) => inWords(payment, wall(payment)));
  const more = count - lines.length;
  return `${lines.join('; ')}${more === 0 ? '' : `; and ${more} more, which the export names`}`;
}

function acceptedLate(ledger: Ledger): Reason[] {
  const late = ledger.queries.late(MOST_LISTED);
  if (late.length === 0) return [];
  const n = ledger.queries.lateCount();
  const list = listed(late, n, ({ endedAt, createdAt }) => endedAt ?? createdAt);
  return [reasonOf('payments-late', { n }, list)];
}

/** Payments whose code was paid more than once. */
function paidAgain(payments: readonly PaymentRow[]): Reason[] {
  if (payments.length === 0) return [];
  const list = listed(payments, payments.length, ({ endedAt, createdAt }) => endedAt ?? createdAt);
  return [reasonOf('payments-paid-again', { n: payments.length }, list)];
}

function notAnswered(silent: readonly Unanswered[]): Reason[] {
  if (silent.length === 0) return [];
  return [reasonOf('payments-unanswered', { n: Math.max(...silent.map(({ times }) => times)) })];
}

/** Payments about which the bank is silent while it answers about others. */
function silentAlone(silent: readonly Unanswered[]): Reason[] {
  if (silent.length === 0) return [];
  const payments = silent.map(({ payment }) => payment);
  const list = listed(payments, payments.length, ({ createdAt }) => createdAt);
  return [reasonOf('payments-silent', { n: payments.length }, list)];
}

/** Payments whose state the bank refuses to report: the connection is not the cause. */
function unreported(refused: readonly Unanswered[]): Reason[] {
  const [first] = refused;
  if (first === undefined) return [];
  const list = listed(
    refused.map(({ payment }) => payment),
    refused.length,
    ({ createdAt }) => createdAt,
  );
  return [reasonOf('payments-untold', { n: refused.length, detail: first.error.message }, list)];
}

function listedRefunds(refunds: readonly Refund[]): string {
  const lines = refunds.slice(0, MOST_LISTED).map(({ tillId, orderId, amount, createdAt, bank, reason }) => {
    const why = reason === null ? '' : ` (${reason})`;
    return `${roubles(amount)}, ${localTime(createdAt)}, ${bank}, refund "${tillId}" of the payment ${orderId}${why}`;
  });
  const more = refunds.length - lines.length;
  return `${lines.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
}

/** Refunds without an outcome: the money may have gone back or not. */
function undecided(refunds: readonly Refund[]): Reason[] {
  return refunds.length === 0 ? [] : [reasonOf('refunds-undecided', { n: refunds.length }, listedRefunds(refunds))];
}

/**
 * Refunds where bank and person disagree: the bank knows whether money went back, a person judges whether that is
 * right.
 */
function contradicted(refunds: readonly Refund[]): Reason[] {
  const reasons = (code: 'refunds-done-after-all' | 'refunds-refused-after-all', found: readonly Refund[]): Reason[] =>
    found.length === 0 ? [] : [reasonOf(code, { n: found.length }, listedRefunds(found))];
  return [
    ...reasons(
      'refunds-done-after-all',
      refunds.filter(({ told }) => told === 'done'),
    ),
    ...reasons(
      'refunds-refused-after-all',
      refunds.filter(({ told }) => told === 'refused'),
    ),
  ];
}

/** Payments with unexplained returns. */
function unexplained(payments: readonly PaymentRow[]): Reason[] {
  if (payments.length === 0) return [];
  const list = listed(payments, payments.length, ({ createdAt }) => createdAt);
  return [reasonOf('refunds-unexplained', { n: payments.length }, list)];
}

export interface WatchedPayments {
  readonly ledger: Ledger;
  readonly payments: {
    readonly unanswered: readonly Unanswered[];
    readonly paidAgain: readonly PaymentRow[];
  };
  readonly refunds: {
    readonly overdue: readonly Refund[];
    readonly contradicted: readonly Refund[];
    readonly unexplained: readonly PaymentRow[];
  };
}

export function paymentProblems({ ledger, payments, refunds }: WatchedPayments, clock: Clock): Reason[] {
  const unanswered = payments.unanswered.filter(({ times }) => times >= BANK_FAILURES);
  const isCurrent = ({ expiresAt, isOpen }: Unanswered): boolean => isOpen && clock.monotonic() < expiresAt + NOTICE_MS;
  const silent = unanswered.filter(({ error }) => error.code === 'unreachable');
  const refused = unanswered.filter(({ error }) => error.code !== 'unreachable').filter(isCurrent);
  return [
    ...(ledger.isOpen ? acceptedLate(ledger) : []),
    ...paidAgain(payments.paidAgain),
    ...notAnswered(silent.filter(({ isAlone }) => !isAlone)),
    ...silentAlone(silent.filter(({ isAlone }) => isAlone).filter(isCurrent)),
    ...unreported(refused),
    ...undecided(refunds.overdue),
    ...contradicted(refunds.contradicted),
    ...unexplained(refunds.unexplained),
  ];
}

/** The parts of the terminal from which the reasons are read. */
export interface WatchedTerminal extends WatchedPayments {
  readonly settings: SettingsInUse;
  readonly screen: Screen;
  readonly ledgers: Ledgers;
  /** Sentences about shifts or days whose sums differ from the ledger's, as found after a restore. */
  readonly unbalanced: () => readonly string[];
}

function settingsVerdict({ settings }: WatchedTerminal): Verdict {
  const { problem, active, isUnsure } = settings.driver;
  if (isUnsure) return failed(reasonOf('settings-unconfirmed', { detail: problem ?? '' }));
  if (problem !== null) return degradedBy(reasonOf('settings-unreadable', { detail: problem }));
  if (active === null) return degradedBy(reasonOf('settings-missing', {}, settings.firstStep));
  const warning = adapterOf(active.profile.bankName).warning?.(active.profile) ?? null;
  return warning === null ? WELL : degradedBy(reasonOf('settings-doubtful', { detail: warning }));
}

/** A terminal without settings has no bank and no display to report on: the part `settings` reports that. */
const hasNoSettings = ({ settings: { driver } }: WatchedTerminal): boolean =>
  driver.active === null && driver.problem === null;

/** Warns of a test bank: it moves no money, and no page of a till says so. */
function forTest({ settings }: WatchedTerminal): Reason[] {
  const { active } = settings.driver;
  if (active === null || !isForTest(settings.banks.merchantOf(active.profile))) return [];
  return [reasonOf('bank-test', { bank: active.profile.bankName })];
}

/** Warns where the bank lacks a consent of the shop: it then hides that an order was paid, and the cashier sells again. */
function consents({ settings }: WatchedTerminal): Reason[] {
  const { active } = settings.driver;
  const lacked = active === null ? null : (adapterOf(active.profile.bankName).lackedConsent?.(active.profile) ?? null);
  if (active === null || lacked === null) return [];
  return [reasonOf('bank-consents', { bank: active.profile.bankName, detail: lacked })];
}

function bankVerdict(terminal: WatchedTerminal, clock: Clock): Verdict | null {
  if (hasNoSettings(terminal)) return null;
  const { bankHealth, otherBanks } = terminal.settings;
  return degradedBy(
    ...(bankHealth === null ? [] : bankProblems(bankHealth, clock)),
    ...forTest(terminal),
    ...consents(terminal),
    ...otherBankProblems(otherBanks),
  );
}

function displayVerdict(terminal: WatchedTerminal): Verdict | null {
  if (terminal.settings.driver.active === null) return null;
  const state = terminal.screen.displayState;
  if (state.name === 'ready') return WELL;
  const detail = 'reason' in state ? (state.reason ?? '') : '';
  const isHeld = 'code' in state && state.code === 'busy';
  return degradedBy(reasonOf(isHeld ? 'display-held' : 'display-lost', { detail }));
}

function ledgerVerdict({ ledger, ledgers: { storageProblem, problems }, unbalanced }: WatchedTerminal): Verdict {
  const differences = unbalanced();
  const { differed } = ledger.sums;
  return degradedBy(
    ...(storageProblem === null ? [] : [storageProblem]),
    ...problems,
    ...(differences.length === 0 ? [] : [reasonOf('ledger-unbalanced', { detail: differences.join('; ') })]),
    ...(differed.length === 0 ? [] : [reasonOf('ledger-sums', { detail: differed.join('; ') })]),
  );
}

export function watchTerminal(board: HealthBoard, terminal: WatchedTerminal, clock: Clock): void {
  board.add('settings', () => settingsVerdict(terminal));
  board.add('bank', () => bankVerdict(terminal, clock));
  board.add('display', () => displayVerdict(terminal));
  board.add('payments', () => degradedBy(...paymentProblems(terminal, clock)));
  board.add('ledger', () => ledgerVerdict(terminal));
}
