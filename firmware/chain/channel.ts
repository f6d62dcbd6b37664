/**
 * The channel: which releases the chain offers, and to how large a share of its devices. Where a device lies among them is
 * drawn from the release, its store and its serial number: another place for each release, so that it is not always the
 * same lanes that try what is new. Device and chain both compute it.
 */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { worded } from '../store/index.ts';

/** Put down for all stores. */
export const CHANNEL = 'channel';

const MOST_OFFERS = 2;
const BITS_48 = 2 ** 48;
const BYTES_48 = 6;

export const RELEASE = worded('^\\d{1,6}(\\.\\d{1,6}){1,3}$', 'must be a version in dotted numbers, as 1.4.0');

/** Where the files of a release lie on a web server; `{version}` stands for the release. */
export const SOURCE = worded('^https://[!-~]{1,500}/$', 'must be an address that begins with https:// and ends with /');

export const OfferSchema = Type.Object({
  version: Type.String({ pattern: RELEASE }),
  /** To devices that lie below it; 1: to all. */
  below: Type.Number({ minimum: 0, maximum: 1 }),
  /** Null: no device fetches it by itself. */
  source: Type.Union([Type.String({ pattern: SOURCE }), Type.Null()]),
});
export type Offer = Readonly<Static<typeof OfferSchema>>;

export const ChannelSchema = Type.Object({
  format: Type.Literal(1),
  /** The newest first. A release that is held or was stopped is not among them. */
  offers: Type.Array(OfferSchema, { maxItems: MOST_OFFERS }),
});
export type Channel = Readonly<Static<typeof ChannelSchema>>;

export interface Whose {
  /** Public key of the account of its store. */
  readonly account: string;
  readonly serial: string;
}

/** Where a device lies among all of the chain, from 0 to below 1, as to one release. */
export function placeOf(version: string, { account, serial }: Whose): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([version, account, serial]))
    .digest();
  return digest.readUIntBE(0, BYTES_48) / BITS_48;
}

/** The newest release whose turn it is at this device, or null. */
export const offeredTo = ({ offers }: Channel, device: Whose): Offer | null =>
  offers.find(({ version, below }) => placeOf(version, device) < below) ?? null;

/** Of an offer the folder of its files. */
export const folderOf = ({ source, version }: Offer): string | null => source?.replaceAll('{version}', version) ?? null;
