/** The master's hand at its centre, and one synchronisation, at the real server. */
import { suite } from 'uvu';
import { needing } from '../needing.ts';
import { realServer } from './abandoned-server.ts';
import { addCentreCases } from './centre-cases.ts';
import { NO_SERVER } from './real-rig.ts';

const centres = suite('synchronisation: the master at its real centre');

addCentreCases(needing(NO_SERVER, 'synchronisation: the master at its real centre', centres), realServer);

centres.run();
