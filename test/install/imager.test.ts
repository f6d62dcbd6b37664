/** The repository for Raspberry Pi Imager: of the form that Imager documents, with the true sizes and digests of the files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { ended, MADE, NEW, NO_RELEASES, REFUSED, Rig, USAGE } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';

const imager = suiteNeeding(NO_RELEASES ?? missingPrograms('xz'), 'the repository for Raspberry Pi Imager');
/** On any machine. */
const PI = { arch: 'arm64' };
const URL_OF_FILES = 'https://lanes.example/images/';

/** After doc/json-schema/os-list-schema.json and doc/schema-notes.md of raspberrypi/rpi-imager. */
const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Entry = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    description: Type.String({ minLength: 1 }),
    icon: Type.String({ pattern: '^https://.*\\.(svg|png)$' }),
    url: Type.String({ pattern: '^https://.*\\.(zip|gz|xz)$' }),
    extract_size: Type.Integer({ minimum: 1 }),
    extract_sha256: Digest,
    image_download_size: Type.Integer({ minimum: 1 }),
    image_download_sha256: Digest,
    release_date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    devices: Type.Array(Type.Enum(['pi3-64bit', 'pi4-64bit', 'pi5-64bit']), { minItems: 1, uniqueItems: true }),
    architecture: Type.Literal('armv8'),
    init_format: Type.Enum(['none', 'systemd', 'cloudinit', 'cloudinit-rpi']),
  },
  { additionalProperties: false },
);
const OsList = Type.Object(
  { os_list: Type.Array(Entry, { minItems: 1, maxItems: 1 }) },
  { additionalProperties: false },
);

const rig = new Rig();
const folder = mkdtempSync(join(tmpdir(), 'laneware-imager-'));
const IMAGE = join(folder, 'lane.img.xz');
/** Mostly nothing, as a card is; the digests below are of what was put in, and not of what xz takes out. */
const CONTENT = Buffer.concat([randomBytes(70_000), Buffer.alloc(3_000_000), randomBytes(5)]);
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const run = (...args: string[]) => spawnSync(join(PROJECT, 'scripts/release/imager.sh'), args, { encoding: 'utf8' });
const make = (out: string, release: string, ...more: string[]) =>
  run('--image', IMAGE, '--release', release, '--url', URL_OF_FILES, '--out', out, ...more);

function listIn(out: string): Static<typeof Entry> {
  const list: unknown = JSON.parse(readFileSync(join(out, 'rpi-imager.json'), 'utf8'));
  assert.equal([...Value.Errors(OsList, list)], []);
  assert.ok(Value.Check(OsList, list));
  const [entry] = list.os_list;
  assert.ok(entry !== undefined);
  return entry;
}

imager.before(() => {
  writeFileSync(join(folder, 'lane.img'), CONTENT);
  execFileSync('xz', ['--keep', '--threads=2', join(folder, 'lane.img')]);
});
imager.after(() => {
  rig.close();
  rmSync(folder, { recursive: true, force: true });
});

imager('names the image, its sizes and its digests as they are', () => {
  const out = join(folder, 'any');
  const { stderr } = ended(0, make(out, rig.release(PI)));
  const packed = readFileSync(IMAGE);
  assert.equal(listIn(out), {
    name: `Laneware ${NEW}`,
    description: listIn(out).description,
    icon: `${URL_OF_FILES}laneware.svg`,
    url: `${URL_OF_FILES}lane.img.xz`,
    extract_size: CONTENT.length,
    extract_sha256: digest(CONTENT),
    image_download_size: packed.length,
    image_download_sha256: digest(packed),
    release_date: new Date(MADE * 1000).toISOString().slice(0, 10),
    devices: ['pi5-64bit', 'pi4-64bit', 'pi3-64bit'],
    architecture: 'armv8',
    init_format: 'none',
  });
  assert.match(readFileSync(join(out, 'laneware.svg'), 'utf8'), /^<svg .*width="40" height="40"/);
  assert.match(stderr, `rpi-imager --repo ${URL_OF_FILES}rpi-imager.json`);
});

imager('the files lie beside the image where no folder is named', () => {
  ended(0, run('--image', IMAGE, '--release', rig.release(PI), '--url', URL_OF_FILES.slice(0, -1)));
  assert.is(listIn(folder).url, `${URL_OF_FILES}lane.img.xz`);
});

