import { call, element, showError } from './api.js'
import { filtersInAddress } from './filters.js'
import { followJobs } from './jobs.js'
import { letterGroup } from './letter-group.js'
import { startPage } from './navigation.js'
import { quiet, reading, update } from './show.js'
import { jobForm } from './start-job.js'
import { stepFigures } from './step-figures.js'

const place = document.querySelector('#groups')

const readAll = () => Promise.all([refresh(), jobs.refresh()])

const done = async says => {
  update('#done', says)
  await readAll()
}

const NONE = { waiting: 'No dead letter waits.', replayed: 'None was replayed.', discarded: 'None was discarded.' }

const refresh = async () => {
  const { letter_state, step } = filters()
  const asked = location.search
  if (place.children.length === 0) place.append(reading())
  try {
    // One letter is the least that can be asked for; a group reads its own.
    const { last_hour, groups } = await call('inspect_pipeline', { letter_state, ...(step && { step }), limit: 1 })
    if (asked !== location.search) return
    update('#steps', last_hour.length > 0 ? stepFigures(last_hour) : quiet('No signal was received in the last hour.'))
    const shown = groups.map(group => letterGroup(group, letter_state, done))
    place.replaceChildren(...(shown.length > 0 ? shown : [quiet(NONE[letter_state])]))
    showError(null)
  } catch (error) {
    showError(error)
    place.replaceChildren(element('button', { type: 'button', click: readAll }, 'Try again'))
  }
}

const filters = filtersInAddress(document.querySelector('#filters'), refresh)

startPage()
const jobs = followJobs(document.querySelector('#jobs'))
jobForm(document.querySelector('#start-job'), jobs.refresh)
refresh()
