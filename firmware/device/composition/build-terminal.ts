/** The part of the payment terminal. */
import type { Sealer } from '../../core/secrets/index.ts';
import { catchUpLedger, paymentAnswer, refundAnswer, Terminal, type TerminalOptions } from '../../payments/index.ts';
import { type Base, partOf } from './base.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/**
 * Builds the terminal.
 * @param sandboxUrl address of the sandbox bank; null where it does not run
 * @param standIns options that replace those of the base
 */
export function buildTerminal(
  base: Base,
  sealer: Sealer,
  sandboxUrl: string | null,
  standIns: Partial<TerminalOptions> = {},
): Terminal {
  const { config, dataDir, serial, clock, health, metrics, log } = base;
  return new Terminal({
    serial,
    config: config.terminal,
    dataDir,
    sealer,
    clock,
    bankContext: {
      cftBaseUrl: config.banks.cft.baseUrl,
      sandboxBaseUrl: sandboxUrl,
      caPath: config.banks.caPath,
      log: (message) => log.warn({}, message),
    },
    health,
    metrics,
    log,
    // null: an event does not report a bank's silence, which is no change of the payment
    describe: { payment: (payment) => paymentAnswer(payment, null), refund: refundAnswer },
    ...standIns,
  });
}

/** Sales, refunds and shifts. */
export const payments = {
  name: 'payments',
  open: async (
    device: Has<'base' | 'sealer' | 'sandboxUrl' | 'lastTime' | 'standIns'>,
  ): Promise<Opened<Has<'terminal'>>> => {
    const { base, sealer, sandboxUrl, lastTime } = device;
    const { tuning, openDisplay, firstDisplays } = device.standIns;
    const own = partOf(base, 'terminal');
    const { dataDir, config, serial } = own;
    await catchUpLedger({
      dataDir,
      serial,
      medium: config.terminal.ledgerCopyDir,
      log: (message, details = {}) => own.log.warn(details, message),
    });
    const terminal = buildTerminal(own, sealer, sandboxUrl, {
      openDisplay,
      firstDisplays,
      pace: tuning?.pace,
    });
    if (terminal.ledger.isOpen) lastTime.adopt(terminal.ledger.queries.latestMoment());
    return [
      { terminal },
      { start: () => terminal.start(), halt: () => terminal.halt(), close: () => terminal.close() },
    ];
  },
};
