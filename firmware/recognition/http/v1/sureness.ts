/** How sure recognition is of an item, and what it warns of, in the answers of calls that teach. */
import Type, { type Static } from 'typebox';
import { orNull } from '../../../core/schema/index.ts';

export const similarity = Type.Number({ description: 'how similar it looks, -1 to 1' });

/** A warning to the person who teaches. */
export const Warning = orNull(
  Type.String(),
  'what may be wrong with what was learned: the empty tray is not known, and is to be learned first. Null where nothing was learned, or nothing is wrong',
);

export const SurenessSchema = Type.Object(
  {
    certain: Type.Boolean({ description: 'whether the item is what would be returned as certain' }),
    rank: orNull(Type.Integer(), 'where the item stands, from 1; null: not among the candidates'),
    similarity: orNull(similarity, 'how similar the picture is to the item, -1 to 1; null as above'),
  },
  { title: 'Sureness' },
);
export const surenessOf = ({ certain, rank, similarity }: Static<typeof SurenessSchema>) => ({
  certain,
  rank,
  similarity,
});
export const NOT_SURE = { certain: false, rank: 2, similarity: 0.71 };
export const SURE = { certain: true, rank: 1, similarity: 0.97 };
