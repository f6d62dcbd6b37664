/**
 * The life of marks "delete from all devices": they survive a restart of the process and end with the master's boot, as
 * the interface says. Pure; the caller makes the state durable.
 */
import Type, { type Static } from 'typebox';

/** The most marks; every device reads all of them at each synchronisation. */
export const MAX_MARKS = 4096;

const MarkSchema = Type.Object({
  item: Type.String({ minLength: 1, maxLength: 64 }),
  id: Type.String({ minLength: 1 }),
  /** Serial numbers of the devices that have deleted the item, in the order of their reports. */
  done: Type.Array(Type.String({ minLength: 1 })),
});

/**
 * The deletion of all items. Each device that belonged to the store then forgets its templates once, when it learns of
 * the deletion.
 */
const WipeSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  /** Serial numbers of the devices that must forget. The deletion does not cover what a later device brings. */
  devices: Type.Array(Type.String({ minLength: 1 })),
  done: Type.Array(Type.String({ minLength: 1 })),
});
export type Wipe = Static<typeof WipeSchema>;

export const MarksSchema = Type.Object({
  /** The boot of the master that the marks belong to. */
  boot: Type.String(),
  marks: Type.Array(MarkSchema),
  /** Marks of earlier boots, which a restart has ended: a device that had not deleted by then brings the item back. */
  ended: Type.Optional(Type.Array(MarkSchema)),
  /** The latest deletion of all items; it survives the boot, for devices that were away. */
  wipe: Type.Optional(WipeSchema),
});

export type MarksState = Static<typeof MarksSchema>;

export const noMarks = (boot: string): MarksState => ({ boot, marks: [] });

export function marksOfBoot(stored: MarksState, boot: string): MarksState {
  if (stored.boot === boot) return stored;
  const ended = [...(stored.ended ?? []), ...stored.marks].slice(-MAX_MARKS);
  return { ...stored, ...noMarks(boot), ...(ended.length > 0 && { ended }) };
}

/** Drops an item's ended marks: the item is marked anew or left alone. */
const withoutEnded = ({ ended = [], ...state }: MarksState, item: string): MarksState => {
  const others = ended.filter((each) => each.item !== item);
  return others.length > 0 ? { ...state, ended: others } : state;
};

/** Marks an item; a mark that is there stays, with its progress. @param id of the new mark, never given before */
export function mark(state: MarksState, item: string, id: string): MarksState {
  if (state.marks.some((each) => each.item === item)) return state;
  return { ...withoutEnded(state, item), marks: [...state.marks, { item, id, done: [] }] };
}

export const unmark = (state: MarksState, item: string): MarksState => ({
  ...withoutEnded(state, item),
  marks: state.marks.filter((each) => each.item !== item),
});

/** Asks for the deletion of all items; the same id again changes nothing. @param devices of the store at this moment */
export const wipe = (state: MarksState, id: string, devices: readonly string[]): MarksState =>
  state.wipe?.id === id ? state : { ...state, wipe: { id, devices: [...devices], done: [] } };

/** @param ids of the marks, and of the wipe, that the device has carried out; ids of earlier marks are ignored */
export function takeReport(state: MarksState, serial: string, ids: readonly string[]): MarksState {
  const isNews = (each: Pick<Wipe, 'id' | 'done'>): boolean => ids.includes(each.id) && !each.done.includes(serial);
  const withDone = <One extends Pick<Wipe, 'id' | 'done'>>(each: One): One =>
    isNews(each) ? { ...each, done: [...each.done, serial] } : each;
  if (![...state.marks, ...(state.wipe ? [state.wipe] : [])].some(isNews)) return state;
  return { ...state, marks: state.marks.map(withDone), ...(state.wipe ? { wipe: withDone(state.wipe) } : {}) };
}
