import { useEffect, useRef } from 'react'
import { NavLink, Route, Routes, useLocation } from 'react-router'
import { useOperation } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { later } from '../../parts/later.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { NothingHere, Together } from '../../parts/states.tsx'
import { Jobs } from './jobs.tsx'
import { Ledger } from './ledger.tsx'
import classes from './pipeline.module.css'
import { Steps } from './steps/steps.tsx'

const DeadLetters = later(
  loadPart(() => import('./dead-letters/dead-letters.tsx')),
  parts => parts.DeadLetters,
)
const TraceSignal = later(
  loadPart(() => import('./trace-signal.tsx')),
  parts => parts.TraceSignal,
)

const ADDRESS = '/app/pipeline'

/** The parts of the screen by their addresses. */
const TITLES: Readonly<Record<string, string>> = {
  [ADDRESS]: t('Steps'),
  [`${ADDRESS}/dead-letters`]: t('Dead letters'),
  [`${ADDRESS}/jobs`]: t('Jobs'),
  [`${ADDRESS}/signal`]: t('One signal'),
  [`${ADDRESS}/ledger`]: t('Ledger'),
}

/** `/app/pipeline`: the machine at work, what it could not work on, and what somebody has it do. */
const Pipeline = () => (
  <Page>
    <Head />
    <Sections />
    <Together rows={8} height={40}>
      <Routes>
        <Route index element={<Steps />} />
        <Route path="dead-letters" element={<DeadLetters />} />
        <Route path="jobs" element={<Jobs />} />
        <Route path="signal" element={<TraceSignal />} />
        <Route path="ledger" element={<Ledger />} />
        <Route path="*" element={<NothingHere>{t('The pipeline has no such part.')}</NothingHere>} />
      </Routes>
    </Together>
  </Page>
)

export default Pipeline

/** The browser’s tab says the part too, which a screen reader says when it is there. */
const Head = () => {
  const { pathname } = useLocation()
  const part = pathname === ADDRESS ? undefined : TITLES[pathname]
  return (
    <PageHeader
      title={t('Pipeline')}
      {...(part !== undefined && { tab: `${part} · ${t('Pipeline')}` })}
      about={t(
        'Step by step, what comes in becomes a signal that people can decide on. Nothing that was accepted is lost: it waits, it is tried again, or it is kept with the dead letters.',
      )}
    />
  )
}

/** As often as somebody looks for whether their job has ended. */
const REFRESH_MS = 5000

/** The parts of the screen, with what waits or runs in each. */
const Sections = () => {
  const { data: pipeline } = useOperation('inspect_pipeline', { limit: 1 }, { refresh_ms: REFRESH_MS })
  const { data: jobs } = useOperation('list_jobs', { job_state: 'running', limit: 1 }, { refresh_ms: REFRESH_MS })
  const sections = [
    { to: ADDRESS, count: null },
    { to: `${ADDRESS}/dead-letters`, count: pipeline?.count ?? 0 },
    { to: `${ADDRESS}/jobs`, count: jobs?.count ?? 0 },
    { to: `${ADDRESS}/signal`, count: null },
    { to: `${ADDRESS}/ledger`, count: null },
  ]
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone they scroll sideways, and the one that is shown may be out of sight.
    if (pathname !== '')
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname])
  return (
    <nav ref={nav} aria-label={t('Pipeline')} className={classes.sections} data-chrome>
      {sections.map(({ to, count }) => (
        <NavLink key={to} to={to} end className={classes.section ?? ''}>
          {TITLES[to]}
          {/* Its place is kept, so that no link moves while somebody aims at it. */}
          {count !== null && (
            <span className={classes.count} hidden={count === 0}>
              {count.toLocaleString(language)}
            </span>
          )}
        </NavLink>
      ))}
    </nav>
  )
}
