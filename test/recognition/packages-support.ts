/** Packages for the tests: made by a device, taken apart, changed and put together again. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { picture, type Rig, startRig } from './support.ts';

export type Parts = Map<string, Buffer>;

export async function unzip(zip: Buffer): Promise<Parts> {
  const parts: Parts = new Map();
  const file = await fromBufferPromise(zip);
  for await (const entry of file.eachEntry()) {
    parts.set(entry.fileName, await buffer(await file.openReadStreamPromise(entry)));
  }
  return parts;
}

export async function zipOf(parts: Iterable<readonly [string, Buffer]>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name);
  zip.end();
  return await buffer(zip.outputStream);
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A package whose checksums fit what was made of its parts: only the contents can be found fault with. */
export async function repack(parts: Parts, change: (parts: Parts, lines: Record<string, unknown>[]) => void) {
  const lines = String(parts.get('templates.jsonl')).trim().split('\n').filter(Boolean);
  const templates: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
  change(parts, templates);
  const text = Buffer.from(templates.map((template) => `${JSON.stringify(template)}\n`).join(''));
  parts.set('templates.jsonl', text);
  const vectors = parts.get('vectors.f32') ?? Buffer.alloc(0);
  const manifest = JSON.parse(String(parts.get('manifest.json')));
  manifest.count = templates.length;
  manifest.parts = {
    'templates.jsonl': { bytes: text.length, sha256: sha256(text) },
    'vectors.f32': { bytes: vectors.length, sha256: sha256(vectors) },
  };
  const bytes = Buffer.from(JSON.stringify(manifest));
  parts.set('manifest.json', bytes);
  parts.set('manifest.sha256', Buffer.from(sha256(bytes)));
  return await zipOf(parts);
}

export async function learnSome(rig: Rig, items = 3, each = 2): Promise<void> {
  for (let item = 0; item < items; item++) {
    for (let variant = 0; variant < each; variant++) await rig.learn(`item${item}`, await picture(item, variant));
  }
}

/** A package of three items with two templates each, of another device. */
export async function samplePackage(): Promise<Buffer> {
  await using rig = await startRig({ serial: 'OTHER001' });
  await learnSome(rig);
  return await rig.exportPackage();
}

export async function everything(rig: Rig) {
  const { body } = await rig.get('/api/get_item_list');
  const sids = body.data.map(({ id }: { id: string }) => rig.recognition.templates.reader.sidsOf(id));
  return { items: body.data, sids };
}
