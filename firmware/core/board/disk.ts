/**
 * Reads the storage of the data folder: room, wear, faults. Only eMMC reports wear (JEDEC JESD84-B51: life in tenths,
 * and a warning before the end); an SD card only shows the bytes written since the start. The file system ext4 counts
 * its faults.
 */
import { type StatsFs, statfsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Reason } from '../../../drivers/lib/records.ts';
import { LEAST_FREE_BYTES } from './least-free.ts';
import { reasonOf } from './reason-records.ts';
import { numberOf, type SystemFiles } from './system-files.ts';

const LEAST_FREE_FILES = 1000;
const SECTOR_BYTES = 512;
/** Field of a block device's `stat`: sectors written since the start of the machine. */
const SECTORS_WRITTEN = 6;
const LIFE_STEP_PERCENT = 10;
const WORN_PERCENT = 90;
/** `pre_eol_info`: 1 normal; 2: four fifths of the spare blocks are used; 3: nine tenths. */
const EOL_WARNING = 2;
const MINOR_BITS = 8n;

export interface DiskFacts {
  /** Bytes that the device may still write, and total bytes; null where the file system does not say. */
  readonly freeBytes: number | null;
  readonly totalBytes: number | null;
  /** Files that may still be created; null where the file system has no limit. */
  readonly freeFiles: number | null;
  /** Bytes written since the start of the machine. */
  readonly writtenBytes: number | null;
  /** Used part of the storage's life, percent, rounded up. */
  readonly lifeUsedPercent: number | null;
  readonly isNearItsEnd: boolean;
  /** Faults of the file system since it was made or repaired. */
  readonly faults: number | null;
}

/** Major and minor number (Linux: 12 bits, and 8 + 12 bits around them). */
function deviceNumber(folder: string): string | null {
  try {
    const { dev } = statSync(folder, { bigint: true });
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n);
    return `${(dev >> MINOR_BITS) & 0xfffn}:${minor}`;
  } catch {
    return null; // the folder is gone: the parts that write there report it
  }
}

function spaceOf(folder: string): StatsFs | null {
  try {
    return statfsSync(folder);
  } catch {
    return null; // the folder is gone: the parts that write there report it
  }
}

/** @returns used life, percent, of the more used of the eMMC's two kinds of cells */
function lifeUsed(text: string | null): number | null {
  const steps = (text ?? '').split(/\s+/).map(numberOf);
  const known = steps.filter((step) => step !== null && step > 0);
  return known.length === 0 ? null : Math.max(...known.map(Number)) * LIFE_STEP_PERCENT;
}

/** @param device major and minor number of the folder's storage */
export function diskFacts(folder: string, files: SystemFiles, device = deviceNumber(folder)): DiskFacts {
  const space = spaceOf(folder);
  const block = device === null ? null : files.target(`/sys/dev/block/${device}`);
  const sectors = block === null ? null : numberOf(files.text(`${block}/stat`)?.split(/\s+/)[SECTORS_WRITTEN] ?? null);
  // the wear is in `device` of the disk, which is a partition's parent
  const disk = block === null ? '' : `${files.text(`${block}/partition`) === null ? block : dirname(block)}/device`;
  return {
    freeBytes: space === null ? null : space.bavail * space.bsize,
    totalBytes: space === null ? null : space.blocks * space.bsize,
    freeFiles: space === null || space.files === 0 ? null : space.ffree,
    writtenBytes: sectors === null ? null : sectors * SECTOR_BYTES,
    lifeUsedPercent: lifeUsed(files.text(`${disk}/life_time`)),
    isNearItsEnd: (files.number(`${disk}/pre_eol_info`) ?? 0) >= EOL_WARNING,
    faults: block === null ? null : files.number(`/sys/fs/ext4/${basename(block)}/errors_count`),
  };
}

const MB = 1024 * 1024;

/** What is wrong; empty when all is well. */
export function diskReasons(facts: DiskFacts): Reason[] {
  const { freeBytes, freeFiles, lifeUsedPercent, isNearItsEnd, faults } = facts;
  const reasons: Reason[] = [];
  if (freeBytes !== null && freeBytes < LEAST_FREE_BYTES) {
    const about = { free: Math.floor(freeBytes / MB), needed: LEAST_FREE_BYTES / MB };
    reasons.push(reasonOf('disk-full', about));
  }
  if (freeFiles !== null && freeFiles < LEAST_FREE_FILES) reasons.push(reasonOf('disk-files', { n: freeFiles }));
  if (faults !== null && faults > 0) reasons.push(reasonOf('disk-faulty', { n: faults }));
  if (isNearItsEnd || (lifeUsedPercent ?? 0) >= WORN_PERCENT)
    reasons.push(reasonOf('disk-worn', { percent: lifeUsedPercent ?? '?' }));
  return reasons;
}
