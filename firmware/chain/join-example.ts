/** A join file as an example: made up, and of no chain. */
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

export const JOIN_EXAMPLE = Object.freeze({
  kind: 'laneware-chain-1',
  chain: 'fruit',
  store: 'M1',
  account: 'AMADEUPXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  servers: ['hub-1.example:7422', 'hub-2.example:7422', 'hub-3.example:7422'],
  authority: lines(
    '-----BEGIN CERTIFICATE-----',
    'MIIBgjCCASigAwIBAgIQd9v8E/nNcB+sN7vO4AP7RjAKBggqhkjOPQQDAjAqMSgw',
    'JgYDVQQDDB9tYWRlLXVwIGF1dGhvcml0eSBvZiBhbiBleGFtcGxlMCAXDTcwMDEw',
    'MTAwMDAwMFoYDzk5OTkxMjMxMjM1OTU5WjAqMSgwJgYDVQQDDB9tYWRlLXVwIGF1',
    'dGhvcml0eSBvZiBhbiBleGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
    'krnfA2J1oNFZIk7tBnlIJKfGXHAYyfFTGZ4yrU1mMyxG49ux88H1yBQn+Epuf6e/',
    'MALKZ9zAplaZh48SS+EHSqMuMCwwKgYDVR0RBCMwIYIfbWFkZS11cCBhdXRob3Jp',
    'dHkgb2YgYW4gZXhhbXBsZTAKBggqhkjOPQQDAgNIADBFAiAMd51PXXDK7J/rOIr2',
    'XRmHR+E7lgqUXz1PZZNizLsPoQIhAL2emiZd+1j5u0lwXMG1SGlrwZvyE/48DSL6',
    'gsrJqZlN',
    '-----END CERTIFICATE-----',
  ),
  signingKey: lines(
    '-----BEGIN PUBLIC KEY-----',
    'MCowBQYDK2VwAyEAU+bJ+xZgNcBDwR458vo3Wz7gNW6g5rjMI/EnTCzk2ew=',
    '-----END PUBLIC KEY-----',
  ),
  credentials: lines(
    '-----BEGIN NATS USER JWT-----',
    'made.up.example',
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    'SUAMADEUPEXAMPLE',
    '------END USER NKEY SEED------',
  ),
});
