import { Anchor, Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { IconPlus, IconReportAnalytics } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useCanEdit, useChange, useOperation, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { ChangeDialog } from '../../parts/change-dialog.tsx'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { When } from '../../parts/inline.tsx'
import { LinkedTable, MoreButton } from '../../parts/lists.tsx'
import { OWN_ZONE } from '../../parts/own-zone.ts'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { formatDays, formatPeriod, PERIODS, type PeriodChoice, periodOf, today } from './periods.ts'
import { ReviewPage } from './review-page.tsx'
import { type Job, Preparing } from './review-parts.tsx'
import classes from './reviews.module.css'

/** `/app/reviews` is all of them, `/app/reviews/<id>` one, or how far it is. */
const Reviews = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <ReviewList /> : <ReviewPage key={id} id={id} />
}

export default Reviews

const REFRESH_MS = 2000

/** The saved Product Reviews, the newest first, and the one that is being prepared. */
const ReviewList = () => {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const canEdit = useCanEdit()
  const running = useOperation('list_jobs', { job_kind: 'review', job_state: 'running' }, { refresh_ms: REFRESH_MS })
  const jobs = running.data?.items ?? []
  const query = useOperationPages('read_reviews', { limit: 50 }, { refresh_ms: jobs.length > 0 ? REFRESH_MS : false })
  const { first, items, error, refetch } = query
  const ask = () => setAsking(true)
  useKeys(canEdit ? [{ key: 'c', does: t('Prepare a review'), run: ask }] : [])
  return (
    <Page>
      <PageHeader
        title={t('Product Reviews')}
        about={t(
          'What a period brought: what customers said, what rose and fell, what was decided and what came of it.',
        )}
      >
        {canEdit && (
          <Button size="sm" leftSection={<IconPlus size={16} />} onClick={ask}>
            {t('Prepare a review')}
          </Button>
        )}
      </PageHeader>
      {jobs.map(job => (
        <Preparing key={job.id} job={job} canCancel={canEdit} />
      ))}
      {first === undefined &&
        (error === null ? <LoadingState rows={6} height={40} /> : <ErrorState error={error} retry={refetch} />)}
      {first?.count === 0 && jobs.length === 0 && (
        <EmptyState icon={IconReportAnalytics} title={t('No review is saved yet')}>
          {t(
            'A review keeps the figures of a week, a month or a quarter as they were, beside those of the time before, to be read and printed.',
          )}
        </EmptyState>
      )}
      {items.length > 0 && (
        <LinkedTable aria-label={t('Product Reviews')} className={classes.list ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Review')}</Table.Th>
              <Table.Th w="32%" data-yields="3">
                {t('Time')}
              </Table.Th>
              <Table.Th w="24%" data-yields="3">
                {t('Prepared by')}
              </Table.Th>
              <Table.Th w={120}>{t('Prepared')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(({ id, title, period_from, period_to, prepared_by, prepared_at }) => (
              <Table.Tr key={id}>
                <Table.Td className={classes.cut}>
                  <Anchor component={Link} to={`/app/reviews/${id}`} size="sm" fw={550} c="inherit">
                    <bdi>{title}</bdi>
                  </Anchor>
                </Table.Td>
                <Table.Td
                  className={classes.cut}
                  title={formatPeriod(period_from, period_to, OWN_ZONE)}
                  data-yields="3"
                >
                  {formatDays(period_from, period_to, OWN_ZONE)}
                </Table.Td>
                <Table.Td className={classes.cut} data-yields="3">
                  <bdi>{prepared_by}</bdi>
                </Table.Td>
                <Table.Td>
                  <When at={prepared_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </LinkedTable>
      )}
      <MoreButton query={query} />
      {asking && (
        <PrepareReview onStarted={({ id }) => navigate(`/app/reviews/${id}`)} onClose={() => setAsking(false)} />
      )}
    </Page>
  )
}

interface PrepareReviewProps {
  readonly onStarted: (job: Job) => void
  readonly onClose: () => void
}

interface Wanted extends FormValues {
  readonly choice: PeriodChoice
  /** Both days of a time of one's own. */
  readonly from: string
  readonly until: string
  readonly title: string
}

/** Asks which time a review is to be of, and has it prepared. */
const PrepareReview = ({ onStarted, onClose }: PrepareReviewProps) => {
  const form = useNewForm<Wanted>('new review', { choice: '30', from: '', until: '', title: '' })
  const { choice, title, ...custom } = form.values
  const starting = useChange('start_review', { draft: form.name, invalidates: ['list_jobs'], goOn: onStarted })
  const period = periodOf(choice, today(OWN_ZONE, new Date()), custom)
  const prepare = () => {
    if (period === null) return
    const { from, to } = period
    starting.mutate({
      time: { from, ...(to !== undefined && { to }), time_zone: OWN_ZONE },
      title: title.trim() === '' ? period.title : title.trim(),
    })
  }
  return (
    <ChangeDialog
      opened
      title={t('Prepare a Product Review')}
      action={t('Prepare it')}
      change={starting}
      form={form}
      failed={t('Nothing was started')}
      missing={period === null ? t('both days') : null}
      onSubmit={prepare}
      onClose={onClose}
    >
      <Select
        label={t('Time')}
        data={PERIODS.map(each => ({ ...each }))}
        allowDeselect={false}
        value={choice}
        onChange={value => form.write({ choice: PERIODS.find(each => each.value === value)?.value ?? '30' })}
        data-autofocus
      />
      {choice === 'custom' && (
        <Group gap="sm" grow>
          <TextInput
            type="date"
            label={t('From')}
            value={custom.from}
            onChange={event => form.write({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t('Until')}
            value={custom.until}
            onChange={event => form.write({ until: event.currentTarget.value })}
          />
        </Group>
      )}
      <LimitedInput
        label={t('Title')}
        placeholder={period?.title ?? t('Choose both days first')}
        most={MAX_CHARACTERS.title}
        value={title}
        onChange={event => form.write({ title: event.currentTarget.value })}
      />
      <Text size="sm" c="dimmed">
        {t(
          'It is compared with the same time before, and saved with its figures: it stays as it is, whatever comes later.',
        )}
      </Text>
    </ChangeDialog>
  )
}
