/**
 * The code that a technician carries from the master to a slave: twenty characters in groups of four. The first eight are a
 * secret that the master forgets after a while. The others are the beginning of the certificate's SHA-256: by them the slave
 * rejects another server that answers at the master's address.
 */
import { ALPHABET, inGroups, randomCharacters, readCharacters } from '../core/host/index.ts';

/** How long the master knows the secret. */
export const CODE_LIFE_MS = 15 * 60_000;
const BITS_OF_A_CHARACTER = 5;
const SECRET_CHARACTERS = 8;
const FINGERPRINT_CHARACTERS = 12;

export interface PairingCode {
  readonly secret: string;
  /** First 60 bits of the fingerprint, in the code's own letters. */
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

/** Reads what a person typed: any case, with or without the dashes. Null for what is no code. */
export function readCode(text: string): PairingCode | null {
  const code = readCharacters(text, SECRET_CHARACTERS + FINGERPRINT_CHARACTERS);
  return code === null
    ? null
    : { secret: code.slice(0, SECRET_CHARACTERS), fingerprint: code.slice(SECRET_CHARACTERS) };
}
