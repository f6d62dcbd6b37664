/** Opens a book of money as a device does, which takes from its second medium what it lacks, and ends: it may be killed at any write. */

import { join } from 'node:path';
import { catchUp } from '../../firmware/core/book/index.ts';
import { openMoney } from '../terminal/ledger-rig.ts';

const [folder = '', secondFolder = ''] = process.argv.slice(2);
await catchUp({ path: join(folder, 'money.db'), secondFolder }, () => undefined);
openMoney(folder, secondFolder)[Symbol.dispose]();
