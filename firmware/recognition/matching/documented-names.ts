/** Frozen records of names and what they mean, in schemas: the names are the values, the meanings are the documentation. */
import Type from 'typebox';

/** One of the names. */
export const enumOf = <Name extends string>(meanings: Readonly<Record<Name, string>>) =>
  Type.Enum(Object.keys(meanings) as Name[]);

export const describeNames = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');
