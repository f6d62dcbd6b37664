/** Releases that are fetched as what has changed: never other bytes than the whole one, and never in its way. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each } from '../support.ts';
import { ARCH, flip, NEW, NO_RELEASES, onDevice, type ReleaseFacts, type Rig } from './rig.ts';
import { type ReleaseServer, serveReleases } from './server.ts';

const delta = suiteNeeding(NO_RELEASES ?? missingPrograms('zstd'), 'deltas');

const NEXT = '1.2.0';
const FILLING = 300_000;
/** Of a release that differs in so many bytes a delta is not smaller. */
const NEWS = 120_000;
/** More than the head of a release has. */
const CUT_AFTER = 16_000;
const ONLY_CHANGES = /only what has changed since/;
const WHOLE_INSTEAD = /the delta from 1\.1\.0 is left, and the whole release is fetched/;

interface Scene {
  readonly rig: Rig;
  readonly server: ReleaseServer;
  readonly file: string;
  readonly delta: string;
  /** Its path at the server. */
  readonly path: string;
  /** Offers what lies in those files now. */
  serve(): void;
  update(): Promise<{ code: number | null; output: string }>;
}

const filled = (filling: string) => (folder: string) => copyFileSync(filling, join(folder, 'filling'));

/** A device with 1.1.0, and 1.2.0 at a server, with a delta from one to the other. @param facts of 1.2.0 @param older of 1.1.0 */
const withDelta = (
  body: (scene: Scene) => Promise<void>,
  facts: ReleaseFacts = {},
  older: ReleaseFacts = {},
): Promise<void> =>
  onDevice(async (rig) => {
    const filling = join(rig.folder, 'filling');
    execFileSync('openssl', ['rand', '-out', filling, `${FILLING}`]);
    const both = { node: true, extra: filled(filling) };
    const before = rig.release({ ...both, ...older });
    await rig.ends(0, ['update', '--from', before]);
    const file = rig.release({ ...both, version: NEXT, ...facts });
    const made = makeDelta(rig, before, file);
    using server = await serveReleases(file);
    const path = `/laneware-${NEW}-${NEXT}-${ARCH}.delta`;
    const serve = () => void server.others.set(path, readFileSync(made));
    serve();
    const update = () => rig.ota(['update', '--from', server.url]);
    await body({ rig, server, file, delta: made, path, serve, update });
  });

/** 1.2.0 is installed, whole, and nothing of its download stays. @returns what was said meanwhile */
async function installs(scene: Scene): Promise<string> {
  const { rig, server } = scene;
  const output = await rig.takes(NEXT, ['--from', server.url]);
  assert.is(rig.downloaded(), 0);
  whole(scene);
  return output;
}

const it = each<[Scene]>(delta, (run) => () => withDelta(run));

function makeDelta(rig: Rig, before: string, after: string, key = 'key'): string {
  const args = ['--key', join(rig.folder, `${key}.pem`), '--out', rig.folder, before, after];
  execFileSync(join(PROJECT, 'scripts/delta.sh'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const name = /(\d+\.\d+\.\d+)-good\.release$/;
  return join(rig.folder, `laneware-${name.exec(before)?.[1]}-${name.exec(after)?.[1]}-${ARCH}.delta`);
}

const whole = ({ rig, server }: Scene): void => {
  const folder = join(rig.root, 'opt/laneware/good');
  execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: folder });
  assert.is(server.starts.length > 0, true);
};

it('what has changed is all that is fetched, and makes the release that was signed', async (scene) => {
  assert.match(await installs(scene), ONLY_CHANGES);
  assert.equal(scene.server.starts, [0], 'of the release nothing but its head');
  const { length } = readFileSync(scene.delta);
  assert.ok(length < FILLING / 10, `${length} bytes`);
});

const SPOILED: readonly (readonly [string, (scene: Scene) => void, RegExp])[] = [
  ['is damaged', ({ delta: made }) => appendFileSync(made, 'x'), /its download stopped|it is damaged/],
  ['is truncated', ({ delta: made }) => truncateSync(made, readFileSync(made).length - 40), /it is damaged/],
  ['has other bytes', ({ delta: made }) => flip(made, -20), /it is damaged/],
  ['has another manifest', ({ delta: made }) => flip(made, 180), /a key that this device does not know|it is no delta/],
  ['is none', ({ delta: made }) => writeFileSync(made, 'not found, but with 200\n'), /it is no delta/],
  [
    'is of a stranger',
    ({ rig, file }) => {
      rig.makeKey('stranger');
      makeDelta(rig, join(rig.folder, `${NEW}-good.release`), file, 'stranger');
    },
    /a key that this device does not know/,
  ],
  [
    'leads to other bytes of the same version',
    ({ rig, file }) => {
      const other = rig.release({ version: NEXT, node: true });
      makeDelta(rig, join(rig.folder, `${NEW}-good.release`), other);
      assert.is(other, file);
    },
    /a delta of something else/,
  ],
  [
    'is from a release whose folder has changed',
    ({ rig }) => writeFileSync(join(rig.root, `opt/laneware/releases/${NEW}/VERSION`), '1.1.0\n'),
    /1\.1\.0 is not here in the form in which it was packed/,
  ],
  [
    'is signed, and makes other bytes than it says',
    ({ rig, file, delta: made }) => {
      const right = /^tar-sha256=(.*)$/m.exec(readFileSync(made, 'latin1'))?.[1] ?? '';
      makeDelta(rig, join(rig.folder, `${NEW}-good.release`), rig.release({ version: NEXT, node: true }));
      signAnew(rig, made, `s/^tar-sha256=.*/tar-sha256=${right}/`);
      assert.ok(file);
    },
    /does not make the release that was signed/,
  ],
  [
    'needs more room than there is',
    ({ rig, file }) => {
      const head = readFileSync(file, 'latin1').slice(0, 4096);
      const sizes = [/^unpacked-size=(.*)$/m, /^payload-size=(.*)$/m].map((line) => Number(line.exec(head)?.[1]));
      const enough = sizes.reduce((sum, size) => sum + size, 64 * 1024 * 1024);
      writeFileSync(join(rig.folder, 'stand-ins/df'), `#!/bin/sh\necho Avail\necho ${enough}\n`, { mode: 0o755 });
    },
    /not enough space for it/,
  ],
  [
    'needs more memory than there is',
    ({ rig }) => {
      mkdirSync(join(rig.root, 'proc'), { recursive: true });
      writeFileSync(join(rig.root, 'proc/meminfo'), 'MemTotal: 900000 kB\nMemAvailable:    200000 kB\n');
    },
    /not enough memory/,
  ],
];

