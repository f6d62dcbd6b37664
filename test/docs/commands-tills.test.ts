/** The commands of the pages for those who write tills, and for whoever types `lanectl`. */
import { suite } from 'uvu';
import { followAll, TILLS } from './following.ts';

const test = suite('commands of the documents for tills');
followAll(test, TILLS);
test.run();
