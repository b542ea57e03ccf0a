import { themesNamed } from '../../../model/themes/named-themes.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { uuid } from '../parts/fields.ts'

const MAX_ITEMS = 20

export const searchThemes = readOperation({
  name: 'search_themes',
  title: 'Themes by their name',
  summary: 'Lists the themes whose name has the words that somebody types, their beginnings or a typing error.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.query, description: 'Words of the name.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ITEMS, description: 'Default 5.' })),
  }),
  output: Type.Object({
    items: Type.Array(Type.Object({ id: uuid, reference: Type.String(), name: untrustedText() }), {
      description: 'The newest first, all in one answer.',
    }),
  }),
  run: async ({ query, limit = 5 }, { caller, read }) => {
    const themes = await read(transaction => themesNamed(transaction, caller.workspaceId, query, limit))
    const items = themes.map(({ id, number, name }) => ({ id, reference: reference('theme', number), name }))
    return { data: { items } }
  },
})
