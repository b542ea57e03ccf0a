import { findActors, findConsequences, findMentions } from '../../../model/erasures/preview.ts'
import { canBeLookedFor, postgresPattern } from '../../../model/erasures/words.ts'
import { normalizeAddress } from '../../../model/signals/normalize.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { AssayError, readOperation, type Transaction, Type } from '../define.ts'
import { instant, nullable } from '../parts/fields.ts'
import { actors, person, requireActors } from './erasure.ts'

const required = (shown: readonly string[]) => (transaction: Transaction) => requireActors(transaction, shown)

export const previewErasure = readOperation({
  name: 'preview_erasure',
  title: 'What would be erased of a person',
  summary:
    'A dry run: which actors an address or a name finds, what goes with them, and where else the words stand. Changes nothing.',
  units: 10,
  role: 'owner',
  audience: 'people',
  input: Type.Object({
    person,
    actors: Type.Optional({
      ...actors,
      description: 'Whose consequences are shown; those of the address when absent.',
    }),
  }),
  output: Type.Object({
    actors: Type.Array(
      Type.Object({
        actor: untrustedText({ description: 'What erase_person takes.' }),
        name: nullable(untrustedText()),
        source: nullable(untrustedText()),
        has_address: Type.Boolean(),
        is_address: Type.Boolean({
          description: 'Whether it is the address that was asked for: then it is the person.',
        }),
        signals: Type.Integer(),
        repeats: Type.Integer(),
        first_at: instant,
        last_at: instant,
      }),
      { description: 'At most 50, all in one answer.' },
    ),
    repeats_of_others: Type.Integer(),
    claims_kept: Type.Integer(),
    claims_emptied: Type.Integer(),
    comments: Type.Integer(),
    dead_letters_to_read: Type.Integer(),
    mentions: Type.Array(
      Type.Object({ place: Type.String(), rows: Type.Integer(), samples: Type.Array(untrustedText()) }),
      { description: 'Where the words stand in what others wrote, by table.' },
    ),
  }),
  run: async (input, { caller, read, services }) => {
    const given = input.person
    if (given.address === null && given.name === null)
      throw new AssayError('invalid_input', 'Give an address or a name: without one nobody is found.', {
        violations: [{ pointer: '/person', message: 'needs an address or a name' }],
      })
    const actorKey = given.address === null ? null : services.actorKey(normalizeAddress(given.address))
    const found = await read(transaction => findActors(transaction, caller.workspaceId, actorKey, given.name))
    const ofAddress = found.filter(({ is_address }) => is_address).map(({ actor }) => actor)
    const chosen = await (input.actors === undefined ? ofAddress : read(required(input.actors)))
    const words = [given.address, given.name].filter(word => word !== null && canBeLookedFor(word)) as string[]
    const pattern = postgresPattern({ words })
    const consequences = await read(transaction =>
      findConsequences(transaction, caller.workspaceId, { actors: chosen }),
    )
    const mentions =
      pattern === null ? [] : await read(transaction => findMentions(transaction, caller.workspaceId, pattern, chosen))
    return {
      data: {
        actors: found.map(one => ({
          ...one,
          first_at: one.first_at.toISOString(),
          last_at: one.last_at.toISOString(),
        })),
        ...consequences,
        mentions: mentions.map(({ place, rows, samples }) => ({ place, rows, samples: [...samples] })),
      },
    }
  },
})
