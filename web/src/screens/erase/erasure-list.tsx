import { Button, Stack, Text } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useOperationPages } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Section } from '../workspace/section.tsx'
import { ErasureItem } from './erasure-item.tsx'

/** While one is at work, and while none is. */
const REFRESH_MS = { running: 1000, resting: 30_000 }

/** What was erased, the newest first, each with its proof. */
export const ErasureList = () => {
  const [isRunning, setIsRunning] = useState(false)
  const { items, first, error, refetch, fetchNextPage, hasNextPage } = useOperationPages(
    'list_erasures',
    {},
    { refresh_ms: isRunning ? REFRESH_MS.running : REFRESH_MS.resting },
  )
  const works = items.some(({ job }) => job?.state === 'running')
  useEffect(() => setIsRunning(works), [works])
  return (
    <Section title={t('What was erased')} about={t('When, by whom and how much. Of whom it was, nothing is kept.')}>
      {first === undefined &&
        (error === null ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />)}
      {first !== undefined && error !== null && <ErrorState error={error} retry={refetch} />}
      {first !== undefined && items.length === 0 && (
        <EmptyState icon={IconEraser} title={t('Nothing was erased yet')}>
          {t('Each erasure is listed here with what a search of every store found afterwards.')}
        </EmptyState>
      )}
      <Stack gap="md">
        {items.map(erasure => (
          <ErasureItem key={erasure.id} of={erasure} />
        ))}
      </Stack>
      {hasNextPage && (
        <Button mt="sm" size="xs" variant="default" onClick={() => void fetchNextPage()}>
          {t('Show earlier ones')}
        </Button>
      )}
      {items.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm" className="reading">
          {t(
            'Backups that were made before, and records on the log until their time is over, are beyond this: the operator’s page “Erase a person” says when they go.',
          )}
        </Text>
      )}
    </Section>
  )
}
