// The line to the bank, in a lane's namespace: `node relay.mjs PORT ADDRESS PORT` passes on what comes to 127.0.0.1.
import { connect, createServer } from 'node:net';

const [port, address, far] = process.argv.slice(2);
createServer((socket) => {
  const line = connect(Number(far), address);
  for (const end of [socket, line]) end.on('error', () => [socket, line].forEach((each) => void each.destroy()));
  socket.pipe(line).pipe(socket);
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('{"ready":true}\n'));
