/** The parts of a workbook: XML files in a ZIP archive, read in pieces and within limits. */
import { posix } from 'node:path';
import { TextDecoder } from 'node:util';
import sax, { type Tag } from 'sax';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { TableError } from './cells.ts';

export const damaged = (message?: string): TableError => new TableError('workbook', message);

const MOST_PARTS = 1000;
export const MIB = 1024 * 1024;
/** Limits of unpacked parts: sheets, counted together, are read as a stream; other parts are kept in memory. */
const SHEETS_BYTES = 128 * MIB;
export const OTHER_BYTES = MIB;

/** Deepest nesting of elements; a workbook has eight. */
const DEEPEST = 32;
const MOST_ATTRIBUTES = 256;

export const local = (name: string): string => name.slice(name.indexOf(':') + 1);

const DECLARED = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/;
/** Bytes that a declaration takes at the most. */
const DECLARATION_BYTES = 256;

/**
 * The decoder of a part: by its byte order mark, else by what it declares (XML 1.0, appendix F).
 * @throws {TableError} for an encoding that is not known
 */
function decoderOf(first: Uint8Array): TextDecoder {
  const [one = 0, two = 0] = first;
  if ((one === 0xff && two === 0xfe) || (one === 0x3c && two === 0)) return new TextDecoder('utf-16le');
  if ((one === 0xfe && two === 0xff) || (one === 0 && two === 0x3c)) return new TextDecoder('utf-16be');
  const beginning = Buffer.from(first.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const [, declared = 'utf-8'] = DECLARED.exec(beginning) ?? [];
  if (/^utf-?16/i.test(declared)) return new TextDecoder(); // its bytes show that it is not UTF-16
  try {
    return new TextDecoder(declared);
  } catch (cause) {
    throw new TableError('workbook', 'is a workbook in an encoding that is not known: save it again as .xlsx', null, {
      cause,
    });
  }
}

/** Receives the elements of a part. */
export interface Elements {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

export class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Bytes left for sheets: many sheets may share one part. */
  #leftBytes = SHEETS_BYTES;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(bytes: Uint8Array): Promise<Parts> {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
    });
    if (zip.entryCount > MOST_PARTS) throw damaged(`has more than ${MOST_PARTS} parts`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
    return new Parts(zip, entries);
  }

  /**
   * Reads a part, and yields the size of each piece after its elements were handed over; nothing for a missing part. A
   * part with more bytes than it states is damaged.
   */
  async *read(name: string, most: number, elements: Elements): AsyncGenerator<number> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return;
    if (entry.uncompressedSize > most) throw damaged(`unpacks to more than ${most} bytes`);
    // the parser needs its position to notice a name, a comment or an attribute without end
    const xml = sax.parser(true, { position: true });
    let depth = 0;
    let attributes = 0;
    xml.onerror = (error) => {
      throw error;
    };
    xml.onattribute = () => {
      attributes += 1;
      if (attributes > MOST_ATTRIBUTES) throw damaged('has an element with too many attributes');
    };
    xml.ondoctype = () => {
      throw damaged('declares entities, which no workbook does');
    };
    xml.onopentag = (tag) => {
      attributes = 0;
      depth += 1;
      if (depth > DEEPEST) throw damaged('has elements too deep within each other');
      elements.open?.(local(tag.name), (tag as Tag).attributes); // the parser was made without namespaces
    };
    xml.onclosetag = (tag) => {
      depth -= 1;
      elements.close?.(local(tag));
    };
    xml.ontext = (text) => elements.text?.(text);
    xml.oncdata = (text) => elements.text?.(text);
    let decoder: TextDecoder | null = null;
    for await (const piece of await this.#zip.openReadStreamPromise(entry)) {
      decoder ??= decoderOf(piece);
      xml.write(decoder.decode(piece, { stream: true }));
      yield piece.length;
    }
    xml.write(decoder?.decode() ?? '');
    xml.close();
  }

  async *readSheet(name: string, elements: Elements): AsyncGenerator<void> {
    for await (const bytes of this.read(name, SHEETS_BYTES, elements)) {
      this.#leftBytes -= bytes;
      if (this.#leftBytes < 0) throw damaged(`unpacks to more than ${SHEETS_BYTES} bytes (its sheets)`);
      yield;
    }
  }

  /** The stated unpacked size of a part. */
  sizeOf(name: string): number {
    return this.#entries.get(name.toLowerCase())?.uncompressedSize ?? 0;
  }

  async readWhole(name: string, most: number, elements: Elements): Promise<void> {
    for await (const _ of this.read(name, most, elements));
  }

  /** Parts that a part refers to, by id, each with the end of its type. @param part empty for the whole workbook */
  async related(part: string): Promise<Map<string, { readonly type: string; readonly part: string }>> {
    const [folder, name] = [posix.dirname(part), posix.basename(part)];
    const found = new Map<string, { type: string; part: string }>();
    await this.readWhole(posix.join(folder, '_rels', `${name}.rels`), OTHER_BYTES, {
      open: (element, { Id = '', Type = '', Target = '' }) => {
        if (element !== 'Relationship') return;
        found.set(Id, {
          type: posix.basename(Type),
          part: posix.resolve('/', folder, Target.replaceAll('\\', '/')).slice(1),
        });
      },
    });
    return found;
  }
}
