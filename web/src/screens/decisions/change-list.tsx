import { Group, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Reference } from '../../parts/reference.tsx'
import classes from './change-list.module.css'
import { ChangeValue } from './change-value.tsx'
import type { Change } from './use-decision.ts'

interface Props {
  readonly changes: readonly Change[]
}

/** Each object that a Decision changed, with its fields from and to. */
export const ChangeList = ({ changes }: Props) => {
  const references = new Map(changes.flatMap(({ id, reference }) => (reference === null ? [] : [[id, reference]])))
  return changes.length === 0 ? (
    <Text size="sm" c="dimmed">
      Nothing: it states what was decided.
    </Text>
  ) : (
    <ol className={classes.list} aria-label="Changes">
      {changes.map(({ kind, id, reference, name, change }, place) => (
        // What a Decision changed stays in its order for ever, and may name an object twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={`${id} ${place}`} className={classes.change}>
          <Group gap="sm" wrap="nowrap" align="baseline">
            {reference === null ? (
              <Text size="sm" c="dimmed">
                {kind.replaceAll('_', ' ')}
              </Text>
            ) : (
              <Reference of={reference} />
            )}
            <Text component="bdi" size="sm" truncate>
              {name}
            </Text>
          </Group>
          <dl className={classes.fields}>
            {Object.entries(change).map(([field, value]) => (
              <Fragment key={field}>
                <Text component="dt" size="xs" c="dimmed">
                  {field.replaceAll('_', ' ')}
                </Text>
                <Text component="dd" size="xs" m={0} className={classes.value}>
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
