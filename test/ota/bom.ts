/** Bills of materials, as CycloneDX has them (https://cyclonedx.org/docs/1.5/json/). */
import Type from 'typebox';

const License = Type.Union([
  Type.Object({ license: Type.Union([Type.Object({ id: Type.String() }), Type.Object({ name: Type.String() })]) }),
  Type.Object({ expression: Type.String() }),
]);
const COMPONENT = {
  'bom-ref': Type.String(),
  type: Type.Enum(['firmware', 'library', 'platform', 'application', 'machine-learning-model']),
  name: Type.String({ minLength: 1 }),
  version: Type.String(),
  licenses: Type.Array(License, { minItems: 1 }),
};
/** What the schema of CycloneDX 1.5 requires of the parts that a release uses. */
export const Bom = Type.Object({
  bomFormat: Type.Literal('CycloneDX'),
  specVersion: Type.Literal('1.5'),
  serialNumber: Type.String({ pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' }),
  version: Type.Integer({ minimum: 1 }),
  metadata: Type.Object({
    timestamp: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
    component: Type.Object(COMPONENT),
  }),
  components: Type.Array(
    Type.Object({
      ...COMPONENT,
      hashes: Type.Array(
        Type.Object({
          alg: Type.Enum(['SHA-256', 'SHA-512']),
          content: Type.String({ pattern: '^([0-9a-f]{64}|[0-9a-f]{128})$' }),
        }),
        { minItems: 1 },
      ),
    }),
  ),
  dependencies: Type.Array(
    Type.Object({ ref: Type.String(), dependsOn: Type.Array(Type.String(), { uniqueItems: true }) }),
  ),
});
