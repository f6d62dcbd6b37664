/** This machine as the network sees it: a caller that uses its own address is a stranger to the device. */
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/** For documents and tests alone (RFC 5737): no host is there. */
const MADE_UP = '198.51.100.7';
/** An interface of its own is like a cable; where the system knows no such one, loopback takes the address, too. */
const MAKE = `ip link add laneware-test type dummy && ip addr add ${MADE_UP}/24 dev laneware-test && ip link set laneware-test up || ip addr add ${MADE_UP}/32 dev lo`;

const found = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry?.family === 'IPv4' && (!entry.internal || entry.address === MADE_UP))?.address;

/** Who may come in from the network is not left untried for want of one. */
function made(): string {
  const { stderr } = spawnSync('sh', ['-c', MAKE], { encoding: 'utf8' });
  const address = found(); // another run of tests may have been quicker
  if (address === undefined) throw new Error(`this machine has no address but loopback, and gets none: ${stderr}`);
  return address;
}

/** An IPv4 address of this machine that is not loopback's own. */
export const ownAddress: string = found() ?? made();
