/**
 * The sandbox bank in the words of nine banks, each below its own path: what the banks' adapters are tried against. Each was
 * written from the bank's public documents and from public clients, not from this device's own side of them.
 */
import type { KeyObject } from 'node:crypto';
import { type SandboxBank, type SandboxOptions, startSandboxBank } from '../../firmware/tools/sandbox-bank/server.ts';
import { addAnyWay } from './anyway.ts';
import { addCft } from './cft.ts';
import { addGpb } from './gpb.ts';
import { addRaif } from './raif.ts';
import { addSber } from './sber.ts';
import { addTBank } from './tbank.ts';
import { addTochka } from './tochka.ts';
import { addYooKassa } from './yookassa.ts';

export interface Banks extends SandboxBank {
  /** Public keys of merchants who sign, by their names: what a bank is given beforehand. */
  readonly keys: Map<string, KeyObject>;
}

/** @throws when the port is taken or the file cannot be opened */
export async function startBanks(options: SandboxOptions): Promise<Banks> {
  const keys = new Map<string, KeyObject>();
  const bank = await startSandboxBank({
    ...options,
    more: [
      ['', addCft],
      ['/tbank', addTBank],
      ['/raif', addRaif],
      ['/sber', addSber],
      ['/tochka', (app, parts) => addTochka(app, parts, keys)],
      ['/yookassa', addYooKassa],
      ['/gpb', addGpb],
      ['/anyway', (app, parts) => addAnyWay(app, parts, keys)],
    ],
  });
  return { ...bank, keys };
}
