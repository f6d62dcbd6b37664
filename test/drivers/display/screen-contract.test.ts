/** The contract on the screen: its far end is the page, whose drawing test/console/display-page.test.ts reads in a browser. */
import { openDisplay } from '../../../drivers/display/registry.ts';
import { contractSuite } from './contract-suite.ts';

contractSuite('display contract: screen', async () => ({
  open: (options) => openDisplay({ type: 'screen' }, options),
  far: null,
  close: async () => undefined,
}));
