/**
 * Content of a master's QR code, for the camera of the device that joins: the pairing code and the master's address. It is no
 * link: another scanner opens nothing with it, and it gets into no history and no log.
 */
import type { Address } from './centre/connect.ts';
import { type PairingCode, readCode } from './pairing-code.ts';

const MARK = 'LANEWARE-PAIR';
const TEXT = new RegExp(`^${MARK} ([A-Z0-9-]{20,40}) ([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]+\\]):([0-9]{1,5})$`);
const MOST_PORT = 65_535;

export const pairingText = (code: string, { host, port }: Address): string =>
  `${MARK} ${code} ${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Null for what is no such text: a code of goods, or of another make. */
export function readPairingText(text: string): { readonly code: PairingCode; readonly master: Address } | null {
  const [, written = '', host = '', digits = ''] = TEXT.exec(text) ?? [];
  const code = readCode(written);
  const port = Number(digits);
  if (code === null || port < 1 || port > MOST_PORT) return null;
  return { code, master: { host: host.replace(/^\[|\]$/g, ''), port } };
}
