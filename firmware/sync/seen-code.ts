/** Waits for the QR code of a master before the camera of this device, while a technician has it look. */
import { pause } from '../../drivers/lib/async.ts';
import { readPairingText } from './pairing-text.ts';

/** A person turns a phone until it is read. */
const LOOK_FOR_MS = 9_000;
const LOOK_EVERY_MS = 150;

type SeenCode = NonNullable<ReturnType<typeof readPairingText>>;

/** @param look what codes of the newest frame say @returns null where none was seen in time, or the caller has gone */
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
