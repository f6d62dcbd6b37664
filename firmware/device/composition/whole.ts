/** The types of what the parts of a device make for the parts after them in the list. */
import type { PageFiles } from '../../console/index.ts';
import type { BootSettings, Claims, MadeTokens, SignIn } from '../../core/access/index.ts';
import type { AuditTrail } from '../../core/audit/index.ts';
import type { Board } from '../../core/board/index.ts';
import type { Host, LastTime, LogRing, Shop } from '../../core/host/index.ts';
import type { EventStreamPool, openAccess } from '../../core/http/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import type { TlsIdentity } from '../../core/tls/index.ts';
import type { Backups } from '../../features/backup/index.ts';
import type { Added } from '../../features/feature.ts';
import type { Terminal } from '../../payments/index.ts';
import type { Recognition, TrayPins } from '../../recognition/index.ts';
import type { Sync } from '../../sync/index.ts';
import type { OwnBase } from './base.ts';
import type { StandIns } from './tuning.ts';

/** What exists before all parts. */
export interface Start {
  readonly base: OwnBase;
  readonly standIns: StandIns;
  readonly pages: PageFiles;
  readonly lines: LogRing;
  readonly retryConfig: (() => void) | null;
  readonly restart: (() => void) | null;
  /** Addresses of both interfaces, once their ports are open. */
  readonly urls: { terminal: string; recognition: string };
}

/** What each open feature adds to the device, by the feature's name. */
export type Features = ReadonlyMap<string, Added>;

/** What all parts make. */
export interface Whole extends Start {
  readonly lastTime: LastTime;
  /** A time zone of the board that this process does not know; null for none. */
  readonly unknownZone: string | null;
  readonly audit: AuditTrail;
  readonly sealer: Sealer;
  /** Null where the sandbox bank does not run. */
  readonly sandboxUrl: string | null;
  readonly tokens: MadeTokens;
  readonly signIn: SignIn;
  readonly bootSettings: BootSettings;
  readonly terminal: Terminal;
  /** Null where the device never shows a code. */
  readonly claims: Claims | null;
  readonly sync: Sync;
  readonly backups: Backups;
  readonly host: Host;
  readonly shop: Shop;
  readonly board: Board;
  readonly recognition: Recognition;
  readonly panel: TrayPins;
  readonly features: Features;
  readonly tls: TlsIdentity | null;
  readonly access: ReturnType<typeof openAccess>;
  readonly streams: EventStreamPool;
}

/** The named properties of a device, as a part needs or makes them. */
export type Has<Names extends keyof Whole> = Pick<Whole, Names>;
