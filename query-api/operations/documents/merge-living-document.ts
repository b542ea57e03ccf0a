import { MAX_DOCUMENT_CHARACTERS, readVersion } from '../../../model/living-documents/versions.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { readOperation, Type, throwDeleted } from '../define.ts'
import { LONG_TEXT_BODY } from '../parts/body-limits.ts'
import { solutionId } from '../solutions/solution.ts'
import { DocumentVersionShape, toDocumentVersion } from './document.ts'

export const mergeLivingDocument = readOperation({
  name: 'merge_living_document',
  title: 'Bring an edit and the newest version together',
  summary:
    'Answers what an edit that was begun on an older version of a Living Document and the newest version become together, by line. Writes nothing. Where both changed the same lines, both are kept between marks for a person to choose.',
  units: 1,
  role: 'member',
  audience: 'people',
  body: LONG_TEXT_BODY,
  input: Type.Object({
    solution_id: solutionId,
    version: Type.Integer({
      minimum: 0,
      description: 'The version that the edit was begun on; 0 where there was none.',
    }),
    markdown: Type.String({ maxLength: MAX_DOCUMENT_CHARACTERS, description: 'The edited text, whole.' }),
  }),
  output: Type.Object({
    newest: DocumentVersionShape,
    text: ownText({ description: 'Both together.' }),
    conflicts: Type.Integer({ description: 'Places where both changed the same lines.' }),
  }),
  run: async (input, { caller, read, services }) => {
    const { newest, begun } = await read(async transaction => {
      const { id } = await resolveOne(transaction, 'solution', input.solution_id)
      const newest = (await readVersion(transaction, id)) ?? throwDeleted('Living Document')
      if (input.version === 0) return { newest, begun: '' }
      const { markdown } = (await readVersion(transaction, id, input.version)) ?? throwDeleted('version')
      return { newest, begun: markdown }
    })
    const texts = { base: begun, ours: input.markdown.replaceAll('\r\n', '\n'), theirs: newest.markdown }
    const merged = await services.worker.run(caller.tenantId, 'merge', texts)
    return { data: { newest: toDocumentVersion(newest), ...merged } }
  },
})
