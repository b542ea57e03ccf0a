import { AssayError } from '../../../infra/runtime/errors.ts'

/** What an action takes beside `action` itself. */
export interface ActionFields {
  readonly needs: readonly string[]
  readonly may: readonly string[]
}

/** Refuses, by name, a field that the action does not read and one that it lacks. */
export const requireActionFields = (
  given: Readonly<Record<string, unknown>> & { readonly action: string },
  { needs, may }: ActionFields,
): void => {
  const allowed = new Set(['action', ...needs, ...may])
  const foreign = Object.keys(given).filter(field => !allowed.has(field))
  const missing = needs.filter(field => given[field] === undefined)
  if (foreign.length + missing.length === 0) return
  const optional = may.length === 0 ? '' : ` and may take ${may.join(', ')}`
  throw new AssayError('invalid_input', `Action ${given.action} needs ${needs.join(', ')}${optional}.`, {
    violations: [
      ...missing.map(field => ({ pointer: `/${field}`, message: `is required by action ${given.action}` })),
      ...foreign.map(field => ({ pointer: `/${field}`, message: `is not a field of action ${given.action}` })),
    ],
  })
}

/** A field that `fitAction` has found. */
export const requireField = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('A field that the action needs was not checked.')
  return value
}
