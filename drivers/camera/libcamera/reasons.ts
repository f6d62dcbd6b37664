/** Why there is no camera, and what to do. Both programs of a driver are in the same package, under its new name or its old. */
export const notInstalled = (programs: readonly string[]): string =>
  `neither ${programs.join(' nor ')} is installed: install the package rpicam-apps`;

/** The same of a program that is there and gives no picture. */
export const unplugged = (reason: string): string => `${reason}: check the cable of the camera`;
