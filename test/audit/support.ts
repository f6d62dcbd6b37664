/** What the tests of the audit trail share. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEvent } from '../../firmware/core/audit/line.ts';
import { AuditTrail, type TrailLimits } from '../../firmware/core/audit/trail.ts';
import type { Clock } from '../../firmware/core/host/clock.ts';
import { HealthBoard, type PartHealth } from '../../firmware/core/host/health.ts';

export const DAY_MS = 86_400_000;

/** A clock that is turned by hand. */
export class HandClock implements Clock {
  bootId = 'boot-1-of-the-tests';
  now = Date.parse('2026-11-20T12:00:00Z');
  up = 1_000_000;
  wall = (): number => this.now;
  monotonic = (): number => this.up;
}

export interface OpenTrail {
  readonly trail: AuditTrail;
  readonly health: () => PartHealth | undefined;
}

export function openTrail(folder: string, options: TrailLimits & { readonly clock?: Clock } = {}): OpenTrail {
  const board = new HealthBoard(() => ({
    version: '0',
    serial: 's',
    instance: '',
    ports: { terminal: 0, recognition: 0 },
    uptimeSeconds: 0,
  }));
  const trail = new AuditTrail(folder, options.clock ?? new HandClock(), board, options);
  return { trail, health: () => board.report().parts.find(({ part }) => part === 'audit') };
}

export const auditEvent = (name: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  address: '192.168.1.20',
  credential: 'technician',
  deed: name,
  what: {},
  outcome: 'done',
  ...more,
});

export async function namesOf(trail: AuditTrail, limit = 1000): Promise<string[]> {
  const { lines } = await trail.page(Number.POSITIVE_INFINITY, limit);
  return lines.map(({ deed: name }) => name);
}

/** Everything that lies in the folder, as text. */
export const allText = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
