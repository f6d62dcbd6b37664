/** A package of more parts than the oldest form of a ZIP file can count. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OpenPackage } from '../../firmware/recognition/templates/open-package.ts';
import {
  cropName,
  DIGEST_NAME,
  MANIFEST_NAME,
  TEMPLATES_NAME,
  VECTORS_NAME,
} from '../../firmware/recognition/templates/package-format.ts';
import { type Part, zipOf } from '../../firmware/recognition/templates/package-zip.ts';
import { temporaryFolder } from '../support.ts';

const many = suite('package of many parts');
const OTHERS = [TEMPLATES_NAME, VECTORS_NAME, MANIFEST_NAME, DIGEST_NAME];

function* parts(crops: number): Generator<Part> {
  for (let index = 0; index < crops; index++) yield { name: cropName(index), input: Buffer.of(index % 256) };
  for (const name of OTHERS) yield { name, input: Buffer.from('\n') };
}

for (const crops of [0, 65_532])
  many(`${crops} pictures are read, each of them`, async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'package.zip');
    await pipeline(zipOf(parts(crops)), createWriteStream(file));
    const read = await OpenPackage.open(file, Number.MAX_SAFE_INTEGER);
    assert.is(read.cropCount, crops);
    assert.is((await read.read(DIGEST_NAME)).toString(), '\n');
    if (crops > 0) assert.equal(await read.read(cropName(crops - 1)), Buffer.of((crops - 1) % 256));
    read.close();
  });

many.run();
