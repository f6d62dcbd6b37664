/** What is looked at of an OpenAPI document. */

/** A JSON Schema; a member of it is a schema, a list or a map of them, or says something of the value. */
export interface Schema {
  readonly [keyword: string]: unknown;
}
export interface Content {
  [mediaType: string]: { schema?: Schema; readonly example?: unknown };
}
export interface Answer {
  readonly content?: Content;
  readonly $ref?: string;
  readonly description?: string;
}
export interface Parameter {
  readonly in?: string;
  name?: string;
  schema?: Schema;
  readonly required?: boolean;
  readonly description?: string;
}
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: Parameter[];
  readonly requestBody?: { required?: boolean; readonly content: Content };
  readonly responses: { [status: string]: Answer };
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export interface Document {
  components?: { schemas?: { [name: string]: Schema }; responses?: { [name: string]: Answer } };
  readonly paths?: { readonly [path: string]: { readonly [method in Method]?: Operation } };
}

export interface Described {
  readonly url: string;
  readonly method: Method;
  readonly operation: Operation;
}

export const operationsOf = ({ paths = {} }: Document): readonly Described[] =>
  Object.entries(paths).flatMap(([url, path]) =>
    METHODS.flatMap((method) => {
      const operation = path[method];
      return operation === undefined ? [] : [{ url, method, operation }];
    }),
  );
