import { differencesOf } from '../../../model/living-documents/differences.ts'
import { editDocument } from '../../../model/living-documents/sections.ts'
import {
  MAX_DOCUMENT_CHARACTERS,
  readVersion,
  requireFits,
  storeVersion,
} from '../../../model/living-documents/versions.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { lockSolution } from '../../../model/solutions/change-solution.ts'
import { DOCUMENT_EDITS, reference } from '../../../schemas/domain/vocabulary.ts'
import { DecisionBasis, recordDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { LONG_TEXT_BODY } from '../parts/body-limits.ts'
import { comment, decisionId, oneOf, uuid, version } from '../parts/fields.ts'
import { solutionId } from '../solutions/solution.ts'
import { Outline, outlineOf, requireVersion, section } from './document.ts'

export const editLivingDocument = writeOperation({
  name: 'edit_living_document',
  title: 'Edit a Living Document',
  summary:
    'Edits the Living Document of a Solution, its Markdown, as the next version: the whole, or one section named by its headings. replace (default); append text to a section, or a subsection at its end; insert a section after the one named; delete a section. Without section: the whole, its end, its beginning. The first version needs no version, each later one the version that was read. Needs comment or decision_id.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  body: LONG_TEXT_BODY,
  input: Type.Object({
    solution_id: solutionId,
    edit: Type.Optional(oneOf(DOCUMENT_EDITS, { description: 'Default replace.' })),
    section,
    markdown: Type.Optional(
      Type.String({
        maxLength: MAX_DOCUMENT_CHARACTERS,
        description: 'The new Markdown. A section’s may begin with its heading.',
      }),
    ),
    comment,
    decision_id: decisionId,
    version,
  }),
  output: Type.Object({
    solution: Type.Object({ id: uuid, reference: Type.String() }),
    version: Type.Integer({ description: 'Of the document. Send it with the next edit.' }),
    characters: Type.Integer(),
    added_lines: Type.Integer(),
    removed_lines: Type.Integer(),
    sections: Outline,
    decision: DecisionBasis,
  }),
  apply: async (input, transaction, context) => {
    const grounds = await requireDecision(transaction, context.caller, input)
    const { caller, services } = context
    const { id } = await resolveOne(transaction, 'solution', input.solution_id)
    const { number } = await lockSolution(transaction, id, undefined)
    const name = reference('solution', number)
    const known = await readVersion(transaction, id)
    const read = known?.version ?? 0
    const outline = outlineOf(known?.markdown ?? '')
    requireVersion(
      {
        what: `The Living Document of ${name}`,
        version: read,
        read: `service_lookup mode living_doc, id ${name},`,
        context: { sections: outline, author_name: known?.author_name, written_at: known?.written_at },
      },
      input.version,
    )
    const { edit = 'replace', section: path, markdown: given } = input
    const before = known?.markdown ?? ''
    const markdown = editDocument(before, { edit, section: path, markdown: given })
    if (known === undefined ? markdown === '' : markdown === before) {
      throw new AssayError('invalid_input', 'Nothing would change: the document would say what it says now.')
    }
    requireFits(markdown)
    await requireQuota(transaction, services.quotas, 'documentVersions', caller.workspaceId)
    const change = { living_doc: { version: read + 1, edit, section: path ?? [] } }
    const decision = await recordDecision(transaction, context, grounds, [{ kind: 'solution', id, change }])
    const written = { solutionId: id, version: read + 1, markdown, edit, section: path ?? [], decisionId: decision.id }
    await storeVersion(transaction, caller, { ...written, at: services.now() })
    const { added, removed } = differencesOf(before, markdown)
    return {
      data: {
        solution: { id, reference: name },
        version: read + 1,
        characters: Array.from(markdown).length,
        added_lines: added,
        removed_lines: removed,
        sections: outlineOf(markdown),
        decision,
      },
    }
  },
})
