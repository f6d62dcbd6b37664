/**
 * The commands of the documents that a test of the documents cannot run as they stand: the closed list, each with its reason
 * and with what runs it. A command that is neither run nor in this list fails the test.
 */
export interface Elsewhere {
  readonly command: string;
  readonly reason: string;
  /** The same with less to do, which is run. */
  readonly cheap?: string;
  /** Programs that the cheap one needs. */
  readonly needs?: readonly string[];
  /** A file that runs it, and words by which it does so. */
  readonly by?: readonly [file: string, words: string];
}

/** Scripts whose `--help` is run, and must know every option of the command. */
export const SCRIPTS = /^(?:sudo )?(?:LANEWARE_\w+=\S+ )*((?:scripts|test)\/(?:[a-z]+\/)?[a-z-]+\.sh)/;

const ROOT_ONLY = 'needs root under systemd';
const HOURS = 'takes minutes or hours';
const BENCH = 'needs a machine with nothing beside it, and minutes';

const bench = (name: string, ...needs: readonly string[]): Elsewhere => ({
  command: `node scripts/bench/${name}.ts`,
  reason: BENCH,
  cheap: `node scripts/bench/${name}.ts --quick`,
  needs,
});

const run = (command: string, reason: string, ...by: readonly [file: string, words: string]): Elsewhere => ({
  ...{ command, reason, by },
});

const ofPictures = (command: string, file: string, words: string): Elsewhere =>
  run(command, 'needs pictures that are not in the repository', file, words);

/** A test file that does more where a variable says so. */
const more = (command: string, variable: string, readBy = command.split(' ').at(-1) ?? ''): Elsewhere =>
  run(command, command.startsWith('sudo ') ? `${ROOT_ONLY}, and minutes` : HOURS, readBy, `process.env.${variable}`);

/** What a technician asks of systemd; `test/lane/scenario.ts` types it on a lane that has been booted before. */
export const UNDER_SYSTEMD: readonly string[] = [
  'systemctl status laneware',
  'journalctl -u laneware -n 30',
  'journalctl -u laneware -f -o cat',
  'journalctl -u laneware -b -1 -n 200',
  'sudo systemctl restart laneware',
  'sudo systemctl kill --kill-whom=main -s SIGUSR1 laneware',
];

