/** Default ports, where the configuration or a call names none. */

/** Ports of the device family. */
export const TERMINAL_PORT = 1234;
export const RECOGNITION_PORT = 8080;
export const MASTER_PORT = 7443;
/** Ports of our own. */
export const SANDBOX_PORT = 1280;
export const SIM_CONTROL_PORT = 1290;
