/**
 * The sandbox bank in the words of seven banks, each below its own path: what the banks' adapters are tried against. Each was
 * written from the bank's public documents and from public clients, not from this device's own side of them.
 */
import { type SandboxBank, type SandboxOptions, startSandboxBank } from '../../firmware/sandbox-bank/server.ts';
import { addAnyWay } from './anyway.ts';
import { addCashPage } from './cash-links.ts';
import { addCft } from './cft.ts';
import { addGpb } from './gpb.ts';
import { addKeyRoute, MerchantKeys } from './keys.ts';
import { addRaif } from './raif.ts';
import { addTBank } from './tbank.ts';
import { addYooKassa } from './yookassa.ts';

export interface Banks extends SandboxBank {
  /** Public keys of merchants who sign. */
  readonly keys: MerchantKeys;
}

/** @throws when the port is taken or the file cannot be opened */
export async function startBanks(options: SandboxOptions): Promise<Banks> {
  const keys = new MerchantKeys();
  const bank = await startSandboxBank({
    ...options,
    more: [
      ['', addCft],
      ['', addCashPage],
      ['/tbank', addTBank],
      ['/raif', addRaif],
      ['/yookassa', addYooKassa],
      ['/gpb', addGpb],
      ['/anyway', (app, parts) => addAnyWay(app, parts, keys)],
      ['/anyway', (app) => addKeyRoute(app, keys)],
    ],
  });
  return { ...bank, keys };
}
