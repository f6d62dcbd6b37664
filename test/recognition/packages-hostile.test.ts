/** Packages that are damaged or made to do harm: always refused whole. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPackage, readCrops } from '../../firmware/recognition/templates/check-package.ts';
import { OpenPackage } from '../../firmware/recognition/templates/open-package.ts';
import { PackageError } from '../../firmware/recognition/templates/package-format.ts';
import { MAX_CROP_PIXELS } from '../../firmware/recognition/templates/template-rows.ts';
import { decodeTemplate, encodeTemplate } from '../../firmware/sync/template-format.ts';
import { atEnd, temporaryFolder } from '../support.ts';
import { everything, learnSome, type Parts, repack, samplePackage, sha256, unzip, zipOf } from './packages-support.ts';
import { startRig } from './support.ts';

const packages = suite('hostile packages');
const sample = await samplePackage();
const sampleParts = () => unzip(sample);

const folder = temporaryFolder();
packages.after(() => folder[Symbol.dispose]());
const unitVector = (): Float32Array => new Float32Array(192).fill(1 / Math.sqrt(192));
const MOST_BYTES = 10 * 1024 * 1024;

/** Everything that an import would take from a file. @throws {PackageError} */
async function contentsOf(zip: Buffer, mostBytes = MOST_BYTES): Promise<string> {
  const path = join(folder.path, 'package.zip');
  writeFileSync(path, zip);
  const parts = await OpenPackage.open(path, mostBytes);
  using _end = atEnd(() => parts.close());
  const { manifest, lines } = await checkPackage(parts);
  const crops = await readCrops(parts, { manifest, lines }, 0, lines.length);
  return JSON.stringify([lines, await parts.read('vectors.f32'), crops]);
}

const wanted = await contentsOf(sample);

async function refuses(zip: Buffer, what: string, why?: RegExp, mostBytes = MOST_BYTES): Promise<void> {
  const error = await contentsOf(zip, mostBytes).catch((cause: unknown) => cause);
  assert.instance(error, PackageError, what);
  if (why !== undefined) assert.match(String(error), why, what);
}

packages('what is refused ends in 7, and nothing of the device has changed', async () => {
  await using rig = await startRig();
  await learnSome(rig, 2, 1);
  const before = await everything(rig);
  const missing = await repack(await sampleParts(), (parts) => parts.delete('crops/000003.jpg'));
  for (const file of [Buffer.alloc(0), missing, sample.subarray(0, -1)]) {
    assert.is((await rig.importPackage(file)).status, 7);
    assert.equal(await everything(rig), before);
  }
});

/** The sample ten times over: more than lands in one commit. */
async function manyTemplates(change: (parts: Parts) => void = () => undefined): Promise<Buffer> {
  return await repack(await sampleParts(), (parts, lines) => {
    const once = lines.splice(0);
    const [vectors = Buffer.alloc(0), crops] = [
      parts.get('vectors.f32'),
      once.map((_, at) => parts.get(`crops/${String(at).padStart(6, '0')}.jpg`) ?? Buffer.alloc(0)),
    ];
    for (let copy = 0; copy < 10; copy++)
      for (const [at, line] of once.entries()) {
        parts.set(`crops/${String(lines.length).padStart(6, '0')}.jpg`, crops[at] ?? Buffer.alloc(0));
        lines.push({ ...line, sid: `${String(line.sid).slice(0, -1)}${copy}`, item: `item${lines.length % 6}` });
      }
    parts.set('vectors.f32', Buffer.concat(Array.from({ length: 10 }, () => vectors)));
    change(parts);
  });
}

packages('a picture found damaged after others have landed ends in 7, and nothing of them stays', async () => {
  await using rig = await startRig();
  await learnSome(rig, 1, 1);
  const before = await everything(rig);
  const last = 'crops/000059.jpg';
  const damaged = await manyTemplates((parts) => {
    const bytes = Buffer.from(parts.get(last) ?? '');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3);
    parts.set(last, bytes);
  });
  const { status, msg } = await rig.importPackage(damaged);
  assert.is(status, 7, msg);
  assert.match(msg, /nothing was imported: the picture of template \S+ is not the one that was exported/);
  assert.equal(await everything(rig), before);
  const whole = await rig.importPackage(await manyTemplates());
  assert.is(whole.msg, 'completed: 60 templates imported');
});

