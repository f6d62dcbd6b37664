/**
 * The pairing code, with which a technician pairs a slave with a master: twenty characters in groups of four. The first
 * eight are a secret that is valid for a while. The others are the beginning of the SHA-256 of the master's
 * certificate: by these the slave rejects another server at the master's address. A slave reads the code as typed, or
 * from a QR code in front of its camera.
 */
import { pause } from '../../drivers/lib/async.ts';
import { ALPHABET, inGroups, randomCharacters, readCharacters } from '../core/host/index.ts';
import type { Address } from './centre/connect.ts';

/** How long the master accepts the secret. */
export const CODE_LIFE_MS = 15 * 60_000;
const BITS_OF_A_CHARACTER = 5;
const SECRET_CHARACTERS = 8;
const FINGERPRINT_CHARACTERS = 12;

export interface PairingCode {
  readonly secret: string;
  /** First 60 bits of the certificate's SHA-256, in the code's alphabet. */
  readonly fingerprint: string;
}

export const makeSecret = (): string => randomCharacters(SECRET_CHARACTERS);

/** @param fingerprint SHA-256 of the master's certificate */
export function shortFingerprint(fingerprint: Uint8Array): string {
  const bits = [...fingerprint].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: FINGERPRINT_CHARACTERS }, (_, at) => {
    const chunk = bits.slice(at * BITS_OF_A_CHARACTER, (at + 1) * BITS_OF_A_CHARACTER);
    return ALPHABET[Number.parseInt(chunk, 2)];
  }).join('');
}

export const writeCode = ({ secret, fingerprint }: PairingCode): string => inGroups(secret + fingerprint);

/** Reads a typed code: any case, with or without the dashes. Null for any other text. */
export function readCode(text: string): PairingCode | null {
  const code = readCharacters(text, SECRET_CHARACTERS + FINGERPRINT_CHARACTERS);
  return code === null
    ? null
    : { secret: code.slice(0, SECRET_CHARACTERS), fingerprint: code.slice(SECRET_CHARACTERS) };
}

const MARK = 'LANEWARE-PAIR';
const TEXT = new RegExp(`^${MARK} ([A-Z0-9-]{20,40}) ([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]+\\]):([0-9]{1,5})$`);
const MOST_PORT = 65_535;

/** The text of a master's QR code: the pairing code and the master's address. */
export const pairingText = (code: string, { host, port }: Address): string =>
  `${MARK} ${code} ${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Reads the text of a master's QR code; null for any other code, such as one on goods. */
export function readPairingText(text: string): { readonly code: PairingCode; readonly master: Address } | null {
  const [, written = '', host = '', digits = ''] = TEXT.exec(text) ?? [];
  const code = readCode(written);
  const port = Number(digits);
  if (code === null || port < 1 || port > MOST_PORT) return null;
  return { code, master: { host: host.replace(/^\[|\]$/g, ''), port } };
}

/** How long the camera looks for a code: a person needs some seconds to turn a phone until its code is read. */
const LOOK_FOR_MS = 9_000;
const NEXT_FRAME_MS = 150;

type SeenCode = NonNullable<ReturnType<typeof readPairingText>>;

/**
 * Waits until this device's camera sees a pairing code.
 * @param look reads the codes in the newest frame
 * @param gone aborted when the caller's connection has closed
 * @returns null where no code was seen in time, or the caller is gone
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
    await pause(NEXT_FRAME_MS, over);
  }
  return null;
}
