/** A master's server in a unit of its own, led over the connection that has it started. */
import * as assert from 'uvu/assert';
import { NatsServer, type OpenServer } from '../../firmware/sync/centre/server.ts';
import { suiteNeeding } from '../needing.ts';
import { each, opening, until } from '../support.ts';
import { abandonedServer } from './abandoned-server.ts';
import { NO_SERVER } from './real-rig.ts';
import { type ServerUnit, serverUnit } from './server-unit.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: a server in a unit of its own');
const it = each(test, opening(serverUnit));

const within =
  ({ socket }: ServerUnit): OpenServer =>
  (...settings) =>
    new NatsServer(...settings, socket);

it('it reads its configuration anew without dropping anybody, is started anew, and ends', async (unit) => {
  await using master = await abandonedServer(within(unit));
  const { server, connection, configuration } = master;
  const first = unit.pid;
  assert.is(server.pid, null);
  await server.configure(configuration('00000000'));
  assert.is(connection.isClosed(), false);
  assert.is(unit.pid, first);
  const closed = connection.closed();
  await server.restart();
  await closed;
  await until('another server', () => ![null, first].includes(unit.pid));
  await server.stop();
  await until('its end', () => unit.pid === null);
  assert.is(unit.refused, 0);
});

it('one that is killed is started again', async (unit) => {
  await using master = await abandonedServer(within(unit));
  const first = unit.pid ?? 0;
  process.kill(first, 'SIGKILL');
  await until('it is reported', () => master.server.problem !== null);
  await until('another server', () => ![null, first].includes(unit.pid));
});

it('no second one runs beside one that hears no signal, which is ended by force', async (unit) => {
  await using master = await abandonedServer(within(unit));
  const first = unit.pid ?? 0;
  process.kill(first, 'SIGSTOP');
  const next = abandonedServer(within(unit));
  await until('it is refused', () => unit.refused > 0);
  assert.is(unit.pid, first);
  await master.server.stop();
  await using second = await next;
  assert.is.not(unit.pid, first);
  assert.is(second.connection.isClosed(), false);
});

test('where the unit has gone it is a child', async () => {
  const unit = await serverUnit();
  await unit[Symbol.asyncDispose]();
  await using master = await abandonedServer(within(unit));
  assert.ok((master.server.pid ?? 0) > 0);
});

it('at the port each address has a limit, and no router passes on answers unless one is named', async (unit) => {
  for (const [isRouted, hops] of [
    [false, true],
    [true, false],
  ] as const) {
    await using master = await abandonedServer((program, folder, _, log) =>
      within(unit)(program, folder, isRouted, log),
    );
    const { port } = master.address;
    assert.match(unit.rules, `tcp dport ${port} tcp flags & (syn | ack) == syn jump fresh`);
    assert.is(unit.rules.includes(`tcp sport ${port} ip ttl set 1`), hops);
    await master.server.stop();
    await until('its end', () => unit.pid === null);
  }
});

test.run();