packages('what is no zip, cut short, empty or another zip is refused', async () => {
  const files: readonly (readonly [string, Buffer])[] = [
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('<html>not a package</html>')],
    ['zeros', Buffer.alloc(5000)],
    ['other zip', await zipOf([['readme.txt', Buffer.from('hello')]])],
    ['zip of nothing', await zipOf([])],
    ...[0.1, 0.5, 0.9, 0.99].map(
      (share) => [`cut at ${share}`, sample.subarray(0, Math.floor(sample.length * share))] as const,
    ),
    ['one byte short', sample.subarray(0, -1)],
  ];
  for (const [what, file] of files) await refuses(file, what);
});

packages('a picture that belongs to no template is refused', async () => {
  const more = await repack(await sampleParts(), (parts) =>
    parts.set('crops/000006.jpg', parts.get('crops/000005.jpg') ?? Buffer.alloc(0)),
  );
  await refuses(more, 'one picture more', /has 6 templates and 7 pictures, its manifest says 6/);
});

packages('names that lead elsewhere, duplicates and parts of no package are refused', async () => {
  const parts = [...(await sampleParts())];
  const hostile = ['..evil/x.jpg', 'crops/000000.jpg/', 'crops/0.jpg', '__proto__', 'CON', 'Crops/000000.jpg'];
  for (const name of hostile.filter((each) => !each.endsWith('/'))) {
    await refuses(await zipOf([...parts, [name, Buffer.from('x')]]), name, /does not belong there/);
  }
  const [crop] = parts.filter(([name]) => name === 'crops/000000.jpg');
  if (crop === undefined) throw new Error('the sample has no crop');
  await refuses(await zipOf([...parts, crop]), 'duplicate', /twice/);
  // yazl refuses to write them, so the names are put into a finished zip, in both places where they stand
  for (const name of ['../../../a.txt', '/etc/passwd0001', 'C:/windows/a.jpg', 'crops\\000000.jpg']) {
    const harmless = 'x'.repeat(name.length);
    const zip = await zipOf([...parts, [harmless, Buffer.from('x')]]);
    for (let at = zip.indexOf(harmless); at >= 0; at = zip.indexOf(harmless)) zip.write(name, at, 'latin1');
    await refuses(zip, name);
  }
});

packages('bombs are refused by what they declare, and by what they really unpack to', async () => {
  const SMALL_BYTES = 1024 * 1024;
  const zeros = Buffer.alloc(3 * SMALL_BYTES);
  const declared = await repack(await sampleParts(), (parts) => parts.set('vectors.f32', zeros));
  assert.ok(declared.length < SMALL_BYTES);
  await refuses(declared, 'declared', /unpacks to more than/, SMALL_BYTES);
  const [first = Buffer.alloc(0)] = [(await sampleParts()).get('crops/000000.jpg')];
  const large = await repack(await sampleParts(), (parts) =>
    parts.set('crops/000000.jpg', Buffer.concat([first, zeros.subarray(0, 600_000)])),
  );
  await refuses(large, 'large crop', /larger than it may be/, SMALL_BYTES);
  // the table of contents says that the vectors are small; they are not
  const lying = await repack(await sampleParts(), (parts) => parts.set('vectors.f32', zeros));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(zeros.length);
  for (let at = lying.indexOf(size); at >= 0; at = lying.indexOf(size)) lying.writeUInt32LE(1000, at);
  await refuses(lying, 'lying about its size', undefined, SMALL_BYTES);
});