export const ELSEWHERE: readonly Elsewhere[] = [
  { ...bench('sale-cost', 'strace', 'mke2fs', 'perl'), command: 'sudo node scripts/bench/sale-cost.ts' },
  bench('terminal', 'socat'),
  bench('told', 'aplay'),
  bench('ledger'),
  bench('answer'),
  bench('sync-growth', 'nats-server'),
  {
    command: 'node test/tools/screenshot.ts',
    reason: 'it writes into the repository',
    cheap: 'node test/tools/screenshot.ts --quick',
    needs: ['chromium'],
  },
  more('LANEWARE_DAMAGES=all node test/sync/damaged-files.test.ts', 'LANEWARE_DAMAGES', 'test/sync/damaged-files.ts'),
  more(
    'LANEWARE_DAMAGES=all node test/sync/damaged-templates.test.ts',
    'LANEWARE_DAMAGES',
    'test/sync/damaged-files.ts',
  ),
  more('SALES=100 node test/sim/webhook-outage.test.ts', 'SALES'),
  more('KILLS=200 node test/kill/payments.test.ts', 'KILLS', 'test/kill/killable.ts'),
  more('KILLS=200 node test/kill/voice.test.ts', 'KILLS', 'test/kill/killable.ts'),
  more('SALES=300 KILLS=50 node test/kill/sales.test.ts', 'SALES'),
  more('KILLS=100 node test/kill/refunds.test.ts', 'KILLS', 'test/kill/killable.ts'),
  more('EVENTS=10000 CUTS=20 KILLS=5 node test/kill/events.test.ts', 'EVENTS'),
  more('sudo EVENTS=20000 node test/features/chain/hub.test.ts', 'EVENTS'),
  more('SALES=300 KILLS=40 node test/terminal/conformance/cashier.test.ts', 'SALES'),
  more('KILLS=200 node test/kill/recognition.test.ts', 'KILLS', 'test/kill/killable.ts'),
  more('sudo LANEWARE_POWER_CUTS=100 node test/power.test.ts', 'LANEWARE_POWER_CUTS'),
  more('sudo LANEWARE_SWEEP=all node test/ota/sweep.test.ts', 'LANEWARE_SWEEP'),
  more('sudo LANEWARE_SWEEP=all node test/install/install.test.ts', 'LANEWARE_SWEEP'),
  {
    command: 'node test/tools/soak-recognition.ts',
    reason: HOURS,
    cheap: 'node test/tools/soak-recognition.ts --frames 20',
  },
  {
    command: 'node test/tools/soak-sync.ts --seeds 10000',
    reason: HOURS,
    cheap: 'node test/tools/soak-sync.ts --seeds 2',
  },
  { command: 'apt-get install gpiod', reason: ROOT_ONLY, by: ['scripts/test-programs.json', '"gpiod"'] },
  { command: 'sudo lanectl support lane.zip', reason: ROOT_ONLY, by: ['test/lanectl/support.test.ts', "'support'"] },
  {
    command: 'sudo lanectl remote on --by Ivanova --minutes 60',
    reason: ROOT_ONLY,
    by: ['test/lanectl/remote.test.ts', "'remote', 'on', '--by'"],
  },
  {
    command: 'sudo systemctl enable --now /opt/laneware/current/systemd/laneware-log-upload.service',
    reason: ROOT_ONLY,
    by: ['test/systemd/units.test.ts', 'laneware-log-upload.service'],
  },
  ...[
    'sudo useradd --system --home /var/lib/nats --create-home nats',
    'sudo systemctl enable --now nats-hub',
    'sudo systemctl reload nats-hub',
  ].map((command) => run(command, ROOT_ONLY, 'test/features/chain/hub-files.test.ts', 'nats-hub.service')),
  {
    command: 'sudo nft list table inet laneware_master',
    reason: 'needs a network namespace, or it would show those of this machine',
    by: ['test/sync/flood.test.ts', 'sudo nft list table inet laneware_master'],
  },
  {
    command: 'node test/tools/soak-sync-network.ts',
    reason: 'needs root for network namespaces, and minutes',
    by: ['test/sync/network.test.ts', './network.ts'],
  },
  {
    command: 'sudo node test/tools/rehearsal/main.ts',
    reason: 'needs root for network namespaces, and a quarter of an hour',
    by: ['test/sync/rehearsal.test.ts', 'test/tools/rehearsal/main.ts'],
  },
  run('node test/tools/fuzz-api.ts --examples 100 --seeds 1,2,3', HOURS, 'test/http/fuzz.test.ts', 'fuzz('),
  ofPictures(
    'node models/corruptions.ts --data FOLDER',
    'test/models/corruptions.test.ts',
    '../../models/corruptions/',
  ),
  ofPictures('node models/gallery.ts --data FOLDER', 'test/models/gallery.test.ts', '../../models/gallery/'),
  ofPictures('node models/evaluate.ts --data FOLDER', 'test/models/evaluation.test.ts', '../../models/'),
  run('apt-get download nats-server:arm64', 'fetches from the distribution', 'test/lane/releases.ts', 'nats-server'),
  {
    command: 'npm start -- --config FILE',
    reason: 'a form of the command; the block below it is run',
    by: ['docs/configuration.md', 'npm start -- --config /tmp/laneware.json'],
  },
  {
    command: 'curl http://127.0.0.1:8080/certificate.pem',
    reason: 'answered where the device listens on the network',
    by: ['test/http/tls.test.ts', '/certificate.pem'],
  },
  {
    command: 'curl --cacert laneware.pem https://…',
    reason: 'needs an address of the network',
    by: ['test/http/tls.test.ts', 'secureCall(https(device.terminal) + path, { ca'],
  },
  { command: 'npm test', reason: 'it runs for minutes', by: ['.ci/run', 'for command in test test:all'] },
  { command: 'npm run test:all', reason: 'it runs this test', by: ['.ci/run', 'for command in test test:all'] },
  run('npm run test:all -- browser kill', 'it runs for minutes', 'test/runner.test.ts', "['--suites', 'moon']"),
  run('npm run test:all -- --resume', 'it runs for minutes', 'test/runner/resumable.ts', 'class Resumable'),
  { command: 'npm test -- --changed', reason: 'it may run for minutes', by: ['test/runner.test.ts', 'touchedBy'] },
  run('node test/tools/mutants.ts --seed 7 --count 20', 'it runs for minutes', 'test/runner.test.ts', 'drawMutants'),
  { command: 'npm run check', reason: 'the first two steps of npm test', by: ['test/all.ts', "'check', '.'"] },
  run('npm run generate', 'it writes into the repository', 'test/generated.test.ts', '../scripts/generate.ts'),
  run('ls -l /dev/serial/by-id', 'needs a port on USB', 'drivers/display/wire/serial-path.ts', '/dev/serial/by-id'),
  ...UNDER_SYSTEMD.map((command) => run(command, ROOT_ONLY, 'test/lane/scenario.ts', 'of UNDER_SYSTEMD')),
  {
    command: 'ssh -L 9229:127.0.0.1:9229 BOARD',
    reason: 'needs a second machine',
    // what ssh would do, in its own words: it connects to no host
    cheap: "ssh -G -L 9229:127.0.0.1:9229 BOARD | grep -x 'localforward 9229 \\[127.0.0.1\\]:9229'",
    needs: ['ssh'],
  },
  run('sudo laneware-ota update', ROOT_ONLY, 'test/lane/read-only.ts', 'sudo laneware-ota update'),
  { command: 'laneware-ota update --retry', reason: ROOT_ONLY, by: ['test/ota/update.test.ts', '--retry'] },
  { command: 'bundle.sh --valid-days', reason: 'an option', by: ['test/ota/expiry.test.ts', 'days'] },
];

/** Whole blocks, by their first line that is no comment. */
export const BLOCKS_ELSEWHERE: readonly Elsewhere[] = [
  {
    command: 'curl -X POST http://127.0.0.1:8080/api/set_sync_master',
    reason: 'two devices pair with a code that lives for minutes',
    by: ['test/sync/pair-at.ts', 'set_sync_slave'],
  },
  run("echo 'UUID=1234-ABCD /media/laneware", `${ROOT_ONLY}, and a medium`, 'test/lane/scenario.ts', '/media/laneware'),
];
