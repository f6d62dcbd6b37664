/** The forms of banks and displays, whose fields come from each adapter's profile schema. */
import Type, { type Static } from 'typebox';
import { DISPLAY_FIELDS } from '../../../../drivers/display/registry.ts';
import { BANKS, type BankAdapter, FILE_KIND, type FileKind, requiredFields } from '../../../banks/index.ts';

const FieldForm = Type.Object({
  name: Type.String({ description: 'of the field in a profile' }),
  required: Type.Boolean(),
  secret: Type.Boolean({ description: 'it is never returned' }),
  file: Type.Boolean({ description: 'it names a file: a path on the device, or what `keepCertificate` answers' }),
  maxLength: Type.Integer(),
  choices: Type.Array(Type.String(), { description: 'what it may be; empty: any text' }),
  help: Type.String({ description: 'what it is, in a sentence' }),
});

export const FormsAnswer = Type.Object({
  banks: Type.Array(
    Type.Object({
      name: Type.String({ description: '`bankName` of a profile' }),
      play: Type.Boolean({ description: 'a bank without money' }),
      fields: Type.Array(FieldForm),
    }),
  ),
  displays: Type.Array(
    Type.Object({
      name: Type.String({ description: '`connectionType` of the display' }),
      fields: Type.Array(Type.String(), { description: 'of `deviceConnection`, any of which says where it is' }),
    }),
  ),
});

/** The part of a field's schema that a form needs. */
interface FieldSchema {
  readonly [FILE_KIND]?: FileKind;
  readonly description?: string;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

const DEFAULT_MAX_LENGTH = 512;

function formOf(adapter: BankAdapter): Static<typeof FormsAnswer>['banks'][number] {
  const required = requiredFields(adapter);
  const fields = Object.entries<FieldSchema>(adapter.schema.properties).filter(([name]) => name !== 'bankName');
  return {
    name: adapter.name,
    play: adapter.isPlay ?? false,
    fields: fields
      .map(([name, { [FILE_KIND]: kind, description = '', maxLength = DEFAULT_MAX_LENGTH, enum: choices = [] }]) => ({
        name,
        required: required.includes(name),
        secret: adapter.secretFields.includes(name),
        file: kind !== undefined,
        maxLength,
        choices: [...choices],
        help: description,
      }))
      .toSorted((one, other) => Number(other.required) - Number(one.required)),
  };
}

export const FORMS: Static<typeof FormsAnswer> = {
  banks: BANKS.map(formOf),
  displays: DISPLAY_FIELDS.map(({ name, fields }) => ({ name, fields: [...fields] })),
};
