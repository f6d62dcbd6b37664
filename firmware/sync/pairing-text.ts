/** A master's QR code, for the camera of the device that joins. It is no link, so another scanner opens nothing with it. */
import { pause } from '../../drivers/lib/async.ts';
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

/** A person turns a phone until it is read. */
const LOOK_FOR_MS = 9_000;
const LOOK_EVERY_MS = 150;

type SeenCode = NonNullable<ReturnType<typeof readPairingText>>;

/**
 * Waits for such a code before the camera of this device, while a technician has it look.
 * @param look what codes of the newest frame say @returns null where none was seen in time, or the caller has gone
 */
export async function seenCode(
  look: () => Promise<readonly string[]>,
  gone: AbortSignal,
  limitMs = LOOK_FOR_MS,
): Promise<SeenCode | null> {
  const over = AbortSignal.any([gone, AbortSignal.timeout(limitMs)]);
  while (!over.aborted) {
    for (const text of await look()) {
      const read = readPairingText(text);
      if (read !== null && !gone.aborted) return read;
    }
    await pause(LOOK_EVERY_MS, over);
  }
  return null;
}
