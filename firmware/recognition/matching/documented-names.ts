/** Frozen records of names and what they mean, in schemas: the names are the values, the meanings are the documentation. */
import Type from 'typebox';

/** One of the names. @param title what the OpenAPI document calls them, where they stand in more than one place */
export const enumOf = <Name extends string>(meanings: Readonly<Record<Name, string>>, title?: string) =>
  Type.Enum(Object.keys(meanings) as Name[], title === undefined ? {} : { title });

export const describeNames = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');
