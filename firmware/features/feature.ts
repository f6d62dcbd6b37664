/**
 * The types of features. A feature is a removable part of a device: a folder here, and a line in `features.ts`. It may
 * use payments and recognition; they never use it. Its record (`Feature`) loads its code late, because `lanectl` reads
 * all records. Its page is not named in the record: it is found as `page/page.js` of the folder
 * (`core/pages/app/feature-pages.js`).
 */

import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { Language } from '../../drivers/lib/languages.ts';
import type { ErrorRecords, Reason, ReasonRecords } from '../../drivers/lib/records.ts';
import type { AuditTrail } from '../core/audit/index.ts';
import type { Board } from '../core/board/index.ts';
import type { Fault, Output, Tools } from '../core/cli/index.ts';
import type { Config, ConfigPart } from '../core/config/index.ts';
import type { DataDir, Migration } from '../core/files/index.ts';
import type { HealthBoard, Log, LogPart, LogRing, Metrics, Timekeeper } from '../core/host/index.ts';
import type { PageRanks } from '../core/http/index.ts';
import type { Sealer } from '../core/secrets/index.ts';
import type { Terminal } from '../payments/index.ts';

import type { Recognition, SyncInfo, TrayPins } from '../recognition/index.ts';

/** What a feature gets of the device. */
export interface Lane {
  readonly config: Config;
  /** The schema of all keys, those of features included. */
  readonly configSchema: TSchema;
  readonly dataDir: DataDir;
  readonly clock: Timekeeper;
  readonly serial: string;
  readonly version: string;
  readonly health: HealthBoard;
  /** For the feature's metrics, which it registers when it is opened. */
  readonly metrics: Metrics;
  readonly sealer: Sealer;
  readonly audit: AuditTrail;
  readonly board: Board;
  /** The last lines of the log. */
  readonly lines: LogRing;
  /** The terminal. Sales come first: check `isAtRest` before using the display, and stop at `onSale`. */
  readonly terminal: Terminal;
  readonly recognition: Recognition;
  readonly logOf: (part: LogPart) => Log;
  /** Role of the device in its store. */
  readonly role: () => SyncInfo['syncMode'];
  /** Lamp, LED and button. */
  readonly panel: TrayPins;
  /** Trials of the self-test, by the name of its step: a feature adds one, and the self-test runs it. */
  readonly trials: Map<string, () => Promise<Tried | null>>;
  /** Words that all pages share. */
  readonly words: (language: Language) => Promise<Words>;
}

/** Result of a trial. The trial returns null where the lane does not use what it tries. */
export interface Tried {
  /** What is wrong, as in `/health`; null: a person must say whether it worked. */
  readonly problem: Reason | null;
}

/** A sound that pages play in their browser. */
export interface PageSound {
  /** Changes with each new sound. */
  readonly number: number;
  /** Path at which pages fetch the sound, and report whether they can play it. */
  readonly path: string;
  /** Whether the customer's page plays it, so that Checkout need not. */
  readonly isOnDisplay: boolean;
}

type Words = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/**
 * What the command of a feature gets of `lanectl`: the pages' words, the findings of `doctor`, the schema of the
 * configuration, and the migrations of the features' databases.
 */
export interface Shell {
  words(language: Language): Promise<Words>;
  diagnose(tools: Tools): Promise<{ readonly faults: readonly Fault[]; readonly answers: boolean }>;
  faultLines(out: Output, faults: readonly Fault[]): string[];
  configSchema(): Promise<TSchema>;
  databases(): Promise<Readonly<Record<string, readonly Migration[]>>>;
}

interface FeatureCommand {
  /** The command's first words. */
  readonly words: readonly string[];
  readonly load: () => Promise<(program: Command, shell: () => Promise<Shell>) => void>;
}

/** The parts that a feature adds to a device. */
export interface Added {
  /** Starts the feature's work. */
  start?(): void;
  close?(): void | Promise<void>;
  /** Adds its calls to the recognition port, which also serves the pages. */
  addRoutes?(app: FastifyInstance): void | Promise<void>;
  /** Adds its calls next to those of payments, on both ports. */
  addPaymentRoutes?(app: FastifyInstance): void | Promise<void>;
  /** Watches each call about payments; called before the routes are added. */
  watchCalls?(app: FastifyInstance, port: 'terminal' | 'recognition'): void;
  /** A number that changes when the feature has something new for pages to read. */
  readonly revision?: { readonly last: number; onChange(changed: () => void): void };
  /** The sound that the customer's page or Checkout plays; `now` is null where they play none. */
  readonly sound?: { readonly now: PageSound | null; onChange(changed: () => void): void };
}

export interface Feature {
  /** Name of its folder. */
  readonly name: string;
  /** Its keys of the configuration. */
  readonly config?: () => Promise<readonly ConfigPart[]>;
  /** Opens the feature; null where the configuration does not use it. */
  readonly open?: (lane: Lane) => Promise<Added | null>;
  readonly command?: FeatureCommand;
  /** Migrations of its databases in the data folder, by file name: by these a backup's databases are checked. */
  readonly databases?: Readonly<Record<string, () => Promise<readonly Migration[]>>>;
  /** Address at which the console shows its page alone, on the whole screen: `/scale`. */
  readonly address?: string;
  /** The lowest rank that may see each of its pages and parts of pages; all may see a page that is not named. */
  readonly pages?: PageRanks;
  /** Error codes of its calls. */
  readonly errors?: ErrorRecords;
  /** Its reasons in `/health`. */
  readonly reasons?: ReasonRecords;
}
