/**
 * A separate disk, on a file, whose power can be cut: writes that have not reached it are lost. Needs root on Linux.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { missingPrograms } from './needing.ts';

const RELEASE_PATIENCE_MS = 60_000;
const SIZE = '160M';
/** FS_IOC_SHUTDOWN with NOLOGFLUSH: after it nothing reaches the disk, not even the journal in memory. */
const CUT = 'open(D,"<",$ARGV[0]) or die; my $how=pack("L",2); ioctl(D,0x8004587d,$how)//die';
/** Block size as on an image's card, however small the disk is. */
const BLOCK_BYTES = '4096';
/**
 * Turns off two habits of ext4 that no code may rely on: to sync files before a rename, and all of them each few
 * seconds.
 */
const MOUNT_OPTIONS = 'loop,noauto_da_alloc,commit=600';

export class Disk implements Disposable {
  readonly #image = join(mkdtempSync(join(tmpdir(), 'laneware-disk-')), 'disk.img');
  readonly mount = mkdtempSync(join(tmpdir(), 'laneware-mount-'));

  readonly #options: string;

  /** @throws where this machine has no loop devices */
  constructor(size = SIZE, options = MOUNT_OPTIONS) {
    this.#options = options;
    try {
      execFileSync('truncate', ['--size', size, this.#image]);
      const kind = ['-t', 'ext4', '-b', BLOCK_BYTES, '-O', 'has_journal', '-m', '0'];
      execFileSync('mke2fs', ['-q', '-F', ...kind, this.#image]);
      this.plugIn();
    } catch (error) {
      this.#remove();
      throw error;
    }
  }

  plugIn(): void {
    execFileSync('mount', ['-o', this.#options, this.#image, this.mount], { stdio: 'pipe' });
  }

  /** The kernel's name of the disk. */
  get device(): string {
    return basename(execFileSync('findmnt', ['-no', 'SOURCE', this.mount], { encoding: 'utf8' }).trim());
  }

  /** Cuts the power: a process that still writes to the disk gets EIO. */
  cutPower(): void {
    execFileSync('perl', ['-e', CUT, this.mount]);
  }

  /**
   * Unmounts the disk. A process that has just ended may still hold a file, and a container that starts at this moment
   * may still see the disk: it is off when neither does.
   */
  unplug(): void {
    const limit = performance.now() + RELEASE_PATIENCE_MS;
    for (;;) {
      const { status, stderr } = spawnSync('umount', [this.mount], { encoding: 'utf8' });
      if (status === 0) break;
      if (performance.now() > limit) throw new Error(stderr);
      execFileSync('sleep', ['0.1']);
    }
    while (execFileSync('losetup', ['--associated', this.#image], { encoding: 'utf8' }).trim() !== '') {
      if (performance.now() > limit) throw new Error(`${this.#image} is still mounted somewhere`);
      execFileSync('sleep', ['0.1']);
    }
  }

  /** Cuts the power, and restores it. */
  losePower(): void {
    this.cutPower();
    this.unplug();
    this.plugIn();
  }

  [Symbol.dispose](): void {
    this.unplug();
    this.#remove();
  }

  #remove(): void {
    for (const folder of [dirname(this.#image), this.mount]) rmSync(folder, { recursive: true });
  }
}

function whyNoPowerCuts(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux';
  const missing = missingPrograms('perl', 'mke2fs', 'losetup');
  if (missing !== null) return missing;
  try {
    using _ = new Disk();
    return null;
  } catch {
    return 'this machine lends no loop devices';
  }
}

/** Why no power can be cut here; null where it can. */
export const NO_POWER_CUTS = whyNoPowerCuts();
