/** What the configuration says of who may come in: the same for all ports of a device. */
import type { Config } from '../config/index.ts';
import type { Clock } from '../host/index.ts';
import type { TlsIdentity } from '../tls/index.ts';
import { BodyBudget } from './body-budget.ts';
import type { PoolLimits } from './connection-pool.ts';
import type { MadeTokens } from './guard/credentials.ts';
import { Guard } from './guard/guard.ts';
import type { PageSessions } from './guard/page-sessions.ts';

export interface NetworkAccess {
  readonly guard: Guard;
  readonly bodies: BodyBudget;
  /** Places for connections to each port from the network; this machine has as many in all, and they are its own. */
  readonly connections: PoolLimits;
  /** The same for streams of events. */
  readonly eventStreams: PoolLimits;
  /** What callers from the network are shown; null where they speak plain HTTP, or where there are none. */
  readonly tls: TlsIdentity | null;
}

export function openAccess(
  api: Config['api'],
  clock: Pick<Clock, 'monotonic'>,
  tls: TlsIdentity | null = null,
  made?: MadeTokens,
  sessions?: PageSessions,
): NetworkAccess {
  return {
    guard: new Guard(api, tls !== null, () => clock.monotonic(), made, sessions),
    bodies: new BodyBudget(),
    connections: { total: api.connections, perAddress: api.connectionsPerAddress },
    eventStreams: { total: api.eventStreams, perAddress: api.eventStreamsPerAddress },
    tls,
  };
}
