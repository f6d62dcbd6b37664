/** Who is signed in at a browser, as the device answers its pages. */
import Type from 'typebox';
import { orNull } from '../schema/index.ts';
import { PEOPLE } from './people.ts';

export const PersonField = Type.Enum([...PEOPLE], {
  description:
    'cashier: what is done at the lane all day, as with the token of a till; supervisor: besides that items, templates and the camera, and answers for refunds above the limits; technician: everything',
});
export const SignedInBy = Type.Enum(['pin', 'token'], {
  description: 'with what somebody has signed in at a page',
});
/** A session at a page. */
export const SESSION = {
  role: orNull(PersonField, 'who is signed in; null without a sign-in'),
  by: orNull(SignedInBy, 'with what'),
  till: orNull(Type.String(), 'name of the till whose token it was, of `api.tills`'),
  idleSeconds: orNull(Type.Integer(), 'after so long without use the session ends'),
};
export const SessionAnswer = Type.Object({
  asked: Type.Boolean({ description: 'whether a page of this caller must be signed in' }),
  ...SESSION,
  pins: Type.Boolean({ description: 'whether there are PINs to sign in with' }),
  codes: Type.Boolean({ description: "whether a code on the display replaces the technician's PIN" }),
  pages: Type.String({ description: 'digest of the pages: a page that was loaded with another one loads itself anew' }),
  closed: Type.Record(Type.String(), Type.Enum(['supervisor', 'technician']), {
    description: 'pages of the console, and parts of them, that this caller does not see, each with who does',
  }),
});
