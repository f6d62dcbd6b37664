/** The master's hand at its centre, and one synchronisation, at a made-up server. */
import { suite } from 'uvu';
import { madeUpServer } from './abandoned-server.ts';
import { addCentreCases } from './centre-cases.ts';

const test = suite('synchronisation: the master at its centre');

addCentreCases(test, madeUpServer);

test.run();
