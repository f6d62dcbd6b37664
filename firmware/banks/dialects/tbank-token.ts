/** The signature of T-Bank's calls. Source: the bank's own description, whose example the tests compute again. */
import { createHash } from 'node:crypto';

/** What stands at the root of a call; what is nested takes no part. */
export type Scalars = Readonly<Record<string, string | number | boolean>>;

/** SHA-256, in hexadecimal, over the values and the password, put in the order of their names. */
export function tokenOf(body: Scalars, password: string): string {
  const values = Object.entries({ ...body, Password: password })
    .filter(([name]) => name !== 'Token')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => String(value));
  return createHash('sha256').update(values.join(''), 'utf8').digest('hex');
}
