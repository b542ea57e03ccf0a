import { NOTE_COLUMNS, saveNote } from '../../../model/knowledge/notes.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveAmong } from '../../../model/references/resolve.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { Type, writeOperation } from '../define.ts'
import { identifier, nullable, oneOf, uuid } from '../parts/fields.ts'

export const saveKnowledge = writeOperation({
  name: 'save_knowledge',
  title: 'Save what was learned',
  summary:
    'Keeps a note on a Solution, claim or map node for whoever works on it next: a constraint, a finding, a dead end. It is shown with that object and in service_lookup mode context. It is no evidence and moves no priority; what a customer said belongs in mode signal.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    id: Type.With(identifier, { description: 'The Solution, claim or node.' }),
    text: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.knowledge,
      pattern: '\\S',
      description: 'What was learned.',
    }),
  }),
  output: Type.Object({
    id: uuid,
    about: Type.Object({
      kind: oneOf(NOTE_COLUMNS),
      id: uuid,
      reference: nullable(Type.String()),
      name: Type.String(),
    }),
  }),
  apply: async (input, transaction, { caller, services }) => {
    const { kind, id, reference, name } = await resolveAmong(transaction, NOTE_COLUMNS, input.id)
    const about = { kind, id, reference, name }
    await requireQuota(transaction, services.quotas, 'notes', caller.workspaceId)
    const note = await saveNote(transaction, caller, { about, text: input.text.trim(), at: services.now() })
    return { data: { id: note, about } }
  },
})