/** Makes a signed file say something else, under a signature that is right. */
function signAnew(rig: Rig, file: string, change: string): void {
  const script = `mkdir "$2"; read_head "$1" "$2" laneware-delta; payload_of "$1" >"$2/payload"; sed -i "$3" "$2/manifest"
    openssl pkeyutl -sign -inkey "$4" -rawin -in "$2/manifest" -out "$2/signature"
    { write_head "$2/manifest" "$2/signature" laneware-delta; cat "$2/payload"; } >"$1"`;
  rig.bash(script, [file, join(rig.folder, 'anew'), change, join(rig.folder, 'key.pem')]);
}

for (const [what, spoil, why] of SPOILED) {
  delta(`a delta that ${what} is left, and the whole release is installed`, () =>
    withDelta(async (scene) => {
      const { server, file, serve } = scene;
      const offered = readFileSync(file);
      spoil(scene);
      serve();
      writeFileSync(file, offered);
      server.starts.length = 0;
      const output = await installs(scene);
      assert.match(output, WHOLE_INSTEAD);
      assert.match(output, why);
    }),
  );
}

it('a process that runs out of memory in a delta has the whole release fetched', async (scene) => {
  const { rig, update } = scene;
  const node = join(rig.root, 'opt/laneware/good/bin/node');
  const old = readFileSync(node, 'utf8');
  // as the kernel ends it; the folder must be unchanged since it was packed, for the delta to come so far
  const killed = join(rig.folder, 'killed');
  writeFileSync(killed, `#!/bin/sh\ncase "$*" in *.delta*) kill -9 $$ ;; esac\nexec "${process.execPath}" "$@"\n`, {
    mode: 0o755,
  });
  const output = await rig.takes(NEXT, ['--from', scene.server.url], { LANEWARE_TEST_NODE: killed });
  assert.match(output, /does not make the release that was signed/);
  assert.is(readFileSync(join(rig.root, `opt/laneware/releases/${NEW}/bin/node`), 'utf8'), old);
  assert.is((await update()).code, 3);
});

function withoutDelta({ server, path }: Scene): void {
  server.others.delete(path);
  server.missing.add(path);
}

it('where there is no delta, nothing is said of it', async (scene) => {
  withoutDelta(scene);
  assert.not.match(await installs(scene), /warning/);
});

delta('what a manifest says beside all that the updater knows is passed over', () =>
  withDelta(async (scene) => assert.match(await installs(scene), ONLY_CHANGES), { says: ['small-size=100'] }),
);

/** `scripts/ota.sh` and its parts of before releases had one form alone. */
const EARLIER = join(PROJECT, 'test/ota/fixtures/earlier-updater.tar.gz');
const WITH_EARLIER: ReleaseFacts = {
  extra: (folder) => execFileSync('tar', ['--extract', '--file', EARLIER, '--directory', folder]),
};

delta('an earlier updater takes what has changed', () =>
  withDelta(async (scene) => assert.match(await installs(scene), ONLY_CHANGES), {}, WITH_EARLIER),
);

delta('an earlier updater takes the whole release', () =>
  withDelta(
    async (scene) => {
      withoutDelta(scene);
      assert.not.match(await installs(scene), /warning/);
    },
    {},
    WITH_EARLIER,
  ),
);

delta('a delta that was cut goes on where it stopped, in one night and in the next', () =>
  withDelta(
    async (scene) => {
      const { server, path, update, delta: made } = scene;
      const bytes = readFileSync(made).length;
      assert.ok(bytes > 6 * CUT_AFTER, `${bytes} bytes`);
      server.cutAt.set(path, CUT_AFTER);
      server.cutAfter = CUT_AFTER; // else the whole release would be installed in its place
      const cut = await update();
      assert.is(cut.code, 1, cut.output);
      assert.match(cut.output, /its download stopped/);
      const [head, ...starts] = server.startsOfOthers.get(path) ?? [];
      assert.equal([head, starts], [0, [0, 1, 2, 3, 4].map((each) => each * CUT_AFTER)]);
      server.cutAt.clear();
      server.starts.length = 0;
      assert.match(await installs(scene), ONLY_CHANGES);
      assert.is(server.startsOfOthers.get(path)?.at(-1), 5 * CUT_AFTER);
      assert.equal(server.starts, [0], 'of the release nothing but its head');
    },
    { extra: (folder) => execFileSync('openssl', ['rand', '-out', join(folder, 'news'), `${NEWS}`]) },
  ),
);

delta.run();
