/**
 * The credentials of stores end, and are renewed by the chain before: another token for the same user is put down for the store.
 * It is no secret, for it opens nothing without the user's own, which the store alone has.
 */
import { LEAF } from '../../firmware/chain/subjects.ts';
import { LEAF_DAYS, leafToken } from './claims.ts';
import { documentAt, putDocument } from './down.ts';
import { withConnection } from './hub.ts';
import { type KeyFolder, pairOf, type StoreKeys } from './keys.ts';

const DAY_MS = 86_400_000;

/** ms since 1970. */
export const endOf = ({ at }: NonNullable<StoreKeys['leaf']>): number => Date.parse(at) + LEAF_DAYS * DAY_MS;

/** Those of which half of the time is over. @throws {ChainFailure} @throws the library's error */
export async function renewLeaves(folder: KeyFolder): Promise<void> {
  const due = folder.stores.flatMap((store) => {
    const { leaf } = store;
    if (leaf === undefined || endOf(leaf) - Date.now() >= (LEAF_DAYS * DAY_MS) / 2) return [];
    return [{ store, user: leaf.user }];
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
