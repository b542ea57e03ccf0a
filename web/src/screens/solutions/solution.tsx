import { Anchor, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { useOperation } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { Decisions } from './decisions.tsx'
import { Document } from './document/document.tsx'
import { Overview } from './overview.tsx'
import { Properties } from './properties.tsx'
import classes from './solution.module.css'
import { SolutionActions } from './solution-actions.tsx'
import { type SolutionTab, SolutionTabs } from './solution-parts.tsx'

const REFRESH_MS = 30_000

/** `/app/solutions/SOL-12`, with `/document` and `/decisions` below it. */
const Solution = () => {
  const [reference = '', tab = ''] = (useParams()['*'] ?? '').split('/')
  const solution = useOperation('lookup_solution', { id: reference, depth: 'full' }, { refresh_ms: REFRESH_MS })
  const context = useOperation('lookup_context', { id: reference }, { refresh_ms: REFRESH_MS })
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
      <PageHeader title={data.title} tab={`${data.reference} ${data.title}`}>
        <SolutionActions solution={data} />
      </PageHeader>
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
    </Page>
  )
}

const TabOf = ({ tab, solution, context }: SolutionTab) => {
  if (tab === 'document') {
    return <Document reference={solution.reference} newest={context.living_doc?.version ?? 0} />
  }
  if (tab === 'decisions') return <Decisions reference={solution.reference} />
  return <Overview solution={solution} context={context} />
}

export default Solution
