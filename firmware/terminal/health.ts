/** What the terminal reports in `/health`. */
import type { Clock } from '../clock.ts';
import type { HealthBoard, PartState } from '../http/health.ts';
import { sbpLinkWarning } from './sbp-link.ts';
import type { Terminal } from './terminal.ts';

/** How long a late acceptance is pointed out. */
const LATE_NOTICE_MS = 24 * 3_600_000;
/** Unanswered questions in a row after which the bank counts as out of reach. */
const BANK_FAILURES = 3;

interface Verdict {
  readonly state: PartState;
  readonly reason?: string;
}

const OK: Verdict = { state: 'ok' };
const degraded = (reason: string): Verdict => ({ state: 'degraded', reason });

function settingsHealth({ settings, firstStep }: Terminal): Verdict {
  if (settings.problem !== null) return degraded(settings.problem);
  const active = settings.active;
  if (active === null) return degraded(`the terminal is not configured yet: ${firstStep}`);
  const warning = active.profile.bankName === 'Static' ? sbpLinkWarning(active.profile.staticQR) : null;
  return warning === null ? OK : degraded(warning);
}

function displayHealth({ settings, presenter }: Terminal): Verdict {
  if (settings.active === null) return OK;
  const state = presenter.displayState;
  if (state.name === 'ready') return OK;
  const reason = 'reason' in state && state.reason !== undefined ? `: ${state.reason}` : '';
  return degraded(`the display is not connected${reason}. Check its cable or its power; it is looked for all the time`);
}

function paymentsHealth({ ledger, payments }: Terminal, clock: Clock): Verdict {
  const [late] = ledger.lateSince(clock.wall() - LATE_NOTICE_MS);
  if (late !== undefined) {
    return degraded(
      `payment ${late.orderId} of ${late.amount} kopecks was accepted after it had been replaced or given up: check with the customer whether to refund it`,
    );
  }
  return payments.bankFailures >= BANK_FAILURES
    ? degraded(`the bank has not answered ${payments.bankFailures} times in a row: check the internet connection`)
    : OK;
}

function ledgerHealth({ ledgerSetAside }: Terminal): Verdict {
  return ledgerSetAside === null
    ? OK
    : degraded(
        `the ledger was damaged and set aside as ${ledgerSetAside}; a new one was begun: give that file to the accountant; this notice ends when it is moved away`,
      );
}

export function watchHealth(board: HealthBoard, terminal: Terminal, clock: Clock): void {
  board.add('settings', () => settingsHealth(terminal));
  board.add('display', () => displayHealth(terminal));
  board.add('payments', () => paymentsHealth(terminal, clock));
  board.add('ledger', () => ledgerHealth(terminal));
}
