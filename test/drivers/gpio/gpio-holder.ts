/** Switches real onoff pins and prints what the GPIO files then hold. Run where /sys/class/gpio is a fake. */
import { readFileSync } from 'node:fs';
import { openGpio } from '../../../drivers/gpio/registry.ts';

const value = (line: number) => readFileSync(`/sys/class/gpio/gpio${line}/value`, 'utf8').trim();
const direction = (line: number) => readFileSync(`/sys/class/gpio/gpio${line}/direction`, 'utf8').trim();

const gpio = await openGpio({ driver: 'onoff', lamp: 17, statusLed: 27, learnButton: 22 });
gpio.setLamp(true);
const on = { lamp: value(529), statusLed: value(539) };
const directions = [direction(529), direction(534)];
const activeLow = readFileSync('/sys/class/gpio/gpio534/active_low', 'utf8').trim();
const { state, kind } = gpio;
await gpio.close();
const off = value(529);
const odd = await openGpio({ driver: 'onoff', lamp: 99, statusLed: null, learnButton: null });
process.stdout.write(JSON.stringify({ state, kind, on, directions, activeLow, off, odd: odd.state }));