for (const [boards, devices] of [
  ['raspberrypi,4-model-b', ['pi4-64bit']],
  ['raspberrypi,400 raspberrypi,5-model-b', ['pi5-64bit', 'pi4-64bit']],
  ['raspberrypi,3-model-b-plus', ['pi3-64bit']],
] as const)
  imager(`a release for ${boards} is offered to its boards alone`, () => {
    const out = mkdtempSync(join(folder, 'boards-'));
    ended(0, make(out, rig.release({ ...PI, boards })));
    assert.equal(listIn(out).devices, [...devices]);
  });

imager('the format of Imager’s questions follows the option', () => {
  for (const format of ['none', 'systemd', 'cloudinit', 'cloudinit-rpi'] as const) {
    const out = mkdtempSync(join(folder, 'format-'));
    assert.is(make(out, rig.release(PI), '--init-format', format).status, 0);
    assert.is(listIn(out).init_format, format);
  }
});

for (const [what, code, args] of [
  ['a format that Imager does not know', USAGE, ['--init-format', 'system-d']],
  ['an address that anybody on the way can change', REFUSED, ['--url', 'http://lanes.example/']],
  ['an address that would end the text that it stands in', REFUSED, ['--url', 'https://lanes.example/"x']],
  ['an image that is not packed', REFUSED, ['--image', join(folder, 'lane.img')]],
  ['a release that is none', REFUSED, ['--release', IMAGE]],
] as const)
  imager(`makes nothing of ${what}`, () => {
    const out = join(folder, 'nothing');
    ended(code, make(out, rig.release(PI), ...args));
    assert.not.ok(existsSync(out) && readdirSync(out).length > 0);
  });

imager('a PC is no board of Imager’s', () => {
  const out = join(folder, 'nothing');
  assert.match(ended(REFUSED, make(out, rig.release({ arch: 'x64' }))).stderr, 'is for no Raspberry Pi');
  assert.not.ok(existsSync(join(out, 'rpi-imager.json')));
});

imager('a release for boards unknown to Imager, or with a truncated image, makes nothing', () => {
  const out = join(folder, 'nothing');
  ended(REFUSED, make(out, rig.release({ ...PI, boards: 'pine64,rockpro64' })));
  const cut = join(folder, 'cut.img.xz');
  writeFileSync(cut, readFileSync(IMAGE).subarray(0, 60_000));
  ended(REFUSED, make(out, rig.release(PI), '--image', cut));
  assert.not.ok(existsSync(join(out, 'rpi-imager.json')));
});

const bash = (script: string, ...args: string[]) =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', script, 'bash', ...args], { cwd: join(PROJECT, 'scripts/release') });

for (const [format, files] of [
  ['none', []],
  ['systemd', ['usr/lib/raspberrypi-sys-mods/imager_custom']],
  ['cloudinit', ['usr/bin/cloud-init', 'usr/lib/raspberrypi-sys-mods/imager_custom']],
  ['cloudinit-rpi', ['usr/bin/cloud-init', 'var/lib/dpkg/info/rpi-cloud-init-mods.list']],
] as const)
  imager(`a base is recognised as ${format} by its files`, () => {
    const root = mkdtempSync(join(folder, 'root-'));
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
    assert.is(bash('. imager/init-format.sh; init_format "$1"', root).toString().trim(), format);
  });

imager('an image is packed to the same bytes on one core and on many', () => {
  const pack = /^pack\(\) .*$/m.exec(readFileSync(join(PROJECT, 'scripts/release/image.sh'), 'utf8'))?.[0] ?? 'false';
  const packed = (cores: string) =>
    bash(
      `${pack}; export -f pack; XZ_OPT=-0 taskset -c ${cores} bash -c 'pack "$1"' bash "$1"`,
      join(folder, 'lane.img'),
    );
  const one = packed('0');
  assert.is(digest(one), digest(bash(`${pack}; pack "$1"`, join(folder, 'lane.img'))));
  assert.is(
    digest(execFileSync('xz', ['--decompress', '--stdout'], { input: one, maxBuffer: CONTENT.length + 1 })),
    digest(CONTENT),
  );
});

imager.run();
