/** Which PINs are accepted: how long they are, and none that a guesser tries first. */
export const SHORTEST_PIN = 4;
export const LONGEST_PIN = 10;

/** Down the middle of a keypad, and what is on lists of the most used PINs beside runs and repetitions. */
const KNOWN: ReadonlySet<string> = new Set(['2580', '0852', '1004', '147258', '159753', '147258369']);

/** None, one or two, up or down, where 0 is the neighbour of 9. */
const SMALL_STEPS: ReadonlySet<number> = new Set([0, 1, 2, 8, 9]);

const steps = (pin: string): number[] =>
  [...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10);

/** 0000, 1234, 4321, 2468, 890123: the same step from digit to digit, with the 0 behind the 9 or before the 1. */
const isRun = (pin: string): boolean => {
  const [step = 0, ...others] = new Set(steps(pin));
  return others.length === 0 && SMALL_STEPS.has(step);
};

/** 1212, 123123: a part of it again and again. */
const repeats = (pin: string): boolean => /^(\d{1,5})\1+$/.test(pin);

/** 1122, 112233, 5544: each digit twice, one after the other in a run. */
const isDoubledRun = (pin: string): boolean =>
  /^(?:(\d)\1)+$/.test(pin) && isRun([...pin].filter((_, at) => at % 2 === 0).join(''));

/** A year of somebody's life. */
const isYear = (pin: string): boolean => /^(19|20)\d\d$/.test(pin);

export const isEasyPin = (pin: string): boolean =>
  KNOWN.has(pin) || isRun(pin) || repeats(pin) || isDoubledRun(pin) || isYear(pin);
