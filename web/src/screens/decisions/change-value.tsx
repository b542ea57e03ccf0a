import { Anchor, Code } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { Reference } from '../../parts/reference.tsx'

interface Props {
  readonly field: string
  readonly value: unknown
  /** References of objects by id, where the page knows them. */
  readonly references: ReadonlyMap<string, string>
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SHORT = 8

/** Which screen shows the object that a field names by its id. */
const screenOf = (field: string): string | null => {
  if (/solution/.test(field)) return 'solutions'
  if (/signal|pulled_out$/.test(field)) return 'signals'
  if (/claim|merge|pulled|refused/.test(field)) return 'claims'
  return /undoes|decision/.test(field) ? 'decisions' : null
}

const isFromTo = (value: unknown): value is { readonly from: unknown; readonly to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

/** A changed value: from and to, what an id stands for as a link, and anything else as it is. */
export const ChangeValue = ({ field, value, references }: Props) => {
  const part = (each: unknown) => <ChangeValue field={field} value={each} references={references} />
  if (isFromTo(value)) {
    return (
      <>
        {part(value.from)} → {part(value.to)}
      </>
    )
  }
  if (Array.isArray(value)) {
    return value.length === 0
      ? 'none'
      : value.map((each, place) => (
          // A value that was written once never moves.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Fragment key={place}>
            {place > 0 && ', '}
            {part(each)}
          </Fragment>
        ))
  }
  if (typeof value === 'string' && UUID.test(value)) {
    const reference = references.get(value)
    if (reference !== undefined) return <Reference of={reference} />
    const screen = screenOf(field)
    if (screen === null) return <Code>{value}</Code>
    return (
      <Anchor component={Link} to={`/app/${screen}/${value}`} size="sm" ff="monospace" title={value}>
        {value.slice(0, SHORT)}…
      </Anchor>
    )
  }
  return <Code>{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</Code>
}
