import type { ConsoleState } from '../console-view.ts';

type ConsoleSettings = ConsoleState['settings'];

declare module '../../core/pages/app/device-state.d.ts' {
  interface SettingsState extends ConsoleSettings {}
  interface DeviceState extends ConsoleState {}
}
