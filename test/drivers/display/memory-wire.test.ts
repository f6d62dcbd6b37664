/** The wire to a simulated display: a cable that is pulled at any moment. */
import { suite } from 'uvu';
import { CLEAR } from '../../../drivers/display/contract.ts';
import { MemoryWire } from '../../../drivers/display/wire/memory-wire.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { until } from '../../support.ts';

const test = suite('memory wire');
/** Turns of the microtasks in which a display opens its wire. */
const TURNS = 12;

test('a cable that is pulled while the display opens it is lost, whenever that is', async () => {
  for (let turns = 0; turns < TURNS; turns += 1) {
    const wire = new MemoryWire(new SimulatedDisplay());
    const display = wire.open('serial', { current: () => CLEAR });
    for (let turn = 0; turn < turns; turn += 1) await null;
    wire.state = 'unplugged';
    await until('a lost display', () => (display.state.name === 'lost' ? true : null));
    wire.state = 'plugged';
    await until('a ready display', () => (display.state.name === 'ready' ? true : null));
    await display.close();
  }
});

test.run();
