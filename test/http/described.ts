/** Where a device describes its calls. */

export const ROUTERS = ['terminal', 'recognition'] as const;
export type Router = (typeof ROUTERS)[number];
/** What a device describes, and where: the document of each port, and that of the console's calls, which promises nothing. */
export const DESCRIBED = [
  ['terminal', '/openapi.json'],
  ['recognition', '/openapi.json'],
  ['recognition', '/console/api/openapi.json'],
] as const satisfies readonly (readonly [Router, string])[];
export type Described = (typeof DESCRIBED)[number];
