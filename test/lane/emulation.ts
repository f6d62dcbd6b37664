/**
 * What a board of another processor needs where qemu emulates the processor for each program, on the kernel of this machine.
 * A real board needs none of it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** A Raspberry Pi 4. Of itself qemu has the SME of no board, and makes wrong vectors by it. */
const PROCESSOR = 'cortex-a72';
const CORE = `Features\t: fp asimd evtstrm crc32 cpuid
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x0
CPU part\t: 0xd08
CPU revision\t: 3
`;
const FOLDER = '/usr/local/lib/emulated';
const LOOK = '/opt/laneware/current/bin/litert/look';
/** The native runtime gets no environment, in which the processor could be named. */
const LOOK_AS_BOARD = `#!/bin/sh\nQEMU_CPU=${PROCESSOR} exec ${FOLDER}/look-itself "$@"\n`;

/** A processor is emulated beside other work: four times the patience that a board gets. */
const PATIENCE = 'WatchdogSec=60\nTimeoutStartSec=360\n';
/** Namespaces for users and networks, and the mount behind credentials, are calls that qemu does not know. */
const LOST: Readonly<Record<string, string>> = {
  laneware: `LoadCredential=
PrivateUsers=no
BindReadOnlyPaths=${FOLDER}/cpuinfo:/proc/cpuinfo
BindReadOnlyPaths=-${FOLDER}/look:${LOOK}
${PATIENCE}`,
  'laneware-recover': 'PrivateNetwork=no\n',
  'laneware-rescue': 'PrivateNetwork=no\n',
  'laneware-factory-reset': 'PrivateNetwork=no\n',
};

/**
 * Fits an installed system to the emulation.
 * @param root where its disk is mounted
 */
export function allowEmulation(root: string): void {
  // of the groups of a caller qemu hands on the first alone; systemd asks for the rest for ever, and does nothing else
  execFileSync('usermod', ['--prefix', root, '--groups', '', 'laneware']);
  const folder = join(root, FOLDER);
  mkdirSync(folder, { recursive: true });
  // the runtime reads there what its processor can do, and crashes at what it finds on a PC
  const cores = Array.from({ length: availableParallelism() }, (_, at) => `processor\t: ${at}\n${CORE}`);
  writeFileSync(join(folder, 'cpuinfo'), cores.join('\n'));
  if (existsSync(join(root, LOOK))) {
    copyFileSync(join(root, LOOK), join(folder, 'look-itself'));
    writeFileSync(join(folder, 'look'), LOOK_AS_BOARD, { mode: 0o755 });
  }
  for (const [unit, lines] of Object.entries(LOST)) {
    const settings = join(root, 'etc/systemd/system', `${unit}.service.d`);
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'emulated.conf'), `[Service]\n${lines}`);
  }
}
