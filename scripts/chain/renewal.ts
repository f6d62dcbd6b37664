/**
 * The credentials of stores end, and are renewed by the chain before: another token for the same user is put down for the store.
 * It is no secret, for it opens nothing without the user's own, which the store alone has.
 */
import { decode, type User } from '@nats-io/jwt';
import Type from 'typebox';
import { LEAF } from '../../firmware/chain/subjects.ts';
import { fits } from '../../firmware/store/schema.ts';
import { LEAF_DAYS, leafToken } from './claims.ts';
import { documentAt, putDocument } from './down.ts';
import { joinFileOf } from './files.ts';
import { withConnection } from './hub.ts';
import { type KeyFolder, pairOf, type StoreKeys } from './keys.ts';
import { readNamedJson } from './named-file.ts';

const DAY_MS = 86_400_000;
const MAX_FILE_BYTES = 64 * 1024;
const Joined = Type.Object({ credentials: Type.String() });

/** ms since 1970; null: never. */
export const endOf = ({ leaf }: StoreKeys): number | null =>
  leaf === undefined ? null : Date.parse(leaf.at) + LEAF_DAYS * DAY_MS;

/** Of a store that an earlier release has let in, from the file that it joined with; null where that is gone. */
function userOf(folder: KeyFolder, { name, leaf }: StoreKeys): string | null {
  if (leaf !== undefined) return leaf.user;
  const file = readNamedJson(joinFileOf(folder, name), MAX_FILE_BYTES, 'store add --again makes another');
  if (!fits(Joined, file)) return null;
  const [, token] = file.credentials.split('\n');
  return token === undefined ? null : decode<User>(token).sub;
}

/** Those of which half of the time is over. @throws {ChainFailure} @throws the library's error */
export async function renewLeaves(folder: KeyFolder): Promise<void> {
  const due = folder.stores.flatMap((store) => {
    const user = (endOf(store) ?? 0) - Date.now() < (LEAF_DAYS * DAY_MS) / 2 ? userOf(folder, store) : null;
    return user === null ? [] : [{ store, user }];
  });
  if (due.length === 0) return;
  const { keys } = folder;
  await withConnection(keys, pairOf(keys.account), async (connection) => {
    for (const { store, user } of due) {
      const account = pairOf(store.seed);
      const place = { store: account.getPublicKey(), key: LEAF };
      const body = await leafToken(store.name, account, user);
      const known = await documentAt(connection, keys, place);
      await putDocument(connection, keys, { place, body, on: known?.sequence ?? 0, now: Date.now() });
      folder.keepLeaf(store.name, user);
    }
  });
}