packages('contents that do not fit are refused even where every checksum fits', async () => {
  const cases: readonly [string, (parts: Parts, lines: Record<string, unknown>[]) => void][] = [
    ['id with a control character', (_, lines) => Object.assign(lines[0] ?? {}, { item: 'a\u0007' })],
    ['empty id', (_, lines) => Object.assign(lines[0] ?? {}, { item: '' })],
    ['id of 65', (_, lines) => Object.assign(lines[0] ?? {}, { item: 'x'.repeat(65) })],
    ['half a character', (_, lines) => Object.assign(lines[0] ?? {}, { item: 'a\ud800' })],
    ['sid of letters', (_, lines) => Object.assign(lines[0] ?? {}, { sid: 'center' })],
    ['same key twice', (_, lines) => Object.assign(lines[0] ?? {}, { sid: lines[1]?.sid })],
    ['wrong dimension', (_, lines) => Object.assign(lines[0] ?? {}, { dimension: 1 })],
    ['missing line', (_, lines) => lines.pop()],
    ['vector of zeros', (parts) => parts.get('vectors.f32')?.fill(0, 0, 768)],
    ['vector not finite', (parts) => parts.get('vectors.f32')?.writeFloatLE(Number.NaN, 0)],
    ['missing crop', (parts) => parts.delete('crops/000003.jpg')],
    ['missing vectors', (parts) => parts.delete('vectors.f32')],
    [
      'crop that is no JPEG',
      (parts, lines) => {
        const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
        parts.set('crops/000000.jpg', text);
        Object.assign(lines[0] ?? {}, { cropBytes: text.length, cropSha256: sha256(text) });
      },
    ],
  ];
  for (const [what, change] of cases) await refuses(await repack(await sampleParts(), change), what);
});

packages('a manifest that is not the one of its digest is refused, though everything else fits', async () => {
  const parts = await sampleParts();
  const manifest = { ...JSON.parse(String(parts.get('manifest.json'))), serial: 'CHANGED1' };
  parts.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  await refuses(await zipOf(parts), 'changed', /manifest.json is not the one that manifest.sha256 names/);
  parts.set('manifest.sha256', Buffer.from(sha256(parts.get('manifest.json') ?? Buffer.alloc(0))));
  await contentsOf(await zipOf(parts)); // with its digest it is taken
});

packages('a picture has as many pixels as a template may have, and not one row more', async () => {
  const side = Math.sqrt(MAX_CROP_PIXELS);
  const sized = async (height: number) => {
    const crop = await sharp({ create: { width: side, height, channels: 3, background: '#507090' } })
      .jpeg()
      .toBuffer();
    return await repack(await sampleParts(), (parts, lines) => {
      parts.set('crops/000000.jpg', crop);
      Object.assign(lines[0] ?? {}, { cropBytes: crop.length, cropSha256: sha256(crop) });
    });
  };
  await refuses(await sized(side + 1), 'one row more', /no JPEG of a template/);
  await contentsOf(await sized(side));
});

/** The head of a picture, up to its pixels, and something else. */
const headOf = (picture: Buffer, rest: Buffer): Buffer =>
  Buffer.concat([picture.subarray(0, picture.indexOf(Buffer.from([0xff, 0xda])) + 14), rest]);
const rubbishBehind = (picture: Buffer): Buffer =>
  headOf(picture, Buffer.concat(Array.from({ length: 100 }, (_, at) => createHash('sha256').update(`${at}`).digest())));

packages('a vector of our model with another length is refused, by the package and by the store', async () => {
  const [{ model, dimension } = { model: '', dimension: 0 }] = String((await sampleParts()).get('templates.jsonl'))
    .split('\n')
    .map((line) => JSON.parse(line || '{}'));
  const short = await repack(await sampleParts(), (parts, lines) => {
    const vectors = parts.get('vectors.f32') ?? Buffer.alloc(0);
    const one = Buffer.from(new Float32Array([1]).buffer);
    parts.set('vectors.f32', Buffer.concat([one, vectors.subarray(4 * dimension)]));
    Object.assign(lines[0] ?? {}, { dimension: 1 });
  });
  await using rig = await startRig();
  const { status, msg } = await rig.importPackage(short);
  assert.is(status, 7, msg);
  assert.match(msg, `its vector has 1 numbers, and those of ${model} have others`);
  const { exchange } = rig.recognition;
  const vectorOf = (numbers: number) => new Uint8Array(4 * numbers);
  assert.equal(
    [exchange.isMisfit({ model, vector: vectorOf(1) }), exchange.isMisfit({ model, vector: vectorOf(dimension) })],
    [true, false],
  );
  assert.not(exchange.isMisfit({ model: 'of another release', vector: vectorOf(1) }));
});

