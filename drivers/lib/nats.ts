/**
 * The client of the message server. A device alone does not load it: `await import` of this module does. Late imports
 * use this module, not the package, because a bundle loses the names of a CommonJS package that is imported late.
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
