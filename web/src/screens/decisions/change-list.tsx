import { Anchor, Code, Group, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { type Output, usePages } from '../../api/operations.ts'
import { fromStored, t, word } from '../../language/messages.ts'
import { Reference } from '../../parts/inline.tsx'
import classes from './change-list.module.css'
import { differences, fieldsOfChange, isFields, isFromTo } from './plain-change.ts'

interface Props {
  readonly changes: readonly Change[]
}

/** Each object that a Decision changed, with its fields from and to. */
export const ChangeList = ({ changes }: Props) => {
  const references = new Map(changes.flatMap(({ id, reference }) => (reference === null ? [] : [[id, reference]])))
  return changes.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t('Nothing: it only records what was decided.')}
    </Text>
  ) : (
    <ol className="plain" aria-label={t('Changes')}>
      {changes.map(({ kind, id, reference, name, change }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: it stays in its order for ever, and may name an object twice
        <li key={`${id} ${place}`} className={classes.change}>
          <Group gap="sm" wrap="nowrap" align="baseline">
            {reference === null ? (
              <Text size="sm" c="dimmed">
                {word(kind.replaceAll('_', ' '))}
              </Text>
            ) : (
              <Reference of={reference} />
            )}
            <Text component="bdi" size="sm" truncate>
              {name}
            </Text>
          </Group>
          <dl className={classes.fields}>
            {fieldsOfChange(change).map(([field, value]) => (
              <Fragment key={field}>
                <Text component="dt" size="xs" c="dimmed">
                  {fromStored(field.replaceAll('_', ' '))}
                </Text>
                <Text component="dd" size="xs" m={0} className="anywhere">
                  <ChangeValue field={field} value={value} references={references} />
                </Text>
              </Fragment>
            ))}
          </dl>
        </li>
      ))}
    </ol>
  )
}

interface ChangeValueProps {
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

/** A changed value: from and to, what an id stands for as a link, and anything else as it is. */
const ChangeValue = ({ field, value, references }: ChangeValueProps) => {
  const part = (each: unknown) => <ChangeValue field={field} value={each} references={references} />
  const named = (fields: readonly (readonly [field: string, value: unknown])[]) =>
    fields.map(([name, each], place) => (
      <Fragment key={name}>
        {place > 0 && ', '}
        {fromStored(name.replaceAll('_', ' '))}: <ChangeValue field={name} value={each} references={references} />
      </Fragment>
    ))
  if (isFromTo(value)) {
    const { from, to, ...others } = value
    if (isFields(from) && isFields(to)) return named([...Object.entries(others), ...differences(from, to)])
    return (
      <>
        {part(value.from)} → {part(value.to)}
      </>
    )
  }
  if (Array.isArray(value)) {
    return value.length === 0
      ? t('none')
      : value.map((each, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value that was written once never moves
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
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (value === null) return t('none')
  if (isFields(value)) return named(Object.entries(value))
  return <Code>{typeof value === 'string' ? word(value) : String(value)}</Code>
}

export type Change = Output<'lookup_decision'>['changes'][number]

/** A Decision, with what it changed as far as it is read. */
export const useDecision = (id: string) => {
  const query = usePages('lookup_decision', { id, depth: 'full' })
  return {
    ...query,
    decision: query.first?.decision ?? undefined,
    changeId: query.first?.change_id ?? null,
    count: query.first?.count ?? 0,
    changes: query.pages.flatMap(({ changes }) => changes),
  }
}
