/** How often the confirmed item had which rank: the device's measure of its own quality. */
import { type Clock, certainTime } from '../../core/host/index.ts';
import type { TemplatesFile } from '../templates/templates-database.ts';

/** Ranks that are counted separately, as scales report them (docs/sources.md, "Rank statistics of scales"). */
const COUNTED_RANKS = 5;
/** For how many days counts are stored. */
export const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

interface RankCounts {
  /** How often the right item stood first, second, and so on to the fifth place. */
  readonly positions: number[];
  /** How often it stood further down or was not offered, or no item was right. */
  readonly none: number;
  readonly total: number;
}

export interface ItemRanks extends RankCounts {
  readonly id: string;
}

export interface RankQuery {
  /** First and last day, `YYYY-MM-DD`; null for no bound. */
  readonly from: string | null;
  readonly to: string | null;
  /** Null for all items. */
  readonly item: string | null;
}

const dayOf = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

function countsOf(rows: readonly { position: number; count: number }[]): RankCounts {
  const at = (position: number): number =>
    rows.filter((row) => row.position === position).reduce((sum, row) => sum + row.count, 0);
  const positions = Array.from({ length: COUNTED_RANKS }, (_, index) => at(index + 1));
  const none = at(0);
  return { positions, none, total: positions.reduce((sum, count) => sum + count, none) };
}

export class RankStatistics {
  readonly #file: TemplatesFile;
  readonly #clock: Clock;

  constructor(file: TemplatesFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /**
   * Counts a confirmation.
   * @param rank from 1; null where the item was not offered @param item null where none was right
   */
  async count(item: string | null, rank: number | null): Promise<void> {
    const position = rank !== null && rank <= COUNTED_RANKS ? rank : 0;
    await this.#file.write(() =>
      this.#file.db
        .prepare(
          `INSERT INTO ranks (day, item, position, count) VALUES (?, ?, ?, 1)
             ON CONFLICT DO UPDATE SET count = count + 1`,
        )
        .run(this.#daysAgo(0), item ?? '', position),
    );
  }

  /** Totals, and every item that was confirmed. */
  report({ from, to, item }: RankQuery): RankCounts & { items: ItemRanks[] } {
    const rows = this.#file.db
      .prepare(
        `SELECT item, position, sum(count) AS count FROM ranks
         WHERE (:from IS NULL OR day >= :from) AND (:to IS NULL OR day <= :to) AND (:item IS NULL OR item = :item)
         GROUP BY item, position ORDER BY item`,
      )
      .all({ from, to, item })
      .map((row) => ({ item: String(row.item), position: Number(row.position), count: Number(row.count) }));
    const byItem = Map.groupBy(
      rows.filter((row) => row.item !== ''),
      (row) => row.item,
    );
    return { ...countsOf(rows), items: [...byItem].map(([id, counts]) => ({ id, ...countsOf(counts) })) };
  }

  /** The report of the last `days` days, of all items. */
  lately(days: number): ReturnType<RankStatistics['report']> {
    return this.report({ from: this.#daysAgo(days), to: null, item: null });
  }

  /** Removes days that are certainly too old. */
  async forget(): Promise<void> {
    const { db } = this.#file;
    await this.#file.write(() =>
      db.prepare('DELETE FROM ranks WHERE day < ?').run(this.#daysAgo(KEPT_DAYS, certainTime(this.#clock))),
    );
  }

  #daysAgo(days: number, now = this.#clock.wall()): string {
    return dayOf(now - days * DAY_MS);
  }
}
