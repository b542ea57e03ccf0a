import { Group, Stack, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import { useOperationPages } from '../../api/hooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { counted } from '../../parts/evidence/counted.ts'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Reference } from '../../parts/reference.tsx'
import type { ClaimFilter } from './claim-filter.ts'
import classes from './claim-results.module.css'
import { useRowKeys } from './use-row-keys.ts'

interface Props {
  readonly query: string
  readonly filter: ClaimFilter
}

const filtersOf = ({ kinds, states }: ClaimFilter) => [
  ...(kinds ? [{ field: 'kind' as const, op: 'in' as const, values: kinds }] : []),
  ...(states ? [{ field: 'state' as const, op: 'in' as const, values: states }] : []),
]

/** Claims that a search finds, by words and by meaning, the best first. */
export const ClaimResults = ({ query: words, filter }: Props) => {
  const query = useOperationPages(
    'lookup_search',
    { query: words.slice(0, 300), types: ['claim'], filters: filtersOf(filter), limit: 20 },
    { keep: true },
  )
  const { items, first, error } = query
  const list = useRef<HTMLUListElement>(null)
  useRowKeys(list)
  if (first === undefined) {
    return error === null ? <LoadingState rows={6} height={52} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconSearch} title="Nothing found">
        No claim has these words or means the same.
      </EmptyState>
    )
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {counted(first.count, 'claim')} found, the best first.
      </Text>
      <ul ref={list} className={classes.results}>
        {items.map(({ id, reference, title, text }) => (
          <li key={id} className={classes.result}>
            <Group gap="md" wrap="nowrap" align="baseline">
              <Reference of={reference ?? ''} />
              <Stack gap={2} miw={0}>
                <Text component="bdi" size="sm" fw={550} className={classes.text}>
                  {title}
                </Text>
                {text !== title && (
                  <Text component="bdi" size="sm" c="dimmed" lineClamp={2} className={classes.text}>
                    {text}
                  </Text>
                )}
              </Stack>
            </Group>
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}
