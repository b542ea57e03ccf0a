import { canBeLookedFor, LEAST_NAME } from '../../../model/erasures/words.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import {
  actors,
  beginErasure,
  confirmation,
  ErasureShape,
  person,
  requireActors,
  requireConfirmation,
} from './erasure.ts'

export const erasePerson = writeOperation({
  name: 'erase_person',
  title: 'Erase a person',
  summary:
    'Starts to erase what a person said: their signals and repeats, what hangs on them, dead letters, activity; and to mask their name and address where others wrote them. preview_erasure shows it first; list_erasures shows how far it is, and the proof.',
  effect: 'destructive',
  units: 10,
  role: 'owner',
  audience: 'people',
  cannotBeUndone: 'What was erased is nowhere any more.',
  input: Type.Object({
    person,
    actors,
    masks_words: Type.Boolean({ description: 'Whether the address and the name are masked where others wrote them.' }),
    confirm: confirmation,
  }),
  output: ErasureShape,
  apply: async (input, transaction, context) => {
    await requireConfirmation(transaction, context, input.confirm)
    const given = [input.person.address, input.person.name].filter(word => word !== null)
    if (input.actors.length === 0 && given.length === 0)
      throw new AssayError('invalid_input', 'Give an address, a name or actors: without them nothing is found.', {
        violations: [{ pointer: '/person', message: 'needs an address or a name, or /actors' }],
      })
    const short = input.masks_words ? given.find(word => !canBeLookedFor(word)) : undefined
    if (short !== undefined)
      throw new AssayError(
        'invalid_input',
        `A name is looked for in other texts only from ${LEAST_NAME} characters on, one of them a letter: a shorter one is within other words. Leave masking out.`,
        { violations: [{ pointer: '/person/name', message: `must have ${LEAST_NAME} characters or more` }] },
      )
    const sought = {
      what: 'person',
      actors: await requireActors(transaction, input.actors),
      address: input.person.address,
      words: input.masks_words ? given : [],
    } as const
    return { data: await beginErasure(transaction, context, sought, '') }
  },
})
