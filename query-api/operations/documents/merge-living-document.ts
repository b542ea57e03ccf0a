import { mergeTexts } from '../../../model/living-documents/differences.ts'
import { MAX_DOCUMENT_CHARACTERS, readVersion } from '../../../model/living-documents/versions.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { readOperation, Type, throwDeleted } from '../define.ts'
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
    text: Type.String({ description: 'Both together.' }),
    conflicts: Type.Integer({ description: 'Places where both changed the same lines.' }),
  }),
  run: (input, { read }) =>
    read(async transaction => {
      const { id } = await resolveOne(transaction, 'solution', input.solution_id)
      const newest = (await readVersion(transaction, id)) ?? throwDeleted('Living Document')
      const begun =
        input.version === 0
          ? ''
          : ((await readVersion(transaction, id, input.version)) ?? throwDeleted('version')).markdown
      const ours = input.markdown.replaceAll('\r\n', '\n')
      return { data: { newest: toDocumentVersion(newest), ...mergeTexts(begun, ours, newest.markdown) } }
    }),
})
