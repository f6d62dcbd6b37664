/** What a release may hold: files and folders that its manifest speaks of, and nothing that reaches beyond its own folder. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { FAILED, NEW, NO_RELEASES, OLD, onDevice, REFUSED, type ReleaseFacts } from './rig.ts';

const payload = suiteNeeding(NO_RELEASES, 'what a release may hold');
const it = each(payload, (run: Parameters<typeof onDevice>[0]) => () => onDevice(run));

const isRoot = process.getuid?.() === 0;

/** Every one is signed as it should be: what is refused is what lies in it. */
const SPOILED: readonly (readonly [string, ReleaseFacts])[] = [
  ['a file that the manifest does not speak of', { spoil: 'echo more >"$1/extra"' }],
  ['a hidden file that the manifest does not speak of', { spoil: 'mkdir "$1/.cache" && echo more >"$1/.cache/x"' }],
  ['a file less than the manifest speaks of', { spoil: 'rm "$1/VERSION"' }],
  ['a file with other bytes', { spoil: 'echo other >"$1/VERSION"' }],
  [
    'other files with a list of their own',
    { spoil: 'echo other >"$1/VERSION"; list_checksums "$1"', lie: { 'sums-sha256': '0'.repeat(64) } },
  ],
  ['no list of its files', { spoil: 'rm "$1/SHA256SUMS"', lie: { 'sums-sha256': '0'.repeat(64) } }],
  ['a symbolic link', { spoil: 'ln -s VERSION "$1/link"' }],
  ['a symbolic link in place of a folder', { spoil: 'ln -s /etc "$1/etc"' }],
  ['a hard link', { spoil: 'ln "$1/VERSION" "$1/zzz"' }],
  ['a pipe', { spoil: 'mkfifo "$1/pipe"' }],
  ['a path that leads up', { tar: "-P --transform 's,^./VERSION$,./../../escaped,'" }],
  ['an absolute path', { tar: "-P --transform 's,^./VERSION$,/tmp/laneware-escaped,'" }],
  ['a file that everybody may write', { tar: '--mode=a+w' }],
  ['a program that runs as its owner', { tar: '--mode=u+s' }],
  ['a program that runs as its group', { tar: '--mode=g+s' }],
  ...(isRoot ? [['a device', { spoil: 'mknod "$1/null" c 1 3' }] as const] : []),
];

for (const [what, facts] of SPOILED) {
  it(`${what} is refused, and nothing of it is left`, async (rig) => {
    const before = rig.restarts();
    const { code, output } = await rig.ota(['update', '--from', rig.release(facts)]);
    assert.ok(code === FAILED || code === REFUSED, output);
    assert.match(output, /holds what no release may hold|is not what was signed/);
    assert.equal(rig.releases(), [OLD]);
    assert.equal(readdirSync(join(rig.root, 'opt/laneware')).sort(), ['current', 'good', 'releases']);
    assert.is(rig.restarts(), before);
    assert.is(await rig.answers(), OLD);
    assert.not.ok(existsSync('/tmp/laneware-escaped'));
  });
}

it('an archive with an open or set-user-id mode is not innocent, a folder with one not exact', async (rig) => {
  // each is enough to refuse it: the list of the archive is looked at before it is unpacked, the files afterwards
  const judged = (mode: string) => {
    const file = rig.release({ tar: `--mode=${mode}` });
    const folder = join(rig.folder, `unpacked-${mode}`);
    mkdirSync(folder);
    const script = `read_head "$1" "$2"; SUMS_SHA256=$(value_of sums-sha256 "$2/manifest"); mkdir "$2/all"
        payload_of "$1" | tar -xzp -C "$2/all"; innocent "$1" && echo innocent; exact "$2/all" && echo exact; :`;
    return rig.bash(script, [file, folder]).trim().split('\n');
  };
  assert.equal(judged('u+w'), ['innocent', 'exact']);
  for (const mode of ['g+w', 'o+w', 'u+s', 'g+s']) assert.equal(judged(mode), [''], mode);
});

it('names that a shell or a list could stumble over are files like others', async (rig) => {
  const names = ['-rf', 'a b', 'new\nline', 'back\\slash', '*', '$(reboot)', 'ü'];
  const extra = (folder: string) => {
    for (const name of names) writeFileSync(join(folder, name), 'x');
  };
  await rig.takes(NEW, ['--from', rig.release({ extra })]);
  for (const name of names) assert.ok(existsSync(join(rig.root, 'opt/laneware/good', name)), name);
});

payload.run();
