import { call, element, showError } from './api.js'
import { count, quiet, quoted, row, table, time } from './show.js'

/** While a job runs its progress is asked for this often; without one, a job that something else starts is seen this late. */
const RUNNING_MS = 1000
const RESTING_MS = 10_000

const HEADINGS = ['Job', 'State', 'Progress', 'Started', 'By', 'Last said', '']

const named = kind => kind.replace('_', '-')

const progress = ({ kind, state, done, total, failed }) => [
  ...(state === 'running'
    ? [
        element('progress', {
          'aria-label': `Progress of ${named(kind)}`,
          ...(total > 0 && { max: String(total), value: String(done) }),
        }),
        ' ',
      ]
    : []),
  total === null ? count(done) : `${count(done)} of ${count(total)}`,
  ...(failed > 0 ? [element('span', { class: 'error' }, ` (${count(failed)} came to nothing)`)] : []),
]

const jobRow = (job, cancel) =>
  row(
    named(job.kind),
    job.state,
    progress(job),
    time(job.created_at),
    quoted(job.started_by),
    job.message ? quoted(job.message) : '',
    job.state === 'running'
      ? element(
          'button',
          { type: 'button', 'aria-label': `Cancel ${named(job.kind)}`, 'data-job': job.id, click: () => cancel(job) },
          'Cancel',
        )
      : '',
  )

/** Shows the newest jobs of the workspace and follows their progress. */
export const followJobs = place => {
  let timer

  const cancel = async job => {
    showError(null)
    await call('cancel_job', { id: job.id }).catch(showError)
    await refresh()
  }

  const show = items => {
    const shown =
      items.length > 0
        ? table(
            'Jobs',
            HEADINGS,
            items.map(job => jobRow(job, cancel)),
          )
        : quiet('No job has run.')
    // A job whose row is the same keeps its button, with the focus on it.
    if (!place.firstElementChild?.isEqualNode(shown)) place.replaceChildren(shown)
  }

  const refresh = async () => {
    clearTimeout(timer)
    let running = false
    try {
      const { items } = await call('list_jobs')
      running = items.some(({ state }) => state === 'running')
      show(items)
    } catch (error) {
      place.replaceChildren(element('p', { class: 'error' }, error.message))
    }
    timer = setTimeout(refresh, running ? RUNNING_MS : RESTING_MS)
  }

  refresh()
  return { refresh }
}
