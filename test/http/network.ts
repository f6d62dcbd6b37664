/** This machine as the network sees it: a caller that uses its own address is a stranger to the device. */
import { networkInterfaces } from 'node:os';

const addresses = Object.values(networkInterfaces()).flat();

/** An IPv4 address of this machine that is not loopback; undefined where it has none. */
export const ownAddress = addresses.find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

/** Why nobody can call over the network here, in words; null where somebody can. */
export const NO_NETWORK = ownAddress === undefined ? 'this machine has no address but loopback' : null;

export const hasIPv6 = addresses.some((entry) => entry?.family === 'IPv6' && entry.internal);
