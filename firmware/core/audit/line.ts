/** A line of the audit trail: who did what, or was refused it. Never a secret. */
import Type, { type Static } from 'typebox';

/**
 * How a caller was let in: `loopback` is a program on this machine; `none` a network caller who needed no token, or
 * sent no right one; `button` and `pairing-code` are no calls; `device` is the device itself.
 */
export const CREDENTIALS = Object.freeze([
  'loopback',
  'till',
  'supervisor',
  'technician',
  'none',
  'button',
  'pairing-code',
  'device',
] as const);
export type Credential = (typeof CREDENTIALS)[number];

export const AuditLineSchema = Type.Object({
  n: Type.Integer({ minimum: 1, description: 'number of the line: it grows even if the clock goes back' }),
  at: Type.String({ description: 'wall clock of the device, UTC; it may have been wrong' }),
  boot: Type.String({ description: 'names the boot of the machine' }),
  up: Type.Number({ description: 'seconds since that boot, which no clock setting changes' }),
  address: Type.Union([Type.String(), Type.Null()], { description: 'of the caller; null where there was no call' }),
  credential: Type.Enum([...CREDENTIALS]),
  till: Type.Optional(Type.String({ description: 'name of the till, where its token is one of `api.tills`' })),
  signedInBy: Type.Optional(
    Type.Enum(['pin', 'token'], { title: 'SignedInBy', description: 'with what somebody has signed in at a page' }),
  ),
  deed: Type.String({ description: 'what was asked for' }),
  what: Type.Record(Type.String(), Type.Unknown(), { description: 'names of what it was about' }),
  outcome: Type.Enum(['done', 'failed', 'refused']),
  code: Type.Optional(Type.Integer({ description: 'code of the failure in the answer, or its HTTP status' })),
  why: Type.Optional(Type.String({ description: 'of a refusal' })),
  times: Type.Optional(Type.Integer({ description: 'how often, where one line stands for many' })),
});
export type AuditLine = Static<typeof AuditLineSchema>;

/** An event without what the trail itself adds: number, time, boot. */
export type AuditEvent = Omit<AuditLine, 'n' | 'at' | 'boot' | 'up'>;

/**
 * Books of lines with separate room. A caller with fewer rights cannot push out the lines of one with more, nor a
 * stranger anybody's:
 * - `technician`: settings, store, deletion, the machine
 * - `lane`: the daily work at the lane
 * - `refusals`: also failures at the lane
 */
export type Book = 'technician' | 'lane' | 'refusals';
