/**
 * Sound of 16 bit PCM, mono, in a WAV file: what a voice is recorded in, and what is played. Every other kind is
 * refused, and so is a file whose header says other lengths than it has, as a program leaves it that was cut off.
 * Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, "Waveform Audio File Format".
 */

import { CodedError } from '../../../drivers/lib/errors.ts';

const HEADER_BYTES = 44;
const PCM = 1;
const BYTES_OF_SAMPLE = 2;
const CHUNK_HEADER = 8;
const FORMAT_BYTES = 16;

export interface Sound {
  /** Samples a second. */
  readonly rate: number;
  readonly samples: Int16Array;
}

export type WavFault = 'empty' | 'not-wav' | 'cut' | 'kind';

/** A file that is no such sound: what it has, and what is wanted. */
export class WavError extends CodedError<WavFault> {
  readonly has: string;
  readonly wanted: string;

  constructor(code: WavFault, has: string, wanted: string) {
    super(code, `${has}; wanted: ${wanted}`);
    this.has = has;
    this.wanted = wanted;
  }
}

const KINDS: Readonly<Record<number, string>> = {
  3: 'floating-point',
  6: 'A-law',
  7: 'µ-law',
  85: 'MP3',
  65534: 'extensible',
};
const WANTED = '16 bit PCM, mono';
const WHOLE = 'a whole WAV file: export it anew';

/** Where the content of each chunk lies, by its name. */
function chunksOf(file: Buffer): ReadonlyMap<string, Buffer> {
  if (
    file.length < HEADER_BYTES ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, 12) !== 'WAVE'
  )
    throw file.length === 0 ? new WavError('empty', '0 bytes', WHOLE) : new WavError('not-wav', 'no WAV file', WANTED);
  const said = file.readUInt32LE(4) + CHUNK_HEADER;
  if (said !== file.length)
    throw new WavError('cut', `${file.length} bytes of the ${said} that its header names`, WHOLE);
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + CHUNK_HEADER <= file.length; ) {
    const name = file.toString('latin1', at, at + 4).replaceAll(/[^ -~]/g, '?');
    const [from, length] = [at + CHUNK_HEADER, file.readUInt32LE(at + 4)];
    if (from + length > file.length)
      throw new WavError('cut', `${file.length - from} bytes of the ${length} that "${name}" names`, WHOLE);
    if (!chunks.has(name)) chunks.set(name, file.subarray(from, from + length));
    at = from + length + (length % 2);
  }
  return chunks;
}

/** The sound of a file, in a copy. Throws a {@link WavError} for all but 16 bit PCM, mono. */
export function readWav(file: Buffer): Sound {
  const chunks = chunksOf(file);
  const [format, data] = [chunks.get('fmt '), chunks.get('data')];
  if (format === undefined || format.length < FORMAT_BYTES) throw new WavError('cut', 'no format', WHOLE);
  if (data === undefined) throw new WavError('cut', 'no sound', WHOLE);
  const [kind, channels, rate, bits] = [0, 2, 4, 14].map((at) =>
    at === 4 ? format.readUInt32LE(at) : format.readUInt16LE(at),
  ) as [number, number, number, number];
  if (kind !== PCM || bits !== 8 * BYTES_OF_SAMPLE || channels !== 1) {
    const sound = kind === PCM ? 'PCM' : (KINDS[kind] ?? `format ${kind}`);
    throw new WavError('kind', `${bits} bit ${sound}, ${channels === 1 ? 'mono' : `${channels} channels`}`, WANTED);
  }
  if (data.length % BYTES_OF_SAMPLE !== 0) throw new WavError('cut', 'half a sample at its end', WHOLE);
  // little-endian, as every board
  return { rate, samples: new Int16Array(Uint8Array.from(data).buffer) };
}

/** A whole file of this sound. */
export function writeWav({ rate, samples }: Sound): Buffer {
  const bytes = samples.length * BYTES_OF_SAMPLE;
  const file = Buffer.alloc(HEADER_BYTES + bytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - CHUNK_HEADER, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(FORMAT_BYTES, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * BYTES_OF_SAMPLE, 28);
  file.writeUInt16LE(BYTES_OF_SAMPLE, 32);
  file.writeUInt16LE(8 * BYTES_OF_SAMPLE, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(bytes, 40);
  file.set(new Uint8Array(samples.buffer, samples.byteOffset, bytes), HEADER_BYTES);
  return file;
}
