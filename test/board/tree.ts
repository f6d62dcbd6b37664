/** A made-up machine: the files in which Linux would describe it, in a folder that stands in for `/`. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SystemFiles } from '../../firmware/core/board/system-files.ts';
import { Board } from '../../firmware/core/board/watch-board.ts';
import { HealthBoard } from '../../firmware/core/host/health.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { temporaryFolder } from '../support.ts';

const ABOUT = {
  version: '1.2.0',
  serial: 'T',
  instance: 'i',
  ports: { terminal: 1, recognition: 2 },
  uptimeSeconds: 0,
};
export const STORAGE = '179:2';

export class Tree {
  readonly #folder = temporaryFolder();
  readonly root = this.#folder.path;
  readonly files = new SystemFiles(this.root);

  put(path: string, text: string): this {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), `${text}\n`);
    return this;
  }

  link(path: string, target: string): this {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    symlinkSync(target, join(this.root, path));
    return this;
  }

  /** An eMMC with a partition, as the kernel reports it. */
  storage(): this {
    const disk = '/sys/devices/platform/emmc/mmc_host/mmc0/mmc0:0001/block/mmcblk0';
    this.put(`${disk}/mmcblk0p2/partition`, '2').put(`${disk}/mmcblk0p2/stat`, '  100 0 800 5   20 0 4096 7 0 9 12');
    return this.link(`/sys/dev/block/${STORAGE}`, join(this.root, `${disk}/mmcblk0p2`));
  }

  emmc(name: string, text: string): this {
    return this.put(`/sys/devices/platform/emmc/mmc_host/mmc0/mmc0:0001/block/mmcblk0/device/${name}`, text);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** A device on such a machine, as it reports it. */
export function boardOn(tree: Tree, version = '1.2.0') {
  let now = 0;
  let wall = 0;
  const health = new HealthBoard(() => ABOUT);
  const metrics = new Metrics();
  const board = new Board(tree.root, version, { monotonic: () => now, wall: () => wall }, tree.files, STORAGE);
  board.watch(health);
  board.count(metrics);
  return {
    /** @param ms later */
    pass: (ms: number): void => {
      now += ms;
      board.sample();
    },
    /** @param ms since 1970, by the clock of the wall */
    at: (ms: number): void => {
      wall = ms;
    },
    part: (name: string) => {
      const found = health.report().parts.find(({ part }) => part === name);
      return { state: found?.state, reason: found?.reason ?? '' };
    },
    get machine() {
      return [board.hasClockChip, board.model];
    },
    get guards() {
      return board.guards;
    },
    metrics: () => metrics.registry.metrics(),
    [Symbol.dispose]: () => board.close(),
  };
}
