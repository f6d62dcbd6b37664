/** A thread of the lowest priority that computes until it is terminated. */
import { constants, setPriority } from 'node:os';

const OWN = 0; // on Linux, 0 is this thread alone, and not its process
setPriority(OWN, constants.priority.PRIORITY_LOW);
for (let number = 1; ; number = Math.sqrt(number + 1) * Math.PI);
