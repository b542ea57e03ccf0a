import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { signalsQuestion } from '../../parts/evidence/signals-question.ts'
import { RunningJob } from '../../parts/running-job.tsx'
import classes from './reviews.module.css'

export type Review = NonNullable<Output<'read_review'>['review']>
export type Figures = Review['figures']
export type Job = NonNullable<Output<'read_review'>['job']>

/** A time and the same time before it, as ISO 8601. */
export type Times = Pick<Review, 'period_from' | 'period_to' | 'previous_period_from'>

/** The question of Explore that counts the Signals of a review’s time, all or of one classification. */
export const signalsOf = ({ period_from, period_to }: Times, classification?: string): string =>
  signalsQuestion({ from: period_from, to: period_to }, classification)

/** The list of what changed of one kind within a review’s time. */
export const changesOf = (kind: string, { period_from, period_to }: Times): string =>
  `/app/changes?${new URLSearchParams({ kind, range: 'between', from: period_from, until: period_to })}`

interface Props {
  readonly title: string
  /** What the whole part comes to, in a sentence. */
  readonly label?: ReactNode
  readonly children?: ReactNode
}

/** A part of a review under its heading. */
export const Part = ({ title, label, children }: Props) => (
  <section className={classes.part}>
    <Group gap="md" align="baseline" mb="sm">
      <Title order={2}>{title}</Title>
      {label !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {label}
        </Text>
      )}
    </Group>
    {children}
  </section>
)

interface EvidenceLinkProps {
  readonly to: string
  /** What it leads to, for whoever does not see where it stands. */
  readonly label?: string
  readonly children: ReactNode
}

/** A number that leads to what it was counted from. */
export const EvidenceLink = ({ to, label, children }: EvidenceLinkProps) => (
  <Anchor
    component={Link}
    to={to}
    inherit
    c="inherit"
    underline="hover"
    {...(label !== undefined && { 'aria-label': label })}
  >
    {children}
  </Anchor>
)

interface ComparedBarsProps {
  readonly value: number
  readonly before: number | undefined
  /** What a bar of full length stands for. */
  readonly most: number
}

/** A number above that of the time before, as lengths. */
export const ComparedBars = ({ value, before, most }: ComparedBarsProps) => (
  <div className={classes.bars}>
    <span style={{ width: `${most === 0 ? 0 : (value / most) * 100}%` }} />
    {before !== undefined && <span data-before style={{ width: `${most === 0 ? 0 : (before / most) * 100}%` }} />}
  </div>
)

interface PreparingProps {
  readonly job: Job
  readonly canCancel: boolean
}

/** How far a review is. */
export const Preparing = ({ job, canCancel }: PreparingProps) => {
  const { id, about, done, total } = job
  const name = about ?? t('The review')
  return (
    <Box mb="lg" className="reading">
      <RunningJob
        job={job}
        label={t('Preparing {name}', { name })}
        canCancel={canCancel}
        invalidates={['list_jobs', 'read_review']}
      >
        {rich('{link} is being prepared: {done} of {total} parts', {
          link: (
            <Anchor component={Link} to={`/app/reviews/${id}`} inherit underline="always">
              <bdi>{name}</bdi>
            </Anchor>
          ),
          done,
          total: total ?? '…',
        })}
      </RunningJob>
    </Box>
  )
}
