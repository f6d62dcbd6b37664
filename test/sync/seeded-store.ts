/** A device's database with thousands of templates in it, laid there at once: learning them takes minutes. */

import { join } from 'node:path';
import { transaction } from '../../firmware/core/files/database.ts';
import { nextSid } from '../../firmware/recognition/templates/sid.ts';
import { digestOf, templateInserter, toBlob } from '../../firmware/recognition/templates/template-rows.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { madeUpJpeg } from '../made-up-jpeg.ts';
import { FakeModel } from '../recognition/support.ts';
import { seeded } from '../tools/seeded.ts';

const STORAGE_MB = 4096;
const PER_ITEM = 10;
const BEGAN = Date.UTC(2026, 0);

export interface SeededTemplates {
  readonly count: number;
  /** Of each picture. */
  readonly bytes: number;
  /** Serial number of the device that made them. */
  readonly origin: string;
}

/** The model that made them. */
export interface ModelOfTemplates {
  readonly identity: string;
  readonly dimension: number;
}

function modelOfTests(): ModelOfTemplates {
  const { identity, manifest } = new FakeModel();
  return { identity, dimension: manifest.output.dimension };
}

function unitVector(random: () => number, dimension: number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** The same for the same arguments, into a folder that no device has opened yet. */
export function seedTemplates(folder: string, { count, bytes, origin }: SeededTemplates, model = modelOfTests()): void {
  const { db } = new TemplatesFile(join(folder, 'templates.db'), STORAGE_MB, BEGAN);
  const insert = templateInserter(db);
  const random = seeded(1);
  let sid: string | null = null;
  transaction(db, () => {
    for (let number = 0; number < count; number++) {
      sid = nextSid(BEGAN + number * 1000, sid)
        .slice(0, -9)
        .padEnd(23, '0');
      const crop = madeUpJpeg(Buffer.alloc(bytes, number % 256));
      const item = `item ${Math.floor(number / PER_ITEM)}`;
      const vector = toBlob(unitVector(random, model.dimension));
      const named = { item, origin, sid, createdAt: BEGAN + number * 1000, model: model.identity, vector };
      insert(null, { ...named, crop, cropSha256: digestOf(crop) });
    }
  });
  db.close();
}
