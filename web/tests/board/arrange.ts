import assert from 'node:assert/strict'
import { eventually } from '../../../infra/runtime/testing.ts'
import { createSignalSource, type Person } from '../../../test/support/person.ts'
import { sendSignal } from '../../../test/support/sender.ts'

/** What must show as the text that it is. */
export const HOSTILE = '<img src=x onerror=alert(1)> **Solution**'

const SAID = {
  'The export fails with an error on large boards.': ['Ada', 'Grace', 'Edsger', '<b>Mallory</b>'],
  'Search does not find my archived notes any more.': ['Ada', 'Grace'],
  'The invoice shows a wrong tax rate for Norway.': ['Ada'],
} as const

/** Claims with different numbers of customers behind them, through the pipeline; answers their references by title. */
export const arrangeClaims = async (person: Person): Promise<ReadonlyMap<string, string>> => {
  const source = await createSignalSource(person)
  for (const [text, actors] of Object.entries(SAID)) {
    for (const actor_name of actors) await sendSignal(source, { text, actor_name, source: 'support desk' })
  }
  return eventually('all claims are there', async () => {
    const { items } = await person.call<{ items: { reference: string; title: string; signals: number }[] }>(
      'analyze_claims',
    )
    assert.equal(
      items.reduce((sum, { signals }) => sum + signals, 0),
      7,
    )
    assert.equal(items.length, 3)
    return new Map(items.map(({ title, reference }) => [title, reference]))
  })
}

/** Solutions in the order of their evidence: SOL-1 has the most, SOL-4 none. */
export const arrangeSolutions = async (person: Person, claims: ReadonlyMap<string, string>): Promise<void> => {
  const titles = ['Stream exports as they are read', 'Index archived notes', 'Tax rates by country', HOSTILE]
  const references = [...claims.values()]
  for (const [place, title] of titles.entries()) {
    const claim = references[place]
    await person.call('create_solution', {
      title,
      summary: `**${title}** is what customers asked for.\n\n- nothing waits in memory\n- a board of any size`,
      ...(claim !== undefined && { claim_ids: [claim] }),
      comment: 'Agreed in the planning of this quarter: it costs us customers.',
    })
  }
}
