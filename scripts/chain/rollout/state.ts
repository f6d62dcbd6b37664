/** How a rollout stands. It lies in one document with the channel: what devices are offered and why can never be two things. */
import Type, { type Static } from 'typebox';
import { type Channel, ChannelSchema, OfferSchema, RELEASE, SOURCE } from '../../../firmware/chain/channel.ts';

const count = Type.Integer({ minimum: 0 });
const Percent = Type.Number({ exclusiveMinimum: 0, maximum: 100 });

const RolloutSchema = Type.Object({
  version: Type.String({ pattern: RELEASE }),
  /** Shares of the chain, one after the other; the last is all. */
  rings: Type.Array(Percent, { minItems: 1, maxItems: 10 }),
  soakMs: count,
  /** As large a share of those that tried it may have undone it. */
  mostUndonePercent: Percent,
  /** Index of the present one. */
  ring: count,
  /** Devices that lie below it are offered the release; it never shrinks. */
  below: Type.Number({ minimum: 0, maximum: 1 }),
  phase: Type.Enum(['running', 'held', 'done', 'stopped']),
  /** Why it is held; empty where it is not. */
  why: Type.String(),
  /** Since when enough of the ring run it, ms since 1970; null: not yet. */
  ripeSince: Type.Union([Type.Integer(), Type.Null()]),
  /** What a person knew of and let go on. */
  forgiven: Type.Object({
    undone: count,
    failed: count,
    /** The ring in which devices with it may accept far fewer payments. */
    fewerInRing: Type.Optional(count),
  }),
  /** Where devices fetch it; null: by hand, or from the source that each has. */
  source: Type.Union([Type.String({ pattern: SOURCE }), Type.Null()]),
  /** What all are offered whose turn it is not; null: nothing. */
  base: Type.Union([OfferSchema, Type.Null()]),
});
export type Rollout = Readonly<Static<typeof RolloutSchema>>;

/** The channel as it is put down: what devices read of it, and what it stems from. */
export const PutSchema = Type.Object({ ...ChannelSchema.properties, rollout: RolloutSchema });

/** What devices are offered. */
export function channelOf({ version, below, phase, source, base }: Rollout): Channel {
  const own = phase === 'running' || phase === 'done' ? [{ version, below, source }] : [];
  return { format: 1, offers: base === null ? own : [...own, base] };
}
