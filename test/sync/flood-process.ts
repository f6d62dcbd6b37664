/** A stranger without a key: opens so many connections at once and holds them; returns how many of them the server greeted. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const [host = '', port = '', count = '', localAddress = ''] = process.argv.slice(2);
const HELD_MS = 3000;

const over = pause(HELD_MS);
const greeted = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const socket = connect({ host, port: Number(port), localAddress });
    const isGreeted = await Promise.race([
      once(socket, 'data').then(
        () => true,
        () => false,
      ),
      over,
    ]);
    await over;
    socket.destroy();
    return isGreeted === true;
  }),
);
process.stdout.write(String(greeted.filter(Boolean).length));
