/**
 * Marks "delete from all devices" through their life: they stay through a restart of the process and go with the boot of
 * the master, as the interface says. Pure; who keeps the state makes it durable.
 */
import Type, { type Static } from 'typebox';

/** A bound on what every device reads at each synchronisation. */
export const MAX_MARKS = 4096;

const MarkSchema = Type.Object({
  item: Type.String({ minLength: 1, maxLength: 64 }),
  id: Type.String({ minLength: 1 }),
  /** Serial numbers of the devices that have deleted the item, in the order in which they told so. */
  done: Type.Array(Type.String({ minLength: 1 })),
});

export const MarksSchema = Type.Object({
  /** The boot of the master that the marks belong to. */
  boot: Type.String(),
  marks: Type.Array(MarkSchema),
});

export type MarksState = Static<typeof MarksSchema>;

export const noMarks = (boot: string): MarksState => ({ boot, marks: [] });

/** What is left of the marks when the master starts. */
export const marksOfBoot = (stored: MarksState, boot: string): MarksState =>
  stored.boot === boot ? stored : noMarks(boot);

/**
 * Marking what is marked changes nothing, its progress neither.
 * @param id of the new mark, never given before
 */
export function mark(state: MarksState, item: string, id: string): MarksState {
  if (state.marks.some((each) => each.item === item)) return state;
  return { ...state, marks: [...state.marks, { item, id, done: [] }] };
}

export const unmark = (state: MarksState, item: string): MarksState => ({
  ...state,
  marks: state.marks.filter((each) => each.item !== item),
});

/** @param ids of the marks that the device has carried out; those of earlier marks tell nothing */
export function takeReport(state: MarksState, serial: string, ids: readonly string[]): MarksState {
  const isNews = (each: MarksState['marks'][number]): boolean => ids.includes(each.id) && !each.done.includes(serial);
  if (!state.marks.some(isNews)) return state;
  return {
    ...state,
    marks: state.marks.map((each) => (isNews(each) ? { ...each, done: [...each.done, serial] } : each)),
  };
}
