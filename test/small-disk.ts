/** A small separate file system in memory, which can be filled and made read-only. Needs root on Linux. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCode } from '../drivers/lib/errors.ts';

const FILLER = 'filler';
/** Sizes of the filling pieces, small ones at the end, so that nothing more fits. */
const PIECES = [1024 * 1024, 4096] as const;

export class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'laneware-small-'));

  /** @throws where this machine cannot mount it */
  constructor(megabytes: number) {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'laneware-test', this.path], { stdio: 'pipe' });
    } catch (error) {
      rmdirSync(this.path);
      throw error;
    }
  }

  fill(): void {
    for (const piece of PIECES) {
      const bytes = Buffer.alloc(piece, 'x');
      try {
        for (;;) writeFileSync(join(this.path, FILLER), bytes, { flag: 'a' });
      } catch (error) {
        if (!isCode(error, 'ENOSPC')) throw error;
      }
    }
  }

  empty(): void {
    rmSync(join(this.path, FILLER));
  }

  becomeReadOnly(): void {
    execFileSync('mount', ['-o', 'remount,ro', this.path]);
  }

  becomeWritable(): void {
    execFileSync('mount', ['-o', 'remount,rw', this.path]);
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['--lazy', this.path]); // a device that failed to start may still hold files
    rmdirSync(this.path);
  }
}

/** Why this machine has no such disk; null where it has. */
export function whyNoSmallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const { status } = spawnSync('sh', [
    '-c',
    'd=$(mktemp -d) && mount -t tmpfs none "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s',
  ]);
  return status === 0 ? null : 'nothing may be mounted here';
}
