import { Code, Group, Text } from '@mantine/core'
import { Reference } from '../../parts/reference.tsx'
import classes from './change-list.module.css'
import type { Change } from './use-decision.ts'

interface Props {
  readonly changes: readonly Change[]
}

/** Each object that a Decision changed, with its fields from and to. */
export const ChangeList = ({ changes }: Props) =>
  changes.length === 0 ? (
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
              <Field key={field} name={field} value={value} />
            ))}
          </dl>
        </li>
      ))}
    </ol>
  )

const isFromTo = (value: unknown): value is { readonly from: unknown; readonly to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))

const Field = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <>
    <Text component="dt" size="xs" c="dimmed">
      {name.replaceAll('_', ' ')}
    </Text>
    <Text component="dd" size="xs" m={0} className={classes.value}>
      {isFromTo(value) ? (
        <>
          <Code>{shown(value.from)}</Code> → <Code>{shown(value.to)}</Code>
        </>
      ) : (
        <Code>{shown(value)}</Code>
      )}
    </Text>
  </>
)
