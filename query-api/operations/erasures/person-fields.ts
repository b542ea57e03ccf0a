import { Type } from 'typebox'

export const address = Type.String({
  minLength: 3,
  maxLength: 320,
  pattern: '@',
  description: 'The person’s e-mail address.',
})
export const name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'The person’s name, as senders write it.',
})
