/**
 * The marker structure of a JPEG file (ITU-T T.81, annex B): the picture's size, the start of its pixels, whether the
 * file is whole, and two habits of phones and cameras that a strict decoder refuses. Segments are skipped by their
 * length, so that a thumbnail inside an EXIF segment is never taken for the picture.
 */

export const SOI = 0xd8;
export const EOI = 0xd9;
const SOS = 0xda;
/** How a JPEG file begins: SOI and the first byte of another marker. */
export const START = Buffer.from([0xff, SOI, 0xff]);
/**
 * The start of the next file, read as a length: the file was cut just before a segment's length. No real segment has this
 * length.
 */
const CUT_LENGTH = 0xffd8;
/** APP0 to APP15 and COM may hold a thumbnail. Any other segment that holds the start of a JPEG was cut short. */
const mayHoldPicture = (code: number) => (code >= 0xe0 && code <= 0xef) || code === 0xfe;
/** The frame header of a baseline JPEG. */
const SOF0 = 0xc0;
const LAST_OF_SPECTRUM = 63;
const TEM = 0x01;
const FIRST_RST = 0xd0;
const LAST_RST = 0xd7;
/** SOF0 to SOF15, without the three codes of that range that are no frame header (DHT, JPG, DAC). */
const isFrameHeader = (code: number) => code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;

export interface JpegSize {
  readonly width: number;
  readonly height: number;
}

/** One step of a walk through the segments; offsets are absolute in the given buffer. */
export type Step =
  | { readonly kind: 'segment'; readonly end: number; readonly frame?: JpegSize; readonly isBaseline?: boolean }
  | { readonly kind: 'scan'; readonly end: number }
  /** Not enough bytes yet. */
  | { readonly kind: 'more' }
  /** No JPEG, or one that ends before its pixels. */
  | { readonly kind: 'invalid' };

const MORE: Step = Object.freeze({ kind: 'more' });
const INVALID: Step = Object.freeze({ kind: 'invalid' });

/** Reads the marker (and segment) at `at`, which is just after SOI or after another segment; reads up to `limit`. */
export function readSegment(bytes: Buffer, at: number, limit: number): Step {
  if (at >= limit) return MORE;
  if (bytes[at] !== 0xff) return INVALID;
  let position = at + 1;
  while (position < limit && bytes[position] === 0xff) position++; // fill bytes are allowed before a marker
  if (position >= limit) return MORE;
  const code = bytes[position] ?? 0;
  position++;
  if (code <= TEM || code === SOI || code === EOI || (code >= FIRST_RST && code <= LAST_RST)) return INVALID;
  if (position + 2 > limit) return MORE;
  const length = bytes.readUInt16BE(position);
  const end = position + length;
  if (length < 2 || length === CUT_LENGTH) return INVALID;
  if (mayHoldPicture(code)) return { kind: 'segment', end };
  // one byte more: the next file may begin two bytes before the end, and START has three
  if (end + 1 > limit) return MORE;
  if (bytes.subarray(position, end + 1).includes(START)) return INVALID;
  if (isFrameHeader(code)) return readFrameHeader(bytes, position, end);
  if (code === SOS) return readScanHeader(bytes, position, end);
  return { kind: 'segment', end };
}

/** length(2) precision(1) height(2) width(2) components(1) */
function readFrameHeader(bytes: Buffer, at: number, end: number): Step {
  if (end < at + 8) return INVALID;
  const height = bytes.readUInt16BE(at + 3);
  const width = bytes.readUInt16BE(at + 5);
  if (width === 0 || height === 0 || bytes[at + 7] === 0) return INVALID;
  return { kind: 'segment', end, frame: { width, height }, isBaseline: bytes[at - 1] === SOF0 };
}

/**
 * length(2) components(1) two bytes for each, first(1) last(1) bits(1): the last byte is 255 only where the file was
 * cut.
 */
function readScanHeader(bytes: Buffer, at: number, end: number): Step {
  const components = bytes[at + 2] ?? 0;
  if (components === 0 || end - at !== 6 + 2 * components || bytes[end - 1] === 0xff) return INVALID;
  return { kind: 'scan', end };
}

/** Where the header of a whole file's first scan ends, and whether the file is a baseline JPEG; null without a scan. */
function scanOf(bytes: Buffer): { readonly end: number; readonly isBaseline: boolean } | null {
  let isBaseline = false;
  let step = readSegment(bytes, 2, bytes.length);
  while (step.kind === 'segment') {
    isBaseline ||= step.isBaseline === true;
    step = readSegment(bytes, step.end, bytes.length);
  }
  return step.kind === 'scan' ? { end: step.end, isBaseline } : null;
}

/** Sets the spectrum's end of a baseline scan, which always has the whole spectrum: some phones (Samsung) write 0 there. */
export function withWholeSpectrum(bytes: Buffer): Buffer {
  const { end, isBaseline } = scanOf(bytes) ?? { end: 0, isBaseline: false };
  if (!isBaseline || bytes[end - 3] !== 0 || bytes[end - 2] !== 0) return bytes;
  const mended = Buffer.from(bytes);
  mended[end - 2] = LAST_OF_SPECTRUM;
  return mended;
}

/** Whether a file with one scan has restart markers, in their order from 0 to 7, and an end marker. */
export function hasRestartsInOrder(bytes: Buffer): boolean {
  let restarts = 0;
  for (let at = bytes.indexOf(0xff, scanOf(bytes)?.end ?? bytes.length); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1] ?? 0;
    if (code === EOI) return restarts > 0;
    if (code === 0 || code === 0xff) continue;
    if (code !== FIRST_RST + (restarts % 8)) return false;
    restarts += 1;
  }
  return false;
}

/** DQT: without quantisation tables no pixels can be decoded. */
const QUANTISATION = 0xdb;

/** Where the next marker after a scan's pixels begins; -1 where the bytes end before one. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1] ?? 0;
    const isOfScan = code === 0 || code === 0xff || (code >= FIRST_RST && code <= LAST_RST);
    if (!isOfScan) return at;
  }
  return -1;
}

/** Whether a file has the markers of a whole JPEG, from its tables to its end. Its pixels are not decoded. */
export function isWholeJpeg(bytes: Buffer): boolean {
  if (!beginsAsJpeg(bytes)) return false;
  let [hasTables, hasScan] = [false, false];
  for (let at = 2; ; ) {
    if (hasScan && bytes[at] === 0xff && bytes[at + 1] === EOI) return hasTables;
    const step = readSegment(bytes, at, bytes.length);
    if (step.kind !== 'segment' && step.kind !== 'scan') return false;
    hasTables ||= bytes[at + 1] === QUANTISATION;
    hasScan ||= step.kind === 'scan';
    at = step.kind === 'scan' ? endOfScan(bytes, step.end) : step.end;
    if (at < 0) return false;
  }
}

/** Whether these bytes begin as a JPEG file does. */
export function beginsAsJpeg(bytes: Uint8Array): boolean {
  return START.equals(bytes.subarray(0, START.length));
}

/** The size in a whole JPEG file's header; null where there is none. */
export function readJpegSize(bytes: Buffer): JpegSize | null {
  if (!beginsAsJpeg(bytes)) return null;
  for (let at = 2; ; ) {
    const step = readSegment(bytes, at, bytes.length);
    if (step.kind !== 'segment') return null;
    if (step.frame !== undefined) return step.frame;
    at = step.end;
  }
}
