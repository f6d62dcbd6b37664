/** Checks addresses of banks: a listener in between could have payments accepted, or send the money elsewhere. */
import { isLoopbackHost } from '../core/config/index.ts';

/** What is wrong with the address of a bank, to be read after its name; null for nothing. */
export function bankAddressProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) return 'must be an address as https://bank.example/path';
  const { protocol, hostname, username, password, search, hash } = url;
  if (protocol === 'http:' && !isLoopbackHost(hostname.replaceAll(/[[\]]/g, ''))) {
    return 'must begin with https://: without encryption anybody on the way could redirect payments (http:// leads to this machine only, as http://127.0.0.1)';
  }
  const plain = username === '' && password === '' && search === '' && hash === '' && !/[\s\\?#]/.test(address);
  return plain ? null : 'must have no user, query, fragment, space or backslash';
}
