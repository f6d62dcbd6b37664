/** Cards as Raspberry Pi OS lays them out: a FAT partition with the kernel's command line, then an ext4 root. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sh } from './lane.ts';

export const MB = 1024 * 1024;
export const BOOT_AT_MB = 4;
const BOOT_MB = 48;
export const ROOT_AT_MB = BOOT_AT_MB + BOOT_MB;
const ROOT_MB = 900;
const DISK_ID = '5e3da3da';
export const CMDLINE = `console=serial0,115200 console=tty1 root=PARTUUID=${DISK_ID}-02 rootfstype=ext4 fsck.repair=yes rootwait quiet init=/usr/lib/raspberrypi-sys-mods/firstboot\n`;
const FSTAB = `proc /proc proc defaults 0 0\nPARTUUID=${DISK_ID}-01 /boot/firmware vfat defaults 0 2\nPARTUUID=${DISK_ID}-02 / ext4 defaults,noatime 0 1\n`;

/** An emulated processor, beside other work of this machine, is slower than any board. */
const PATIENT = '[Service]\nWatchdogSec=0\nTimeoutStartSec=15min\nTimeoutStopSec=3min\n';

interface Layout {
  /** What becomes the root; it is removed. */
  readonly tree: string;
  readonly rootMb: number;
  /** What lies on the boot partition: name → text. */
  readonly bootFiles: Readonly<Record<string, string>>;
}

/** Lays a card out as Raspberry Pi OS Lite does. @returns its file, in the folder `work` */
export function layOut({ tree, rootMb, bootFiles }: Layout, work: string): string {
  const at = (name: string): string => join(work, name);
  const [boot, root, base] = [at('boot.img'), at('root.img'), at('base.img')];
  sh('truncate', '--size', `${BOOT_MB}M`, boot);
  sh('mkfs.vfat', '-n', 'BOOTFS', boot);
  for (const [name, text] of Object.entries(bootFiles)) putBootFile(boot, 0, name, text);
  sh('truncate', '--size', `${rootMb}M`, root);
  sh('mke2fs', '-q', '-F', '-t', 'ext4', '-O', 'has_journal', '-L', 'rootfs', '-d', tree, root);
  sh('truncate', '--size', `${ROOT_AT_MB + rootMb}M`, base);
  const table = `label: dos\nlabel-id: 0x${DISK_ID}\nstart=${BOOT_AT_MB}MiB, size=${BOOT_MB}MiB, type=c\nstart=${ROOT_AT_MB}MiB, size=${rootMb}MiB, type=83\n`;
  writeFileSync(at('table'), table);
  sh('sh', '-c', `sfdisk --quiet --no-reread --no-tell-kernel ${base} < ${at('table')}`);
  const put = (part: string, where: number) =>
    sh('dd', `if=${part}`, `of=${base}`, 'bs=1M', `seek=${where}`, 'conv=notrunc,sparse', 'status=none');
  put(boot, BOOT_AT_MB);
  put(root, ROOT_AT_MB);
  for (const done of [boot, root, tree]) rmSync(done, { recursive: true });
  return base;
}

/** How a board is called before its first start. */
export function nameBoard(tree: string): void {
  writeFileSync(join(tree, 'etc/hostname'), 'raspberrypi\n');
  writeFileSync(join(tree, 'etc/hosts'), '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n');
}

/** Makes a base of a tree with a kernel in it, which becomes the card's. */
export function makeBase(tree: string, work: string): string {
  const own = join(work, 'tree');
  sh('cp', '-a', tree, own);
  mkdirSync(join(own, 'boot/firmware'), { recursive: true });
  mkdirSync(join(own, 'etc/systemd/network'), { recursive: true });
  nameBoard(own);
  writeFileSync(join(own, 'etc/fstab'), FSTAB);
  writeFileSync(join(own, 'etc/systemd/network/shop.network'), '[Match]\nType=ether\n\n[Network]\nDHCP=yes\n');
  sh('systemctl', `--root=${own}`, 'enable', 'systemd-networkd.service');
  sh('chroot', own, 'useradd', '--create-home', '--uid', '1000', '--shell', '/bin/bash', 'pi');
  writeFileSync(join(own, 'etc/sudoers.d/pi'), 'pi ALL=(ALL) NOPASSWD: ALL\n');
  for (const unit of ['laneware', 'laneware-options', 'laneware-recover']) {
    mkdirSync(join(own, `etc/systemd/system/${unit}.service.d`), { recursive: true });
    writeFileSync(join(own, `etc/systemd/system/${unit}.service.d/emulated.conf`), PATIENT);
  }
  const bootFiles = { 'cmdline.txt': CMDLINE, 'config.txt': 'camera_auto_detect=1\n' };
  return layOut({ tree: own, rootMb: ROOT_MB, bootFiles }, work);
}

