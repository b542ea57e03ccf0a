import assert from 'node:assert/strict'
import { eventually } from '../../../infra/runtime/testing.ts'
import { createSignalSource, type Person } from '../../../test/support/person.ts'
import { sendSignal } from '../../../test/support/sender.ts'

/** What must show as the text that it is. */
export const HOSTILE = '<img src=x onerror=alert(1)> evil'

const SAID = ['The export fails with an error on large boards.', 'Search does not find my archived notes any more.']

const SOLUTIONS = [
  ['Stream exports as they are read', 'Nothing waits in memory, so a board of **any size** leaves the product.'],
  ['Index archived notes', 'What is archived is found like anything else.'],
  ['Tax rates by country', ''],
  [HOSTILE, HOSTILE],
  ['Exports by mail', 'A link, once the file is there.'],
] as const

/** Claims CLM-1 and CLM-2 through the pipeline, and Solutions SOL-1 to SOL-5. */
export const arrangeEvidence = async (person: Person): Promise<void> => {
  const source = await createSignalSource(person)
  for (const text of SAID) await sendSignal(source, { text, actor_name: 'Ada', source: 'support desk' })
  for (const [title, summary] of SOLUTIONS) {
    await person.call('create_solution', { title, summary, comment: 'Agreed in the planning of this quarter.' })
  }
  await eventually('the claims are there', async () => {
    assert.equal((await person.call<{ items: unknown[] }>('analyze_claims')).items.length, SAID.length)
  })
}

const STACK = [
  [
    'vision',
    'Every team sees what its customers mean',
    'Nobody guesses. What was said leads to what is built, **and back**.',
  ],
  ['objective', 'Halve what customers lose to exports', 'Measured by failed exports a week.'],
  ['objective', 'Answer within the day', ''],
  ['bet', 'Files of any size', 'Streaming instead of memory:\n\n- exports first\n- then imports'],
  ['bet', HOSTILE, HOSTILE],
] as const

const LINKS: Readonly<Record<string, object>> = {
  'Halve what customers lose to exports': { claim_ids: ['CLM-1', 'CLM-2'] },
  'Files of any size': { claim_ids: ['CLM-1'], solution_ids: ['SOL-1', 'SOL-4'] },
}

export const arrangeStrategy = async (person: Person): Promise<void> => {
  for (const [layer, title, summary] of STACK) {
    const comment = 'Agreed at the offsite.'
    await person.call('change_strategy', { action: 'add', layer, title, summary, ...LINKS[title], comment })
  }
}

const PLACES = [
  ['SOL-1', 'now', 'Two customers left over it: it cannot wait.'],
  ['SOL-3', 'now', 'The law changes in January.'],
  ['SOL-2', 'next', 'It follows the exports, by the same people.'],
  ['SOL-4', 'later', HOSTILE],
] as const

export const arrangeRoadmap = async (person: Person): Promise<void> => {
  await person.call('update_solution', { solution_id: 'SOL-1', state: 'Planned', comment: 'Planned.' })
  for (const [solution_id, horizon, comment] of PLACES) {
    await person.call('change_roadmap', { action: 'place', solution_id, horizon, comment })
  }
}
