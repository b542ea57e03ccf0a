import { findBuiltOnImport } from '../../../model/erasures/imported.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { importedSignals } from './transfer.ts'

const NAMED = 5

export const previewTakeBack = readOperation({
  name: 'preview_take_back',
  title: 'What would go with an import',
  summary:
    'A dry run of take_back_import: how many Signals and repeats the import brought, and what people have built on them. Changes nothing.',
  units: 3,
  role: 'owner',
  audience: 'people',
  input: Type.Object({ id: uuid }),
  output: Type.Object({
    signals: Type.Integer(),
    repeats: Type.Integer(),
    triaged: Type.Integer({ description: 'Of the Signals, how many are not in Triage any more.' }),
    repeats_of_others: Type.Integer({
      description: 'Signals that others repeat: the oldest of these repeats takes the place of each.',
    }),
    claims_kept: Type.Integer({ description: 'Claims that keep other evidence.' }),
    claims_emptied: Type.Integer({ description: 'Claims that lose all of their evidence, and are dismissed.' }),
    decisions: Type.Integer({
      description: 'Decisions about these Signals, claims that are emptied, and Solutions that lose evidence.',
    }),
    comments: Type.Integer(),
    solutions: Type.Object({
      count: Type.Integer({ description: 'Solutions that lose evidence.' }),
      items: Type.Array(Type.Object({ reference: Type.String(), title: Type.String() }), {
        description: 'The first five.',
      }),
    }),
  }),
  run: ({ id }, { caller, read }) =>
    read(async transaction => {
      const transfer = await importedSignals(transaction, id)
      const built = await findBuiltOnImport(transaction, caller.workspaceId, transfer.id, NAMED)
      const { solutions: count, named, ...rest } = built
      const items = named.map(({ number, title }) => ({ reference: reference('solution', number), title }))
      return { data: { ...rest, solutions: { count, items } } }
    }),
})
