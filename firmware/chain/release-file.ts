/**
 * The files of a release as a lane's updater asks for them, and what each says of itself. Their form is that of
 * `scripts/lib/release-file.sh` and `delta.sh`. Nothing here judges a signature: that is the updater's, who trusts no cache.
 */
const NUMBERS = String.raw`\d{1,6}\.\d{1,6}\.\d{1,6}`;
const FILE = new RegExp(
  `^laneware(?:(?<keys>\\.keys)|-(?<arch>arm64|x64)\\.(?<packing>release|small)|-${NUMBERS}-(?<version>${NUMBERS})-(?<deltaArch>arm64|x64)\\.delta)$`,
);
/** As much as an updater reads to judge a release; all that a file says of itself lies in it. */
export const HEAD_BYTES = 16_384;
const HEAD_LINE = /^laneware-(release|small|delta) 1 ([1-9]\d{0,4}) [A-Za-z0-9+/]{86}==\n/;
const DIGEST = /^[0-9a-f]{64}$/;
const SIZE = /^[1-9]\d{0,11}$/;

/** What an updater looks for in a folder of releases. */
export const isReleaseFile = (name: string): boolean => FILE.test(name);

/**
 * Whether it is one of this release that is worth keeping. The list of keys is not: it is short, and must be the one of now.
 */
export function isKept(name: string, version: string): boolean {
  const groups = FILE.exec(name)?.groups;
  if (groups === undefined || groups.keys !== undefined) return false;
  return groups.version === undefined || groups.version === version;
}

export interface Stated {
  /** Of the whole file. */
  readonly bytes: number;
  readonly payloadOffset: number;
  /** Of the payload, SHA-256 in hexadecimal digits. */
  readonly digest: string;
}

/** What the head of a file says of the rest; null where that is no file of this name and release. @param head its first {@link HEAD_BYTES}, or all */
export function statedIn(head: Buffer, name: string, version: string): Stated | null {
  const groups = FILE.exec(name)?.groups;
  const text = head.toString('latin1');
  const [line = '', kind, size] = HEAD_LINE.exec(text) ?? [];
  if (groups === undefined || kind !== (groups.packing ?? 'delta')) return null;
  const payloadOffset = line.length + Number(size);
  if (payloadOffset > head.length) return null;
  const manifest = new Map(
    text
      .slice(line.length, payloadOffset)
      .split('\n')
      .map((row) => [row.slice(0, row.indexOf('=')), row.slice(row.indexOf('=') + 1)]),
  );
  const part = kind === 'small' ? 'small' : 'payload';
  const bytes = manifest.get(`${part}-size`) ?? '';
  const digest = manifest.get(`${part}-sha256`) ?? '';
  const arch = groups.arch ?? groups.deltaArch;
  if (manifest.get('version') !== version || manifest.get('arch') !== arch) return null;
  return SIZE.test(bytes) && DIGEST.test(digest)
    ? { bytes: payloadOffset + Number(bytes), payloadOffset, digest }
    : null;
}
