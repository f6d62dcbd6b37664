/** A thread that computes until it is ended. */
import { constants, setPriority } from 'node:os';

const OWN = 0; // on Linux: this thread, not its process
setPriority(OWN, constants.priority.PRIORITY_LOW);
for (let number = 1; ; number = Math.sqrt(number + 1) * Math.PI);
