/** Updates from a web server, through every way in which a download goes wrong. */
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { NEW, NO_RELEASES, NOTHING_NEW, onDevice, REFUSED, type Rig } from './rig.ts';
import { type ReleaseServer, serveReleases } from './server.ts';

const download = suiteNeeding(NO_RELEASES, 'download of an update');

/** Of `judge.sh`. */
const MARGIN_BYTES = 64 * 1024 * 1024;
const FILLING = 300_000;
/** So little of each answer arrives that the updater's own attempts are not enough. */
const CUT_AFTER = 20_000;

const withServer = (use: (rig: Rig, server: ReleaseServer) => Promise<void>): Promise<void> =>
  onDevice(async (rig) => {
    using server = await serveReleases(rig.release({ filling: FILLING }));
    await use(rig, server);
  });
const it = each<[Rig, ReleaseServer]>(download, (run) => () => withServer(run));

it('a release comes from a web server, found by the board under a folder', async (rig, server) => {
  rig.configure({ gate_seconds: '0', source: `${new URL('/', server.url)}` });
  const check = await rig.ota(['check']);
  assert.is(check.code, 0, check.output);
  assert.match(check.output, '1.0.0 runs, 1.1.0 is there');
  await rig.ends(0, ['update']);
  assert.is(await rig.answers(), NEW);
  await rig.ends(NOTHING_NEW, ['check']);
});

it('a download that was cut goes on where it stopped', async (rig, server) => {
  server.cutAfter = CUT_AFTER;
  await rig.ends(1, ['update', '--from', server.url]);
  assert.is(rig.downloaded(), 1);
  server.cutAfter = null;
  await rig.ends(0, ['update', '--from', server.url]);
  assert.ok((server.starts.at(-1) ?? 0) >= CUT_AFTER, `began at ${server.starts.at(-1)}`);
  assert.is(await rig.answers(), NEW);
});

it('a download that is cut now and then is finished in one go', async (rig, server) => {
  server.cutAfter = 120_000;
  await rig.takes(NEW, ['--from', server.url]);
});

it('a server that knows no ranges sends it all anew', async (rig, server) => {
  server.cutAfter = CUT_AFTER;
  await rig.ota(['update', '--from', server.url]);
  server.cutAfter = null;
  server.ranges = false;
  await rig.ends(0, ['update', '--from', server.url]);
});

it('a release that was replaced during the download is not mixed with the one before', async (rig, server) => {
  server.cutAfter = CUT_AFTER;
  await rig.ota(['update', '--from', server.url]);
  server.cutAfter = null;
  server.file = rig.release({ version: '1.2.0', filling: FILLING });
  await rig.takes('1.2.0', ['--from', server.url]);
});

for (const [what, isPartHere] of [
  ['from its beginning', false],
  ['behind a part that was here', true],
] as const) {
  it(`an endless source is left, ${what}, and none of it stays on the card`, async (rig, server) => {
    server.cutAfter = CUT_AFTER;
    if (isPartHere) await rig.ota(['update', '--from', server.url]);
    server.cutAfter = null;
    server.endless = true;
    const output = await rig.ends(1, ['update', '--from', server.url]);
    assert.match(output, 'sends more than the manifest of the release says');
    assert.is(rig.downloaded(), 0);
    assert.is(rig.state(), 'idle');
    server.endless = false;
    await rig.takes(NEW, ['--from', server.url]);
  });
}

download('a file on a stick that goes on behind the release is not copied to its end', () =>
  onDevice(async (rig) => {
    const file = rig.release();
    appendFileSync(file, Buffer.alloc(4 << 20));
    assert.match(await rig.ends(1, ['update', '--from', file]), 'sends more than the manifest of the release says');
    assert.is(rig.downloaded(), 0);
  }),
);

it('a part that is longer than the release is thrown away, and the download begins anew', async (rig, server) => {
  server.cutAfter = CUT_AFTER;
  await rig.ota(['update', '--from', server.url]);
  server.cutAfter = null;
  const folder = join(rig.root, 'var/lib/laneware-update/download');
  for (const part of readdirSync(folder)) appendFileSync(join(folder, part), Buffer.alloc(4 << 20));
  await rig.ends(0, ['update', '--from', server.url]);
  assert.is(server.starts.at(-1), 0);
  assert.is(await rig.answers(), NEW);
});

it('room is asked for what is still to come, and not for what is here', async (rig, server) => {
  server.cutAfter = CUT_AFTER;
  await rig.ota(['update', '--from', server.url]);
  server.cutAfter = null;
  const folder = join(rig.root, 'var/lib/laneware-update/download');
  const [here = 0] = readdirSync(folder).map((part) => statSync(join(folder, part)).size);
  const head = readFileSync(server.file, 'latin1').slice(0, 4096);
  const [unpacked = 0, payload = 0] = ['unpacked-size', 'payload-size'].map((name) =>
    Number(new RegExp(`^${name}=(.*)$`, 'm').exec(head)?.[1]),
  );
  const enough = unpacked + MARGIN_BYTES + payload - here;
  const withRoom = (bytes: number) =>
    writeFileSync(join(rig.folder, 'stand-ins/df'), `#!/bin/sh\necho Avail\necho ${bytes}\n`, { mode: 0o755 });
  withRoom(enough - 1);
  assert.match(await rig.ends(REFUSED, ['update', '--from', server.url]), 'not enough space');
  withRoom(enough);
  await rig.takes(NEW, ['--from', server.url]);
});

download.run();
