/** A folder of pictures that items are described with: each file bears the id or the PLU of an item of the table. */
import { readdirSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { ItemEntry } from '../../../firmware/recognition/items/item.ts';
import { MAX_PICTURE_BYTES } from '../../../firmware/recognition/items/item-limits.ts';
import { keptPicture } from '../../../firmware/recognition/items/item-picture.ts';
import { readPlainFile } from '../../../firmware/store/plain-file.ts';
import { ChainFailure, troubleWith } from '../failures.ts';

const ENDINGS: ReadonlySet<string> = new Set(['.jpg', '.jpeg']);

/** By the id of the item, as a store keeps them. */
export type Pictures = ReadonlyMap<string, Uint8Array>;

/** @throws {ChainFailure} which names each file that does not fit */
export async function picturesIn(folder: string, entries: readonly ItemEntry[]): Promise<Pictures> {
  const ids = new Set(entries.map(({ id }) => id));
  const byPlu = Map.groupBy(entries, ({ plu }) => plu);
  const pictures = new Map<string, Uint8Array>();
  const faults: string[] = [];
  for (const name of filesIn(folder)) {
    const stem = parse(name).name.normalize('NFC');
    const items = ids.has(stem) ? [stem] : (byPlu.get(stem) ?? []).map(({ id }) => id);
    const [item = ''] = items;
    try {
      if (!ENDINGS.has(extname(name).toLowerCase())) throw new Error('its name must end in .jpg or .jpeg');
      if (items.length === 0) throw new Error('no item of the table has this id or PLU');
      if (items.length > 1) throw new Error(`the items ${items.join(', ')} have this PLU: name it by an id`);
      if (pictures.has(item)) throw new Error(`another file is a picture of the item ${item}`);
      pictures.set(item, await keptPicture(readPlainFile(join(folder, name), MAX_PICTURE_BYTES)));
    } catch (error) {
      faults.push(`${join(folder, name)}: ${messageOf(error)}`);
    }
  }
  if (faults.length > 0) throw new ChainFailure(`${faults.join('\n')}\nnothing was put down`);
  return pictures;
}

/** What a system has hidden there is no picture. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch (error) {
    throw new ChainFailure(troubleWith(folder, error), { cause: error });
  }
}
