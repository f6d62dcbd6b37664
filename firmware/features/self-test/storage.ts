/**
 * Measures how fast the storage makes writes like those of a sale: small blocks, each synced, and one larger block.
 * They are few, because cards wear.
 */
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 4096;
const BLOCKS = 8;
const LARGE_BYTES = 512 * 1024;
/** With slower syncs a person notices that a sale waits for the card: a sale syncs five times. */
export const SLOW_SYNC_MS = 100;
/** With slower syncs a till may give up waiting for a payment. */
export const STUCK_SYNC_MS = 1000;
const KB = 1024;
const MB = KB * KB;

interface StorageSpeed {
  /** Median time of the small blocks, ms. */
  readonly syncMs: number;
  /** Rate of the large block, MB per second. */
  readonly rate: number;
  /** Total of the written data, KB. */
  readonly kilobytes: number;
}

/**
 * Measures the storage of a folder. The file is unlinked before it is written, so that a killed process leaves nothing.
 * @throws the file system's error
 */
export async function measureStorage(folder: string): Promise<StorageSpeed> {
  const path = join(folder, 'self-test.part');
  const file = await open(path, 'w', 0o600);
  try {
    await unlink(path);
    const timed = async (bytes: number): Promise<number> => {
      const begun = performance.now();
      await file.appendFile(Buffer.alloc(bytes, 0xa5));
      await file.datasync();
      return performance.now() - begun;
    };
    const blocks: number[] = [];
    for (let count = 0; count < BLOCKS; count++) blocks.push(await timed(BLOCK_BYTES));
    const large = await timed(LARGE_BYTES);
    const middle = blocks.sort((one, other) => one - other)[BLOCKS >> 1] ?? 0;
    return {
      syncMs: Math.ceil(middle),
      rate: Math.round(LARGE_BYTES / MB / (large / 1000)),
      kilobytes: (BLOCKS * BLOCK_BYTES + LARGE_BYTES) / KB,
    };
  } finally {
    await file.close();
  }
}
