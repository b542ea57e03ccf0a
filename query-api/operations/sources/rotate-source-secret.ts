import { Type } from 'typebox'
import { writeOperation } from '../define.ts'
import { findSource } from './find-source.ts'
import { RotatedSource, rotateSecret } from './rotate-secret.ts'

export const rotateSourceSecret = writeOperation({
  name: 'rotate_source_secret',
  title: 'Rotate a source’s secret',
  summary:
    'Gives a source a new secret, shown in this answer only. The one before stays valid for 24 hours, so that senders can be changed one by one. Where a secret is in strangers’ hands, delete the source and create another instead.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'A secret that was replaced is not used again. Rotate it once more.',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The source.' }) }),
  output: RotatedSource,
  apply: async ({ id }, transaction, context) => {
    const source = await findSource(transaction, id)
    return rotateSecret(transaction, context, source)
  },
})
