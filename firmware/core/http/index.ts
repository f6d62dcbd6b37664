/**
 * The HTTP server of both ports: guard, roles, limits, problems, event streams, the published documents. A module with
 * calls registers its routes on it and throws typed errors. It knows no payment and no template.
 */
export { type NetworkLimits, openAccess } from './access.ts';
export { parseJson } from './body.ts';
export { codeOfKind, type EncodedFailure, type Envelope, type FailureKind, HttpFailure } from './call/failure.ts';
export {
  beforeOf,
  cursor,
  eventNumber,
  KEY_HEADER,
  NO_STORE,
  ordinal,
  Paging,
  sentEvent,
  WITHOUT_COMPILERS,
  waitSeconds,
} from './call/query.ts';
export type { Rank } from './call/ranks.ts';
export { type Encoding, encodingFor, sendOnce, setEncoding } from './compressed.ts';
export { EventStreams, type SentEvent } from './event-stream.ts';
export { EventStreamPool } from './event-stream-pool.ts';
export { fieldAtFault, problem, problemEnvelope, problemsOf, recordedProblem, V1 } from './failure-answers.ts';
export { acceptFiles } from './file-bodies.ts';
export { plainAddress, readAuthority } from './guard/authority.ts';
export {
  addAuditFacts,
  credentialOf,
  markRepetition,
  mayReach,
  namedTillOf,
  type Requester,
  reachedTill,
  requesterOf,
  requireReachOfAll,
  sentBytes,
  signedInBy,
} from './guard/caller.ts';
export { type ApiConfig, openNetworks } from './guard/config.ts';
export { Credentials, type Owner, ROLES, type Role } from './guard/credentials.ts';
export { type Guard, guesserOf, isFromThisMachine } from './guard/guard.ts';
export { callerOf, requirePrivacy } from './guard/guard-requests.ts';
export { certificateNames } from './guard/origin-checks.ts';
export { hiddenPages, type PageRanks } from './guard/page-ranks.ts';
export { cookieOf, isOfBrowser, type PageSessions } from './guard/page-sessions.ts';
export { findPortConflict, listen } from './listen.ts';
export { consoleAddress, LangField, LanguageName, languageOf, PRINT_HEADERS, withPrintBar } from './own-pages.ts';
export { pageHeaders } from './page-headers.ts';
export { addServiceRoutes, createServer, type ServerOptions } from './port/server.ts';
export { undocumented } from './reference/api-documents.ts';
export { abortSlowDownload, DOWNLOAD_RATE, type LeastRate, readUpload, UPLOAD_RATE } from './transfer-rate.ts';
