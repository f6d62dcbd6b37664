/**
 * The client of the message server. A device alone loads none of it: `await import` of this module brings it. Late imports go through
 * here, and not to the package, because a bundle gives what is imported late from CommonJS without its names.
 */
export {
  connect,
  createInbox,
  credsAuthenticator,
  headers,
  nkeyAuthenticator,
  nkeys,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
