import type { CodeHost, SourceKind } from '../../../../schemas/domain/vocabulary.ts'
import type { Input } from '../../api/client.ts'
import { kindOf } from './kinds.ts'
import type { Mapping } from './mapping-fields.tsx'

/** What a person filled in, those fields too that the chosen kind has no use for. */
export interface Filled {
  readonly kind: SourceKind
  readonly name: string
  readonly code_host: CodeHost
  readonly mapping: Mapping
}

/** What `create_source` takes of it: the fields of another kind stay out, and so do empty ones. */
export const wantedSource = ({ kind, name, code_host, mapping }: Filled): Input<'create_source'> => {
  const { text, ...others } = mapping
  const { fields } = kindOf({ kind })
  const filled = Object.fromEntries(Object.entries(others).filter(([, pointer]) => pointer !== ''))
  return {
    kind,
    name,
    ...(fields.includes('code_host') && { code_host }),
    ...(fields.includes('mapping') &&
      text !== undefined &&
      text !== '' && { settings: { mapping: { text, ...filled } } }),
  }
}
