/** Releases for the lane tests: one made by `bundle.sh` from the last commit, and others that differ from it by a little. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePlainKey } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';
import { LAB, sh } from './lane.ts';

export type Arch = 'x64' | 'arm64';

/** What releases are signed with here. */
export const KEY = join(LAB, 'key.pem');
export const PUBLIC_KEY = join(LAB, 'key.pub.pem');
/** A release whose process ends at once. */
const BROKEN_MAIN = "process.stderr.write('a release that does not start\\n');\nprocess.exit(3);\n";

/** What the releases of this run are kept under: the commit when it began, for others may follow while it goes on. */
const COMMIT = process.env.LANEWARE_LAB_COMMIT ?? sh('git', '-C', PROJECT, 'rev-parse', '--short', 'HEAD');

function bundleFolder(arch: Arch): string {
  return join(LAB, 'releases', `${COMMIT}-${arch}`);
}

/** The release of the last commit as a folder, made once a commit. */
function unpacked(arch: Arch): string {
  const folder = bundleFolder(arch);
  if (existsSync(join(folder, 'SHA256SUMS'))) return folder;
  mkdirSync(join(LAB, 'releases'), { recursive: true });
  if (!existsSync(KEY)) makePlainKey(KEY);
  const [file] = [release(arch)];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  bash('read_head "$1" "$2" && payload_of "$1" | tar -xzC "$2"', file ?? '', folder);
  return folder;
}

function bash(script: string, ...args: string[]): void {
  const libraries = ['say', 'paths', 'releases', 'release-file', 'signing-key', 'seal'].map(
    (lib) => `. ${PROJECT}/scripts/lib/${lib}.sh`,
  );
  sh('bash', '-c', `set -eu; ${libraries.join('; ')}; ${script}`, 'lane', ...args);
}

/**
 * Debian's package of the message server, fetched once. For another architecture than this machine's it takes
 * `dpkg --add-architecture` and `apt-get update`: without them the release has none, and that is said.
 */
function messageServer(arch: Arch): string[] {
  const debian = arch === 'x64' ? 'amd64' : arch;
  const packed = () =>
    readdirSync(LAB).find((name) => name.startsWith('nats-server_') && name.endsWith(`_${debian}.deb`));
  if (packed() === undefined)
    try {
      execFileSync('apt-get', ['download', `nats-server:${debian}`], { cwd: LAB, stdio: 'ignore' });
    } catch {
      process.stdout.write(`  no message server for ${debian}: dpkg --add-architecture ${debian}, apt-get update\n`);
    }
  const file = packed();
  return file === undefined ? [] : ['--nats-server', join(LAB, file)];
}

/** The release file that `bundle.sh` makes of the last commit. */
export function release(arch: Arch, version = '1.0.0'): string {
  const out = join(LAB, 'releases', COMMIT);
  const file = join(out, `laneware-${version}-${arch}.release`);
  mkdirSync(out, { recursive: true });
  if (!existsSync(KEY)) makePlainKey(KEY);
  if (existsSync(file)) return file;
  const gpio = arch === 'x64' || existsSync('/usr/bin/aarch64-linux-gnu-g++') ? [] : ['--without-gpio'];
  const native = arch === 'x64' || existsSync('/usr/bin/aarch64-linux-gnu-gcc') ? [] : ['--without-native'];
  const options = ['--key', KEY, '--arch', arch, '--version', version, '--out', out, '--unrehearsed'];
  sh(join(PROJECT, 'scripts/release/bundle.sh'), ...options, ...gpio, ...native, ...messageServer(arch));
  return file;
}

/** The same release under another version; `broken` ones do not start. */
export function sibling(arch: Arch, version: string, broken = false): string {
  const folder = unpacked(arch);
  const work = join(LAB, 'releases', `work-${version}-${arch}`);
  const file = join(LAB, 'releases', COMMIT, `laneware-${version}${broken ? '-broken' : ''}-${arch}.release`);
  if (existsSync(file)) return file;
  sh('rm', '-rf', work);
  sh('cp', '-al', folder, work); // hard links: what is changed below is written anew
  const replace = (name: string, edit: (file: string) => void) => {
    const path = join(work, name);
    sh('cp', '--remove-destination', join(folder, name), path);
    edit(path);
  };
  replace('package.json', (path) => sh('sed', '-i', `s/"version": ".*"/"version": "${version}"/`, path));
  if (broken) replace('bundle/main.js', (path) => writeFileSync(path, BROKEN_MAIN));
  const about = [KEY, version, arch, 'any', 'test', `${Math.floor(Date.now() / 1000)}`, '365'];
  bash('gzip() { command gzip -n -1; }; seal "$@"', work, file, ...about);
  sh('rm', '-rf', work);
  return file;
}
