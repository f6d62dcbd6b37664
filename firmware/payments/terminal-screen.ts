/** The screen of a lane: on the display of the settings in use, else on one that the device finds. */
import type { Display, DisplayOptions } from '../../drivers/display/contract.ts';
import { FirstDisplays } from '../../drivers/display/first-displays.ts';
import {
  type DisplayConnection,
  displayConnection,
  openDisplay as openConnected,
} from '../../drivers/display/registry.ts';
import { countLosses, type Metrics } from '../core/host/index.ts';
import type { TerminalConfig } from './model/config.ts';
import { Screen, type ScreenOptions } from './service/screen/screen.ts';
import type { DriverSettings } from './settings/settings.ts';

/** The names that `systemd/udev` gives to the first USB display, and to the UART of the header. */
const FIRST_DISPLAYS = ['/dev/laneware-display', '/dev/laneware-uart'];

export type OpenDisplay = (connection: DisplayConnection, options: DisplayOptions) => Display;

interface Displays {
  readonly config: Pick<TerminalConfig, 'idleQR'>;
  readonly metrics: Metrics;
  readonly openDisplay?: OpenDisplay | undefined;
  readonly firstDisplays?: readonly string[] | undefined;
}

export function screenOf(
  settings: Pick<DriverSettings, 'active'>,
  { config, metrics, openDisplay = openConnected, firstDisplays = FIRST_DISPLAYS }: Displays,
  options: Pick<ScreenOptions, 'clock' | 'symbolMs' | 'patienceMs' | 'log'>,
): Screen {
  const openFirst = (display: DisplayOptions): Display =>
    new FirstDisplays(
      display,
      firstDisplays.map(
        (portName) => (each: DisplayOptions) =>
          openDisplay(displayConnection({ connectionType: 'Serial', portName }), each),
      ),
    );
  return new Screen({
    ...options,
    idleQR: config.idleQR,
    open: (display) => {
      const { active } = settings;
      return active === null ? openFirst(display) : openDisplay(active.connection, display);
    },
    onState: countLosses(metrics, 'display'),
  });
}
