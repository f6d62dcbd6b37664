/** The part of the sandbox bank, whose code is loaded only where it is enabled. */
import { configOf } from '../../core/config/index.ts';
import { SystemClock } from '../../core/host/index.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** A bank for tests without money, in this process. */
export const sandboxBank = {
  name: 'sandbox-bank',
  open: async ({ base, standIns: { time } }: Has<'base' | 'standIns'>): Promise<Opened<Has<'sandboxUrl'>>> => {
    const { SANDBOX_BANK_CONFIG } = await import('../../tools/sandbox-bank/config.ts');
    const { enabled, host, port } = configOf(SANDBOX_BANK_CONFIG, base.config);
    if (!enabled) return [{ sandboxUrl: null }];
    const { startSandboxBank } = await import('../../tools/sandbox-bank/server.ts');
    const sandbox = await startSandboxBank({
      host,
      port,
      dataFile: base.dataDir.file('sandbox.db'),
      log: base.logger,
      consolePort: () => base.ports.recognition,
      ...(time === undefined ? {} : { clock: new SystemClock(0, time) }),
    });
    return [{ sandboxUrl: sandbox.url }, { close: () => sandbox.close() }];
  },
};
