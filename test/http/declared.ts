/** What the routes of both ports say of themselves: who may call them, and what they leave in the audit trail. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { AuditedCall } from '../../firmware/core/audit/device-events.ts';
import type { Opener } from '../../firmware/core/http/call/ranks.ts';
import { startTestDevice } from '../support.ts';

interface Declared {
  readonly roles: Record<string, Opener>;
  readonly audited: Record<string, AuditedCall | null>;
}

/** Each server that a whole device makes, with its routes. */
async function declared(): Promise<Declared[]> {
  const servers: Declared[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    const own: Declared = { roles: {}, audited: {} };
    servers.push(own);
    fastify.addHook('onRoute', ({ method, url, config }) => {
      if (config?.role !== undefined) own.roles[`${method} ${url}`] = config.role;
      if (config?.audit !== undefined) own.audited[`${method} ${url}`] = config.audit;
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    await using device = await startTestDevice({
      // the route of the certificate is there only where others come in
      ...{ LANEWARE_RECOGNITION_HOST: '0.0.0.0', LANEWARE_TLS_MODE: 'auto' },
      LANEWARE_API_TOKENS_TECHNICIAN: 'made-up-token-of-the-declared',
    });
    if (device.recognition === '') throw new Error('the device has no second port');
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
  return servers;
}

const servers = await declared();
const rolesWith = (route: string) => servers.map(({ roles }) => roles).find((roles) => route in roles) ?? {};

/** Routes (`POST /showQR`) of each port, and who may call them. */
export const TERMINAL_ROLES = rolesWith('POST /showQR');
export const RECOGNITION_ROLES = rolesWith('PUT /camera/frame');
/** Routes of both; null leaves no line. */
export const AUDITED: Readonly<Record<string, AuditedCall | null>> = Object.assign(
  {},
  ...servers.map(({ audited }) => audited),
);

/** Whether the answer of a route is that of an address which no route has; a certificate is served over TLS alone. */
export const isMissing = (route: string, answer: string): boolean =>
  route !== 'GET /certificate.pem' && /there is no \S+ here; \/reference shows the calls/.test(answer);

/** An address that a route answers, of its path. */
export const addressOf = (path: string): string =>
  path
    .replace('*', 'console.js')
    .replace(':filename', 'none.zip')
    .replace(/:shift\(.*\)$/, 'current');
