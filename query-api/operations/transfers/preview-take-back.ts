import { findBuiltOnImport } from '../../../model/erasures/imported.ts'
import { countEdits } from '../../../model/transfers/signals/imported-edits.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { importedSignals } from './transfer.ts'

const NAMED = 5

export const previewTakeBack = readOperation({
  name: 'preview_take_back',
  title: 'What would go with an import',
  summary:
    'A dry run of take_back_import: how many Signals and repeats the import brought or edited, and what people have built on them. Changes nothing.',
  units: 3,
  role: 'owner',
  audience: 'people',
  input: Type.Object({ id: uuid }),
  output: Type.Object({
    signals: Type.Integer(),
    repeats: Type.Integer(),
    edits: Type.Integer({ description: 'Edits of the import that are taken back.' }),
    edits_kept: Type.Integer({ description: 'Edits that stay: something has changed the Signal since.' }),
    triaged: Type.Integer({ description: 'Of the Signals, how many are not in Triage any more.' }),
    repeats_of_others: Type.Integer({
      description: 'Signals that others repeat: the oldest of these repeats takes the place of each.',
    }),
    claims_kept: Type.Integer({ description: 'Claims that keep other evidence.' }),
    claims_emptied: Type.Integer({
      description:
        'Claims that lose all of their evidence. Those that people have worked on are dismissed, the others go.',
    }),
    decisions: Type.Integer({
      description: 'Decisions about these Signals, claims that are emptied, and Solutions that lose evidence.',
    }),
    comments: Type.Integer(),
    themes: Type.Object({
      count: Type.Integer({ description: 'Themes of these Signals that people named, put aside or answered for.' }),
      items: Type.Array(Type.Object({ reference: Type.String(), name: Type.String() }), {
        description: 'The first five.',
      }),
    }),
    nodes: Type.Object({
      count: Type.Integer({ description: 'Nodes of the map at which people placed these Signals.' }),
      names: Type.Array(Type.String(), { description: 'The first five.' }),
    }),
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
      const { solutions, named, themes, named_themes, nodes, named_nodes, ...rest } = built
      const edits = await countEdits(transaction, transfer.id)
      return {
        data: {
          ...rest,
          ...edits,
          themes: {
            count: themes,
            items: named_themes.map(({ number, name }) => ({ reference: reference('theme', number), name })),
          },
          nodes: { count: nodes, names: [...named_nodes] },
          solutions: {
            count: solutions,
            items: named.map(({ number, title }) => ({ reference: reference('solution', number), title })),
          },
        },
      }
    }),
})
