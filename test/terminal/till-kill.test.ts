/** Tills that hang up or stop reading, while the process of the device is ended. */
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startFirmware } from '../process.ts';
import { call, setUp, type TestDevice, temporaryFolder, until } from '../support.ts';
import { sellByQR } from './device-calls.ts';
import { connect as connectEvents } from './event-rig.ts';

const test = suite('terminal: tills of a process that ends');

/** A till that sends its call and can hang up. */
function send({ terminal }: Pick<TestDevice, 'terminal'>, amount: number): Socket {
  const { hostname, port } = new URL(terminal);
  const body = JSON.stringify({ amount });
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /showQR HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

test('over HTTP: hung up, killed and started again: the status is ERROR of the refusal that no till has read, not ACCEPTED', async () => {
  using folder = temporaryFolder();
  const settings = { LANEWARE_TERMINAL_POLLFIRSTMS: '60000', LANEWARE_TERMINAL_POLLMAXMS: '60000' };
  const statusOf = async (terminal: string) => {
    const { body } = await call(`${terminal}/getDynamicQRStatus`);
    return [body.dynamicQRStatus, body.error_category, body.error_code];
  };
  {
    const { program, urls } = await startFirmware(folder.path, { settings });
    await using _ = program;
    const { terminal, sandbox } = urls;
    await setUp(urls);
    await call(`${terminal}/showQR`, { json: { amount: 100 } });
    const [{ qrcId }] = (await call(`${sandbox}/sandbox/payments`)).body;
    await call(`${sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
    await call(`${sandbox}/sandbox/faults`, { json: { faults: [{ call: 'state', kind: 'delay', ms: 500 }] } });
    const till = send(urls, 200);
    await until('the bank is asked', async () => (await call(`${sandbox}/sandbox/faults`)).body.faults.length === 0);
    till.destroy();
    assert.equal(await statusOf(terminal), ['PENDING', undefined, undefined]);
    await until('the refusal', async () => (await statusOf(terminal))[0] !== 'PENDING');
    assert.equal(await statusOf(terminal), ['ERROR', 'Bank', 4]);
    await program.kill('SIGKILL');
  }
  const { program, urls } = await startFirmware(folder.path, { settings });
  await using _ = program;
  assert.equal(await statusOf(urls.terminal), ['ERROR', 'Bank', 4]);
  assert.is((await call(`${urls.terminal}/showQR`, { json: { amount: 200 } })).body.error_code, 4);
  assert.equal(await statusOf(urls.terminal), ['ACCEPTED', undefined, undefined]);
});

test('a reader that stops reading keeps no payment waiting, and closing keeps no caller waiting', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path);
  await using _program = program;
  const device = { terminal: urls.terminal, sandbox: urls.sandbox ?? '' };
  await setUp(device);
  const { port, hostname } = new URL(device.terminal);
  const stuck = connect(Number(port), hostname);
  stuck.write('GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  stuck.pause();
  const events = connectEvents(device.terminal);
  await events.next();
  for (let n = 1; n <= 5; n += 1) await sellByQR(device, 1000 * n);
  const closing = program.kill('SIGTERM');
  for await (const _ of events);
  assert.is((await closing).code, 0);
  stuck.destroy();
});

test.run();
