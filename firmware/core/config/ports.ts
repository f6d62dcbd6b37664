/** Ports where the configuration, or a call, names no other. */

/** Those of the device family. */
export const TERMINAL_PORT = 1234;
export const RECOGNITION_PORT = 8080;
export const MASTER_PORT = 7443;
/** Ours. */
export const SANDBOX_PORT = 1280;
export const SIM_CONTROL_PORT = 1290;
