/** Puts frozen records of names and meanings into schemas: the names are the values, the meanings are the documentation. */
import Type from 'typebox';

/** Schema of one of the names. @param title name in the OpenAPI document, where they are used in more than one place */
export const enumOf = <Name extends string>(meanings: Readonly<Record<Name, string>>, title?: string) =>
  Type.Enum(Object.keys(meanings) as Name[], title === undefined ? {} : { title });

export const describeNames = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');
