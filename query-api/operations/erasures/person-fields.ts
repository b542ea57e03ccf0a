import { Type } from 'typebox'
import { nullable } from '../parts/fields.ts'

/** Whom to look for: one of them at least. */
export const person = Type.Object({
  address: nullable(
    Type.String({
      minLength: 3,
      maxLength: 320,
      pattern: '\\S',
      description: 'Their e-mail address, in any spelling.',
    }),
  ),
  name: nullable(
    Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Their name, as senders write it.' }),
  ),
})
