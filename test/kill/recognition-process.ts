/** A recognition device in a process of its own, to be killed: `recognition-process.ts FOLDER`. Says its address. */
import { startRig } from '../recognition/support.ts';

const [folder = ''] = process.argv.slice(2);
const { url } = await startRig({ folder, service: { maxTemplatesPerItem: 1000 } });
process.stdout.write(`${JSON.stringify({ url })}\n`);
