import { Anchor, Button, Group, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useLiveChange } from '../../api/live-connection.ts'
import { useCanEdit, useOperation } from '../../api/operations.ts'
import { counted, language, t, word } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { boost, priority } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { ErrorState, LoadingState, Together } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { Document } from './document/document.tsx'
import { BoostDialog, ScoreExplanation } from './later-dialogs.tsx'
import { Overview } from './overview.tsx'
import classes from './solution.module.css'
import { SolutionActions } from './solution-actions.tsx'
import { partNamed, type SolutionOutput, type SolutionTab, SolutionTabs } from './solution-parts.tsx'
import { useRefetch } from './use-decision-change.ts'

/** Loaded with its tab: neither the overview nor the document shows it. */
const Decisions = lazy(loadPart(() => import('./decisions.tsx').then(({ Decisions: loaded }) => ({ default: loaded }))))

const REFRESH_MS = 30_000
/** What changes a Solution, what it answers, and what is said about it. */
const TOPICS = ['decisions', 'claims', 'discussions'] as const

/** `/app/solutions/SOL-12`, with `/document` and `/decisions` below it. */
const Solution = () => {
  const [reference = '', tab = ''] = (useParams()['*'] ?? '').split('/')
  const solution = useOperation('lookup_solution', { id: reference, depth: 'full' }, { refresh_ms: REFRESH_MS })
  const context = useOperation('lookup_context', { id: reference }, { refresh_ms: REFRESH_MS })
  const readAgain = useRefetch()
  useLiveChange(TOPICS, () => void readAgain())
  const error = solution.error ?? context.error
  const { data } = solution
  if (data === undefined || context.data === undefined) {
    return (
      <Page>
        <PageHeader title={reference.toUpperCase()} />
        {error === null ? (
          <LoadingState rows={8} />
        ) : (
          <ErrorState
            error={error}
            retry={() => {
              solution.refetch()
              context.refetch()
            }}
          />
        )}
      </Page>
    )
  }
  return (
    <Page>
      <Text size="sm" c="dimmed" mb="xs" component="div" className={classes.trail}>
        <Anchor component={Link} to="/app/board" inherit underline="always">
          {t('Board')}
        </Anchor>{' '}
        / <span className={classes.mono}>{data.reference}</span>
        <StateBadge state={data.state} />
      </Text>
      <PageHeader title={data.title} tab={partNamed(tab, `${data.reference} ${data.title}`)}>
        <SolutionActions solution={data} />
      </PageHeader>
      <Together rows={8}>
        <div className={classes.columns}>
          <div className={classes.main}>
            <SolutionTabs
              reference={data.reference}
              chosen={tab}
              version={context.data.living_doc?.version ?? 0}
              decisions={context.data.decisions.count}
            />
            <TabOf tab={tab} solution={data} context={context.data} />
          </div>
          <Properties solution={data} />
        </div>
      </Together>
    </Page>
  )
}

const TabOf = ({ tab, solution, context }: SolutionTab) => {
  if (tab === 'document') {
    return <Document reference={solution.reference} newest={context.living_doc?.version ?? 0} />
  }
  if (tab === 'decisions') {
    return (
      <Suspense fallback={<LoadingState rows={8} />}>
        <Decisions reference={solution.reference} />
      </Suspense>
    )
  }
  return <Overview solution={solution} context={context} />
}

export default Solution

/** What a Solution is in figures, beside its texts. */
const Properties = ({ solution }: { readonly solution: SolutionOutput }) => {
  const [dialog, setDialog] = useState<'why' | 'boost' | null>(null)
  const canEdit = useCanEdit()
  const { reference, state, manual_rank, priority_boost, evidence_priority, score, placement, rice } = solution
  useKeys([{ key: 'w', does: t('Position on the board'), run: () => setDialog('why') }])
  return (
    <aside className={classes.aside} aria-label={t('Properties')}>
      <dl className={classes.properties}>
        <Property label={t('State')}>
          <StateBadge state={state} />
        </Property>
        <Property label={t('Score')}>
          <b>{priority(score)}</b> <Dimmed>{`= ${priority(evidence_priority)} ${boost(priority_boost)}`}</Dimmed>
        </Property>
        <Property label={t('Rank')}>
          {manual_rank === null ? <Dimmed>{t('by evidence')}</Dimmed> : t('{manual_rank}, by hand', { manual_rank })}
        </Property>
        <Property label={t('Evidence')}>
          {counted(solution.actors, 'actor')}, {counted(solution.signals, 'signal')}
        </Property>
        <Property label={t('Groups')}>
          {placement.groups.length === 0 ? <Dimmed>{t('none')}</Dimmed> : <bdi>{placement.groups.join(', ')}</bdi>}
        </Property>
        <Property label={t('Roadmap')}>
          {placement.roadmap === null ? (
            <Dimmed>{t('not placed')}</Dimmed>
          ) : (
            <Anchor component={Link} to="/app/roadmap" inherit>
              {word(placement.roadmap.horizon)}
            </Anchor>
          )}
        </Property>
        <Property label={t('Strategy')}>
          {placement.strategy.length === 0 ? (
            <Dimmed>{t('none')}</Dimmed>
          ) : (
            placement.strategy.map(({ id, layer, title }) => (
              <span key={id} className={classes.line}>
                <Dimmed>{word(layer)}</Dimmed>{' '}
                <Anchor component={Link} to="/app/strategy" inherit>
                  <bdi>{title}</bdi>
                </Anchor>
              </span>
            ))
          )}
        </Property>
        <Property label={t('Created')}>
          <When at={solution.created_at} />
        </Property>
        <Property label={t('Changed')}>
          <When at={solution.updated_at} />
        </Property>
      </dl>
      <Group gap="sm" mt="md" data-chrome>
        <Button size="xs" variant="default" onClick={() => setDialog('why')}>
          {t('Score')}
        </Button>
        {canEdit && (
          <Button size="xs" variant="default" onClick={() => setDialog('boost')}>
            {t('Boost')}
          </Button>
        )}
      </Group>
      {rice !== undefined && <Rice rice={rice} />}
      <ScoreExplanation of={dialog === 'why' ? reference : null} onClose={() => setDialog(null)} />
      {dialog === 'boost' && <BoostDialog of={solution} onClose={() => setDialog(null)} />}
    </aside>
  )
}

const Property = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const Dimmed = ({ children }: { readonly children: ReactNode }) => (
  <Text span fz="inherit" c="dimmed">
    {children}
  </Text>
)

const FIGURES = [
  ['reach', t('Reach')],
  ['impact', t('Impact')],
  ['confidence', t('Confidence')],
  ['effort', t('Effort')],
] as const

/** Figures of an earlier way to prioritize: shown where there are any, and never ranking. */
const Rice = ({ rice }: { readonly rice: NonNullable<SolutionOutput['rice']> }) =>
  FIGURES.every(([name]) => rice[name] === null) ? null : (
    <>
      <Text size="xs" c="dimmed" mt="lg" mb="xs">
        {t('RICE, kept as a record. It does not change the rank.')}
      </Text>
      <dl className={classes.properties}>
        {FIGURES.map(([name, label]) => (
          <Property key={name} label={label}>
            {rice[name]?.toLocaleString(language) ?? <Dimmed>{t('none')}</Dimmed>}
          </Property>
        ))}
      </dl>
    </>
  )
