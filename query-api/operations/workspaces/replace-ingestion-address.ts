import { AssayError, Type, writeOperation } from '../define.ts'
import { CreatedSource, makeSource } from '../sources/created-source.ts'
import { closeSource, findSource } from '../sources/source.ts'

export const replaceIngestionAddress = writeOperation({
  name: 'replace_ingestion_address',
  title: 'Replace the ingestion address',
  summary:
    'Gives the workspace another address to forward mail to, as a source of its own under the same name. The one before takes no more mail within seconds.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'An address that was replaced is not used again.',
  input: Type.Object({
    id: Type.String({ format: 'uuid', description: 'The e-mail source’s id, from list_sources.' }),
  }),
  output: CreatedSource,
  apply: async ({ id }, transaction, context) => {
    const { kind, name } = await findSource(transaction, id)
    if (kind !== 'email') {
      throw new AssayError(
        'invalid_input',
        `Only a source of kind email has an ingestion address; ${id} is of kind ${kind}. rotate_source_secret gives that a new secret.`,
      )
    }
    await closeSource(transaction, context.caller.workspaceId, id)
    return makeSource(transaction, context, { kind, name, codeHost: null, settings: {} })
  },
})
