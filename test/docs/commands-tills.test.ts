/** The commands of the pages for developers of tills, and for users of `lanectl`. */
import { suite } from 'uvu';
import { followAll, followInOrder, IN_ORDER, TILLS } from './following.ts';

const test = suite('commands of the documents for tills');
followInOrder(test, IN_ORDER);
followAll(test, TILLS);
test.run();
