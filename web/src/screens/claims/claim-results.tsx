import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import type { CLAIM_KINDS, CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { useOperationPages } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { queryOf } from '../../parts/formats.ts'
import { Reference } from '../../parts/inline.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { type BegunClaim, begin } from '../../shell/begun.ts'
import { ChooseClaim, type ChosenClaims, useClaimKeys } from './chosen-claims.tsx'
import classes from './claim-results.module.css'

interface Props {
  readonly query: string
  readonly filter: ClaimFilter
  /** Null: the person’s role may change nothing. */
  readonly chosen: ChosenClaims | null
  /** What stands there until something is found: whoever types looks at no empty page. */
  readonly meanwhile: ReactNode
}

const filtersOf = ({ kinds, states }: ClaimFilter) => [
  ...(kinds ? [{ field: 'kind' as const, op: 'in' as const, values: kinds }] : []),
  ...(states ? [{ field: 'state' as const, op: 'in' as const, values: states }] : []),
]

/** Claims that a search finds, by words and by meaning, the best first. */
export const ClaimResults = ({ query: words, filter, chosen, meanwhile }: Props) => {
  const query = useOperationPages(
    'lookup_search',
    { query: queryOf(words), types: ['claim'], filters: filtersOf(filter), limit: 20 },
    { keep: true },
  )
  const { items, first, error } = query
  const list = useRef<HTMLUListElement>(null)
  const claims = items.map(({ reference, title }) => ({ reference: reference ?? '', title, signals: null }))
  useClaimKeys(list, claims, chosen)
  if (first === undefined) {
    return error === null ? meanwhile : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconSearch} title={t('Nothing found')}>
        {t('No claim has these words or means the same.')}
      </EmptyState>
    )
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {t('{claims} found, the best first.', { claims: counted(first.count, 'claim') })}
      </Text>
      <ul ref={list} className="plain">
        {items.map(({ id, reference, title, text }) => (
          <li key={id} className={classes.result}>
            <Group gap="md" wrap="nowrap" align="baseline">
              {chosen && <ChooseClaim claim={{ reference: reference ?? '', title, signals: null }} chosen={chosen} />}
              <Reference of={reference ?? ''} />
              <Stack gap={2} miw={0} flex={1}>
                <Text component="bdi" size="sm" fw={550} className="anywhere">
                  {title}
                </Text>
                {text !== title && (
                  <Text component="bdi" size="sm" c="dimmed" lineClamp={2} className="anywhere">
                    {text}
                  </Text>
                )}
              </Stack>
              {chosen && <NewSolution claim={{ reference: reference ?? '', title }} />}
            </Group>
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}

/** Which claims a list shows; all of them where a field is absent. */
export interface ClaimFilter {
  readonly kinds?: (typeof CLAIM_KINDS)[number][]
  readonly states?: (typeof CLAIM_STATES)[number][]
}

export const NewSolution = ({ claim: { reference, title } }: { readonly claim: BegunClaim }) => (
  <Tooltip label={t('New Solution')}>
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={t('New Solution for {reference}', { reference })}
      onClick={() => begin({ what: 'solution', claims: [{ reference, title }] })}
    >
      <IconPlus size={15} aria-hidden />
    </ActionIcon>
  </Tooltip>
)
