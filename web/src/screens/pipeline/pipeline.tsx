import { NavLink, Route, Routes } from 'react-router'
import { useOperation } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { Page, PageHeader } from '../../parts/page.tsx'
import { Together } from '../../parts/states.tsx'
import { DeadLetters } from './dead-letters/dead-letters.tsx'
import { Jobs } from './jobs.tsx'
import { Ledger } from './ledger.tsx'
import classes from './pipeline.module.css'
import { Steps } from './steps/steps.tsx'
import { TraceSignal } from './trace-signal.tsx'

/** `/app/pipeline`: the machine at work, what it could not work on, and what somebody has it do. */
const Pipeline = () => (
  <Page>
    <PageHeader
      title={t('Pipeline')}
      about={t(
        'Step by step, what comes in becomes a signal that can be judged. Nothing that was accepted is lost: it waits, it is tried again, or it lies with the dead letters.',
      )}
    />
    <Sections />
    <Together rows={8} height={40}>
      <Routes>
        <Route index element={<Steps />} />
        <Route path="dead-letters" element={<DeadLetters />} />
        <Route path="jobs" element={<Jobs />} />
        <Route path="signal" element={<TraceSignal />} />
        <Route path="ledger" element={<Ledger />} />
      </Routes>
    </Together>
  </Page>
)

export default Pipeline

/** As often as somebody looks for whether their job has ended. */
const REFRESH_MS = 5000

const ADDRESS = '/app/pipeline'

/** The parts of the screen, with what waits or runs in each. */
const Sections = () => {
  const { data: pipeline } = useOperation('inspect_pipeline', { limit: 1 }, { refresh_ms: REFRESH_MS })
  const { data: jobs } = useOperation('list_jobs', { job_state: 'running', limit: 1 }, { refresh_ms: REFRESH_MS })
  const sections = [
    { to: ADDRESS, title: t('Steps'), count: 0 },
    { to: `${ADDRESS}/dead-letters`, title: t('Dead letters'), count: pipeline?.count ?? 0 },
    { to: `${ADDRESS}/jobs`, title: t('Jobs'), count: jobs?.count ?? 0 },
    { to: `${ADDRESS}/signal`, title: t('One signal'), count: 0 },
    { to: `${ADDRESS}/ledger`, title: t('Ledger'), count: 0 },
  ]
  return (
    <nav aria-label={t('Pipeline')} className={classes.sections} data-chrome>
      {sections.map(({ to, title, count }) => (
        <NavLink key={to} to={to} end className={classes.section ?? ''}>
          {title}
          {count > 0 && <span className={classes.count}>{count.toLocaleString(language)}</span>}
        </NavLink>
      ))}
    </nav>
  )
}
