/**
 * The web pages: the operator console, the customer display, and the calls under `/console/api` that only they and `lanectl`
 * make. No other module depends on this one.
 */

export { addNetworkRoutes, addPinRoutes, type PinList } from './api/access-routes.ts';
export { addClaimRoutes, MAX_CODE_CHARACTERS, MAX_OWN_TOKEN_CHARACTERS } from './api/claim-routes.ts';
export { addAuditRoutes, addJournalRoutes, addLogRoutes, MAX_SOUGHT_CHARACTERS } from './api/log-routes.ts';
export { addMachineRoutes, addShopRoutes, MAX_DEVICE_NAME_CHARACTERS } from './api/machine-routes.ts';
export { addSessionRoutes, MAX_TOKEN_CHARACTERS } from './api/session-routes.ts';
export { openPages, type PageFiles } from './page-files.ts';
export { addConsoleRoutes } from './router.ts';
