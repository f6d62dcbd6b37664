/**
 * The contract on a serial port: a real pseudo-terminal with the simulated display at its far end, and real hardware
 * where DISPLAY_PORT names it.
 */

import { openDisplay } from '../../../drivers/display/registry.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { renderPng } from '../../../drivers/display/wire/simulator-png.ts';
import { PtyDisplay } from '../../tools/display/pty.ts';
import { contractSuite, type Rig } from './contract-suite.ts';
import { drawnBy, QUICK } from './support.ts';

async function ptyRig(): Promise<Rig> {
  const device = new SimulatedDisplay();
  const pty = new PtyDisplay(device);
  await pty.plug();
  return {
    open: (options) => openDisplay({ type: 'serial', path: pty.path() }, options, QUICK),
    far: { picture: () => device.picture, render: () => renderPng(device.picture), drawn: () => drawnBy(device) },
    close: () => pty.close(),
  };
}

function hardwareRig(path: string): Promise<Rig> {
  const open: Rig['open'] = (options) => openDisplay({ type: 'serial', path }, options);
  return Promise.resolve({ open, far: null, close: () => Promise.resolve() });
}

contractSuite('display contract: serial, pseudo-terminal', ptyRig);

const port = process.env.DISPLAY_PORT;
if (port !== undefined) contractSuite(`display contract: serial, ${port}`, () => hardwareRig(port));
