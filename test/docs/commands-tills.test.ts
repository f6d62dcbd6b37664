/** The commands of the pages for those who write tills, and for whoever types `lanectl`. */
import { suite } from 'uvu';
import { followAll, followInOrder, IN_ORDER, TILLS } from './following.ts';

const test = suite('commands of the documents for tills');
followInOrder(test, IN_ORDER);
followAll(test, TILLS);
test.run();
