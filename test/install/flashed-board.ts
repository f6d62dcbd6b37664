/** A board as Raspberry Pi OS leaves it at its first start, with a laneware.txt on its boot partition. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine } from './machine.ts';

export const FILE = 'boot/firmware/laneware.txt';
export const ERRORS = 'boot/firmware/laneware-errors.txt';
export const HANDED = 'var/lib/laneware/handed-over.json';
export const WIFI = 'etc/NetworkManager/system-connections/laneware.nmconnection';
export const KEY = `ssh-ed25519 ${'A'.repeat(68)} technician@shop`;
export const OS_TIMER = 'etc/systemd/system/timers.target.wants/laneware-os-update.timer';
export const TOKEN = 'made-up-token-of-a-technician';
const CMDLINE = 'console=tty1 root=PARTUUID=5e3da3da-02 rootfstype=ext4 cfg80211.ieee80211_regdom=GB rootwait\n';
export const ALL = [
  '# the board of lane 7',
  'HOSTNAME=Lane-7',
  'TIMEZONE=Europe/Moscow',
  'WIFI_SSID=Магазин; $(touch /tmp/x)',
  'WIFI_PASSWORD= pass\\word $(id) `id` "x',
  'WIFI_COUNTRY=ru',
  `SSH_KEY=${KEY}`,
  `TOKEN=${TOKEN}`,
  'TILL_TOKEN=made-up-token-of-the-tills',
  'LISTEN=network',
  'LEARN_BUTTON=22',
  'SECURITY_UPDATES=yes',
  'MASTER=192.168.1.10:7444',
  'PAIRING_CODE=0123-4567-89AB-CDEF-GHJK',
].join('\n');

export function board(text: string | Uint8Array | null, name = FILE): Machine {
  const machine = new Machine();
  const { root } = machine;
  for (const folder of [
    'usr/share/zoneinfo/Europe',
    'etc/NetworkManager',
    'etc/ssh',
    'etc/apt',
    'home/pi',
    'boot/firmware',
    'etc/systemd/system',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  machine.write('usr/share/zoneinfo/Europe/Moscow', 'TZif2');
  machine.write('etc/timezone', 'Etc/UTC\n');
  machine.write('boot/firmware/cmdline.txt', CMDLINE);
  machine.write('boot/firmware/config.txt', 'camera_auto_detect=1\n');
  machine.write('etc/passwd', 'root:x:0:0:root:/root:/bin/bash\npi:x:1000:1000:,,,:/home/pi:/bin/bash\n');
  machine.write('usr/lib/systemd/system/ssh.service', '[Service]\nExecStart=/usr/sbin/sshd -D\n');
  // those that take long to make
  for (const type of ['rsa', 'ecdsa']) machine.write(`etc/ssh/ssh_host_${type}_key`, 'made before');
  symlinkSync('/dev/null', join(root, 'etc/systemd/system/ssh.service'));
  machine.write('var/lib/systemd/rfkill/platform-fe300000.mmcnr:wlan', '1\n');
  machine.write(
    'var/lib/NetworkManager/NetworkManager.state',
    '[main]\nNetworkingEnabled=true\nWirelessEnabled=false\n',
  );
  machine.write('etc/laneware/environment', 'LANEWARE_LOG_LEVEL=debug\nLANEWARE_TERMINAL_HOST=127.0.0.1\n');
  chmodSync(join(root, 'etc/laneware/environment'), 0o600);
  if (text !== null) writeFileSync(join(root, name), text);
  return machine;
}

export const has = ({ root }: Machine, path: string): boolean => existsSync(join(root, path));
/** What the device is handed. */
export const handed = (machine: Machine) => JSON.parse(machine.read(HANDED));
export const problemsOf = (machine: Machine): string[] => handed(machine).problems;
