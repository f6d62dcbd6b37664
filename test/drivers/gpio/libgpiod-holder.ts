/** Holds all three pins through the programs of its PATH, the lamp on, until it is killed. */
import { libgpiodPins } from '../../../drivers/gpio/libgpiod.ts';
import { Pins } from '../../../drivers/gpio/pins.ts';

const wanted = { lamp: 17, statusLed: 27, learnButton: 22 };
const pins = await Pins.open(wanted, async () => libgpiodPins(process.env));
pins.setLamp(true);
setInterval(() => {}, 60_000);