packages('what no template holds is refused in a package and from a device of store or chain', async () => {
  const [vector, picture] = [unitVector(), (await sampleParts()).get('crops/000000.jpg') ?? Buffer.alloc(0)];
  const large = await sharp({ create: { width: 2048, height: 1024, channels: 3, background: '#507090' } })
    .jpeg()
    .toBuffer();
  const cases: readonly (readonly [string, Float32Array, Buffer, RegExp | null])[] = [
    ['nothing is wrong', vector, picture, null],
    ['longer', vector.map((value) => 6 * value), picture, /vector .*not of length 1/],
    ['zeros', vector.map(() => 0), picture, /vector .*not of length 1/],
    ['no number', vector.with(3, Number.NaN), picture, /vector .*not of length 1/],
    ['no picture', vector, Buffer.from([0xff, 0xd8, 0x3c, 0x68]), /no JPEG of a template/],
    ['a picture of no template', vector, large, /no JPEG of a template/],
    ['a head and rubbish', vector, rubbishBehind(picture), /no JPEG of a template/],
    ['a head and rubbish without markers', vector, headOf(picture, Buffer.alloc(2000, 0x3c)), /no JPEG of a template/],
    ['a picture that was cut short', vector, picture.subarray(0, -2), /no JPEG of a template/],
  ];
  for (const [what, values, crop, why] of cases) {
    const bytes = Buffer.from(values.buffer);
    const zip = await repack(await sampleParts(), (parts, lines) => {
      bytes.copy(parts.get('vectors.f32') ?? bytes);
      parts.set('crops/000000.jpg', crop);
      Object.assign(lines[0] ?? {}, { cropBytes: crop.length, cropSha256: sha256(crop) });
    });
    const ref = { item: '7', origin: 'S2', sid: '20260101000000000000001' };
    const cropSha256 = createHash('sha256').update(crop).digest();
    const message = encodeTemplate({ ...ref, createdAt: 1, model: 'm', vector: bytes, crop, cropSha256 });
    if (why === null) {
      await contentsOf(zip);
      decodeTemplate(message, ref);
    } else {
      await refuses(zip, what, why);
      assert.throws(() => decodeTemplate(message, ref), why, what);
    }
  }
});

packages('a package of another format or a newer version is refused with a sentence', async () => {
  for (const change of [{ version: 2 }, { format: 'something' }]) {
    const parts = await sampleParts();
    const manifest = Buffer.from(JSON.stringify({ ...JSON.parse(String(parts.get('manifest.json'))), ...change }));
    parts.set('manifest.json', manifest).set('manifest.sha256', Buffer.from(sha256(manifest)));
    await refuses(await zipOf(parts), JSON.stringify(change), /manifest.json: (version|format)/);
  }
});

packages('a flipped bit is refused, or changes nothing of what would be imported', async () => {
  let refused = 0;
  const place = fc.nat(sample.length - 1);
  // the ends of a zip decide most: they are looked at as often as the long middle
  const end = fc.integer({ min: sample.length - 900, max: sample.length - 1 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(place, end), fc.nat(7), async (at, bit) => {
      const flipped = Buffer.from(sample);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      const found = await contentsOf(flipped).catch((error: unknown) => {
        if (error instanceof PackageError) return null;
        throw error;
      });
      if (found === null) refused += 1;
      else assert.is(found, wanted, `byte ${at}, bit ${bit}`);
    }),
    { numRuns: 400 },
  );
  assert.ok(refused > 100, `only ${refused} of 400 were refused`);
});

packages.run();
