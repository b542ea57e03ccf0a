import { call, onSubmit } from './api.js'

const LASTING =
  'Remove what the present rules about personal data find, in everything that there is? That cannot be undone.'

/** The form that starts work on everything again; `started` runs once it began. */
export const jobForm = (form, started) =>
  onSubmit(form, async ({ job_kind }) => {
    if (job_kind === 're_scrub' && !confirm(LASTING)) return
    await call('start_job', { job_kind })
    await started()
  })
