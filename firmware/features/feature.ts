/**
 * What is added to a device, and can be taken off again: a folder here, and a line in `features.ts`. A feature stands on
 * payments and recognition; nothing of these stands on it. Its record loads nothing: `lanectl` reads all of them. Its page is not
 * named here: `page/page.js` of the folder is found by where it lies (`core/pages/app/feature-pages.js`).
 */

import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import type { Language } from '../../drivers/lib/languages.ts';
import type { ErrorRecords, ReasonRecords } from '../../drivers/lib/records.ts';
import type { AuditTrail } from '../core/audit/index.ts';
import type { Board } from '../core/board/index.ts';
import type { Fault, Output, Tools } from '../core/cli/index.ts';
import type { Config } from '../core/config/index.ts';
import type { HealthBoard, Log, LogPart, LogRing, Metrics, Timekeeper } from '../core/host/index.ts';
import type { DataDir, Sealer } from '../core/store/index.ts';
import type { Terminal } from '../payments/index.ts';

import type { Recognition, SyncInfo, TrayPins } from '../recognition/index.ts';

/** The device that a feature is added to. */
export interface Lane {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly clock: Timekeeper;
  readonly serial: string;
  readonly version: string;
  readonly health: HealthBoard;
  /** A feature is opened once: it adds its figures then. */
  readonly metrics: Metrics;
  readonly sealer: Sealer;
  readonly audit: AuditTrail;
  readonly board: Board;
  /** The last lines of the log. */
  readonly lines: LogRing;
  /** Sales come first: `isAtRest` before the display is used, `onSale` to end that. */
  readonly terminal: Terminal;
  readonly recognition: Recognition;
  readonly logOf: (part: LogPart) => Log;
  /** Of the device in its store. */
  readonly role: () => SyncInfo['syncMode'];
  /** Lamp, LED and button; once the device has started. */
  readonly panel: () => TrayPins;
  /** What all pages share. */
  readonly words: (language: Language) => Promise<Words>;
}

type Words = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** What `lanectl` has for the command of a feature: what `doctor` finds, and what the pages say. */
export interface Shell {
  words(language: Language): Promise<Words>;
  diagnose(tools: Tools): Promise<{ readonly faults: readonly Fault[]; readonly answers: boolean }>;
  faultLines(out: Output, faults: readonly Fault[]): string[];
}

interface FeatureCommand {
  /** Each is typed first. */
  readonly words: readonly string[];
  readonly load: () => Promise<(program: Command, shell: () => Promise<Shell>) => void>;
}

/** What a feature adds to a device. */
export interface Added {
  /** What runs beside the work of the device. */
  start?(): void;
  close?(): Promise<void>;
  /** Adds its calls to the port of the pages. */
  addRoutes?(app: FastifyInstance): void | Promise<void>;
  /** Adds its calls beside those of payments, to both ports. */
  addPaymentRoutes?(app: FastifyInstance): void | Promise<void>;
  /** Sees each call about payments: is called before the routes are added. */
  watchCalls?(app: FastifyInstance, port: 'terminal' | 'recognition'): void;
  /** Another number: the pages have something new of it to read. */
  readonly revision?: { readonly last: number; onChange(changed: () => void): void };
}

export interface Feature {
  /** That of its folder. */
  readonly name: string;
  /** Null where the configuration has none of it. */
  readonly open?: (lane: Lane) => Promise<Added | null>;
  readonly command?: FeatureCommand;
  /** What its calls are refused with. */
  readonly errors?: ErrorRecords;
  /** What it has in `/health`. */
  readonly reasons?: ReasonRecords;
}
