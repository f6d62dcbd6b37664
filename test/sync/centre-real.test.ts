/** The master's hand at its centre, and one synchronisation, at the real server. */
import { suiteNeeding } from '../needing.ts';
import { realServer } from './abandoned-server.ts';
import { addCentreCases } from './centre-cases.ts';
import { NO_SERVER } from './real-rig.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: the master at its real centre');

addCentreCases(test, realServer);

test.run();
