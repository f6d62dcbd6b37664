/** Supply, heat and the watchdog of the board. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boardOn, Tree } from './tree.ts';

const test = suite('supply, heat and watchdog of the board');

const THROTTLED = '/sys/devices/platform/soc/soc:firmware/get_throttled';
const ALARM = '/sys/class/hwmon/hwmon3';
const POLL_MS = 2000;
const DAY_MS = 24 * 3_600_000;

test('a machine without any of it is well', () => {
  using tree = new Tree();
  using board = boardOn(tree);
  assert.equal(board.part('board'), { state: 'ok', reason: '' });
});

for (const [where, file] of [
  ['a Raspberry Pi 4', THROTTLED],
  ['a Raspberry Pi 5', '/sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled'],
  ['another kernel', '/sys/devices/platform/firmware/get_throttled'],
] as const)
  test(`a voltage that is too low is reported on ${where}`, () => {
    using tree = new Tree();
    tree.put(file, '0');
    using board = boardOn(tree);
    assert.is(board.part('board').state, 'ok');
    tree.put(file, '50005');
    board.pass(POLL_MS);
    const { state, reason } = board.part('board');
    assert.is(state, 'degraded');
    assert.match(reason, 'The supply voltage is too low.');
    assert.match(reason, 'The board is throttling.');
  });

test('a dip is reported for a day with its count, whether or not the kernel forgets it when read', async () => {
  for (const afterwards of ['0', '10000']) {
    using tree = new Tree();
    tree.put(THROTTLED, '0');
    using board = boardOn(tree);
    tree.put(THROTTLED, '10000');
    board.pass(POLL_MS);
    assert.match(board.part('board').reason, 'was too low 1 time.');
    tree.put(THROTTLED, afterwards);
    for (let look = 0; look < 20; look++) board.pass(POLL_MS);
    assert.match(board.part('board').reason, 'was too low 1 time.');
    tree.put(THROTTLED, '10001');
    board.pass(POLL_MS);
    assert.match(board.part('board').reason, 'voltage is too low');
    assert.match(await board.metrics(), /^laneware_undervoltage 1$/m);
    tree.put(THROTTLED, afterwards);
    board.pass(POLL_MS);
    assert.match(board.part('board').reason, 'was too low 2 times.');
    const figures = await board.metrics();
    assert.match(figures, /^laneware_undervoltage 0$/m);
    assert.match(figures, /^laneware_undervoltage_times 2$/m);
    assert.match(figures, /^laneware_throttled_times 0$/m);
    board.pass(DAY_MS);
    assert.is(board.part('board').state, 'ok', afterwards);
  }
});

test("the voltage's alarm counts where the firmware's bits are not there, and not beside them", () => {
  using tree = new Tree();
  tree
    .put('/sys/class/hwmon/hwmon1/name', 'cpu_thermal')
    .put(`${ALARM}/name`, 'rpi_volt')
    .put(`${ALARM}/in0_lcrit_alarm`, '1');
  using board = boardOn(tree);
  assert.match(board.part('board').reason, 'voltage is too low');
  tree.put(THROTTLED, '0');
  using beside = boardOn(tree);
  assert.is(beside.part('board').state, 'ok');
});

test('what is no number is nothing', () => {
  using tree = new Tree();
  tree.put(THROTTLED, 'unknown').put('/sys/class/thermal/thermal_zone0/temp', 'hot');
  using board = boardOn(tree);
  assert.equal(board.part('board'), { state: 'ok', reason: '' });
});

test('the hottest sensor counts, from 80 °C on', async () => {
  using tree = new Tree();
  tree.put('/sys/class/thermal/thermal_zone0/temp', '79999').put('/sys/class/thermal/thermal_zone1/temp', '42000');
  tree.put('/sys/class/thermal/cooling_device0/temp', '99000');
  using board = boardOn(tree);
  assert.is(board.part('board').state, 'ok');
  tree.put('/sys/class/thermal/thermal_zone1/temp', '80000');
  assert.match(board.part('board').reason, 'The board is at 80 °C');
  assert.match(await board.metrics(), /^laneware_temperature_celsius 80$/m);
});

test('a watchdog that is off is reported on an installed lane, and on no other machine', async () => {
  using tree = new Tree();
  tree.put('/sys/class/watchdog/watchdog0/state', 'inactive');
  using elsewhere = boardOn(tree);
  assert.is(elsewhere.part('board').state, 'ok');
  assert.is(elsewhere.guards.watchdog, false);
  tree.link('/opt/laneware/current', 'releases/1.2.0');
  assert.match(elsewhere.part('board').reason, 'watchdog is off');
  tree.put('/sys/class/watchdog/watchdog0/state', 'active');
  assert.is(elsewhere.part('board').state, 'ok');
  assert.is(elsewhere.guards.watchdog, true);
  assert.match(await elsewhere.metrics(), /^laneware_watchdog_active 1$/m);
});

test('the clock is synchronised once the time service has made its empty file', async () => {
  using tree = new Tree();
  using board = boardOn(tree);
  assert.match(await board.metrics(), /^laneware_clock_synchronised 0$/m);
  tree.put('/run/systemd/timesync/synchronized', '');
  assert.match(await board.metrics(), /^laneware_clock_synchronised 1$/m);
});

test('a chip that keeps the time, and the name of the board, are found where the kernel has them', () => {
  using tree = new Tree();
  using board = boardOn(tree);
  assert.equal(board.machine, [false, null]);
  tree.put('/sys/class/rtc/rtc0/since_epoch', '1790000000');
  tree.put('/proc/device-tree/model', 'Made-up Board 5\0');
  assert.equal(board.machine, [true, 'Made-up Board 5']);
});

test.run();
