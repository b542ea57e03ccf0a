import { NavLink } from 'react-router'
import { useOperation } from '../../api/hooks.ts'
import classes from './sections.module.css'

/** As often as somebody looks for whether their job has ended. */
const REFRESH_MS = 5000

const ADDRESS = '/app/pipeline'

/** The parts of the screen, with what waits or runs in each. */
export const Sections = () => {
  const { data: pipeline } = useOperation('inspect_pipeline', { limit: 1 }, { refresh_ms: REFRESH_MS })
  const { data: jobs } = useOperation('list_jobs', { job_state: 'running', limit: 1 }, { refresh_ms: REFRESH_MS })
  const sections = [
    { to: ADDRESS, title: 'Steps', count: 0 },
    { to: `${ADDRESS}/dead-letters`, title: 'Dead letters', count: pipeline?.count ?? 0 },
    { to: `${ADDRESS}/jobs`, title: 'Jobs', count: jobs?.count ?? 0 },
    { to: `${ADDRESS}/signal`, title: 'One signal', count: 0 },
    { to: `${ADDRESS}/ledger`, title: 'Ledger', count: 0 },
  ]
  return (
    <nav aria-label="Pipeline" className={classes.sections} data-chrome>
      {sections.map(({ to, title, count }) => (
        <NavLink key={to} to={to} end className={classes.section ?? ''}>
          {title}
          {count > 0 && <span className={classes.count}>{count.toLocaleString('en')}</span>}
        </NavLink>
      ))}
    </nav>
  )
}