function putBootFile(image: string, at: number, name: string, text: string): void {
  const file = `${image}.${name}`;
  writeFileSync(file, text);
  sh('mcopy', '-o', '-i', `${image}@@${at}`, file, `::${name}`);
  rmSync(file);
}

interface Part {
  readonly start: number;
  readonly size: number;
}

/** A card that an image was written to. */
export class Card {
  readonly file: string;

  constructor(image: string, file: string, megabytes: number) {
    this.file = file;
    sh('cp', '--sparse=always', image, file);
    sh('truncate', '--size', `${megabytes}M`, file);
  }

  putBootFile(name: string, text: string): void {
    putBootFile(this.file, BOOT_AT_MB * MB, name, text);
  }

  bootFile(name: string): string {
    return sh('mtype', '-i', `${this.file}@@${BOOT_AT_MB * MB}`, `::${name}`);
  }

  hasBootFile(name: string): boolean {
    return sh('mdir', '-b', '-i', `${this.file}@@${BOOT_AT_MB * MB}`, '::').includes(name);
  }

  /** Of a partition, in bytes; null where there is none of that number. */
  part(number: number): Part | null {
    const line = new RegExp(`${number} : start= *(\\d+), size= *(\\d+)`).exec(sh('sfdisk', '--dump', this.file));
    return line === null ? null : { start: Number(line[1]) * 512, size: Number(line[2]) * 512 };
  }

  digest(number: number): string {
    const { start, size } = this.part(number) ?? { start: 0, size: 0 };
    return sh('sh', '-c', `tail -c +${start + 1} ${this.file} | head -c ${size} | sha256sum`);
  }

  /** A copy of a card that is not in use. */
  copy(file: string): Card {
    return new Card(this.file, file, Math.ceil(Number(sh('stat', '-c', '%s', this.file)) / MB));
  }
}

/**
 * An initramfs that does as little as a kernel without one: it makes the disk known and leaves a bare root, no other file system
 * mounted.
 */
export function bareInitramfs(tree: string, work: string): string {
  const folder = join(work, 'initramfs');
  const version = sh('ls', join(tree, 'lib/modules'));
  const modules = join(tree, 'lib/modules', version);
  const needed: string[] = [];
  for (const name of ['virtio_pci', 'virtio_blk']) {
    const line = sh('grep', '-E', `/${name}\\.ko:`, join(modules, 'modules.dep'));
    const [self = '', deps = ''] = line.split(':');
    for (const file of [...deps.trim().split(' ').reverse(), self])
      if (file !== '' && !needed.includes(file)) needed.push(file);
  }
  mkdirSync(join(folder, 'root'), { recursive: true });
  for (const name of ['dev', 'proc']) mkdirSync(join(folder, name));
  cpSync(join(tree, 'bin/busybox'), join(folder, 'busybox'));
  for (const [index, file] of needed.entries()) cpSync(join(modules, file), join(folder, `${index}.ko`));
  const insert = needed.map((_, index) => `/busybox insmod /${index}.ko`).join('\n');
  const script = `#!/busybox sh
/busybox mount -t devtmpfs dev /dev
/busybox mount -t proc proc /proc
${insert}
until [ -b /dev/vda2 ]; do /busybox sleep 0.1; done
/busybox mount -t ext4 -o ro /dev/vda2 /root
init=$(/busybox sed 's/.* init=\\([^ ]*\\).*/\\1/' /proc/cmdline)
/busybox umount /proc /dev
exec /busybox switch_root /root "$init"
`;
  writeFileSync(join(folder, 'init'), script, { mode: 0o755 });
  const file = join(work, 'bare.img');
  sh('sh', '-c', `cd ${folder} && find . | cpio --quiet -o -H newc | gzip -1 > ${file}`);
  rmSync(folder, { recursive: true });
  return file;
}
