import { Button, Group, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconStack3 } from '@tabler/icons-react'
import { useState } from 'react'
import { useCanEdit, useChange, useOperation, useOperationPages } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { useAboutJudge, useHasJudge } from '../../parts/merging.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { JobTable, STARTABLE, type Startable, titleOf } from './job-table.tsx'

/** Progress is followed this closely while something runs; what begins by itself is seen this late. */
const REFRESH_MS = 1500

/**
 * Long work on the workspace, with its progress, who began it and who ended it. It goes on whether somebody looks or
 * not.
 */
export const Jobs = () => {
  const canEdit = useCanEdit()
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'list_jobs',
    {},
    { refresh_ms: REFRESH_MS },
  )
  if (first === undefined) {
    return error === null ? <LoadingState rows={5} /> : <ErrorState error={error} retry={refetch} />
  }
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {t('You can leave while a job runs, and come back to it here.')}
        </Text>
        {canEdit && <StartJob />}
      </Group>
      {error !== null && <ErrorState error={error} retry={refetch} title={t('This progress may be out of date')} />}
      {items.length === 0 ? (
        <EmptyState icon={IconStack3} title={t('No job has run')}>
          {t(
            'Replays of dead letters run as jobs, and what is done again after a change: another embedding model, newer rules, a changed map.',
          )}
        </EmptyState>
      ) : (
        <JobTable jobs={items} canEdit={canEdit} />
      )}
      {hasNextPage && (
        <Button variant="subtle" size="xs" mt="sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show older')}
        </Button>
      )}
    </>
  )
}

/** Starts work on everything again. What cannot be undone is asked for first. */
const StartJob = () => {
  const [asking, setAsking] = useState<'re_scrub' | 're_anchor' | null>(null)
  const lacksJudge = useHasJudge() === false
  const aboutJudge = useAboutJudge()
  const starting = useChange('start_job', {
    invalidates: ['list_jobs'],
    onSuccess: ({ kind }) => notifyDone(t('{kind} has begun.', { kind: titleOf(kind) })),
  })
  const start = (job_kind: Startable) => starting.mutate({ job_kind }, { onError: notifyFailed })
  return (
    <>
      <Menu position="bottom-end" width={340}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            loading={starting.isPending}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('Do again')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {STARTABLE.map(({ kind, about }) => (
            <Menu.Item
              key={kind}
              disabled={kind === 're_judge' && lacksJudge}
              onClick={() => (kind === 're_scrub' || kind === 're_anchor' ? setAsking(kind) : start(kind))}
            >
              <Text size="sm">{titleOf(kind)}</Text>
              <Text size="xs" c="dimmed">
                {kind === 're_judge' && lacksJudge ? aboutJudge : about}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking === 're_scrub'}
        title={t('Remove personal data again?')}
        action={t('Remove personal data')}
        change={starting}
        onConfirm={() => starting.mutate({ job_kind: 're_scrub' })}
        onClose={() => setAsking(null)}
      >
        {t(
          'What the present rules about personal data find is replaced in everything that this workspace has. That cannot be undone.',
        )}
      </Confirm>
      <Confirm
        opened={asking === 're_anchor'}
        title={t('Place signals on the map again?')}
        action={t('Place them again')}
        change={starting}
        onConfirm={() => starting.mutate({ job_kind: 're_anchor' })}
        onClose={() => setAsking(null)}
      >
        <WhatMoves />
      </Confirm>
    </>
  )
}

/** How many signals would be at another node of the map, before anything moves. */
const WhatMoves = () => {
  const { data, error, refetch } = useOperation('preview_re_anchor', {})
  if (data === undefined)
    return error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />
  const { compared, moved, placed, released } = data
  return (
    <>
      {t(
        'Of the newest signals ({compared}), so many would change their place: to another node {moved}, to a first node {placed}, to none {released}. What people placed stays.',
        {
          compared: compared.toLocaleString(language),
          moved: moved.toLocaleString(language),
          placed: placed.toLocaleString(language),
          released: released.toLocaleString(language),
        },
      )}
    </>
  )
}
