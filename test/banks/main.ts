/** The eight banks as a process of their own: `node test/banks/main.ts FILE [PORT]`. Prints one JSON line with their url when they are ready. */
import { startBanks } from './banks.ts';

const [dataFile = '.laneware/banks.db', port = '0'] = process.argv.slice(2);
const bank = await startBanks({ port: Number(port), dataFile });
process.once('SIGTERM', () => void bank.close());
process.stdout.write(`${JSON.stringify({ url: bank.url })}\n`);
