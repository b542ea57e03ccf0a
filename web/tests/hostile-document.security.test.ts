import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startVisit, type Visit } from './visit.ts'

/** Of the page's main thread, for all that it does with a document. */
const MAX_CPU_SECONDS = 6
const CHARACTERS = 20_000

/** Each took minutes, or grew with the square or the cube of its length, in a reader of Markdown or another. */
const HOSTILE: readonly (readonly [what: string, text: string])[] = [
  ['a heading of spaces and U+2028', `# ${' '.repeat(4000)}\u2028x`],
  ['spaces in a line', `a${' '.repeat(CHARACTERS)}b`],
  ['lists in each other', `${'- '.repeat(CHARACTERS / 2)}x`],
  ['quotes and lists in each other', `${'> - '.repeat(CHARACTERS / 4)}x`],
  ['emphasis in each other', `${'*a **a '.repeat(CHARACTERS / 14)}b${' a** a*'.repeat(CHARACTERS / 14)}`],
  ['a thousand marks around a letter', `${'*'.repeat(CHARACTERS / 2)}a${'*'.repeat(CHARACTERS / 2)}`],
  ['brackets', '[ (]('.repeat(CHARACTERS / 5)],
  ['a delimiter row of spaces', `|a|\n|-${' '.repeat(CHARACTERS)}x`],
  ['definitions whose title has no end', '[a]: b "c\n'.repeat(CHARACTERS / 10)],
]
const PLAIN = `The end: caf&eacute; &nosuchname; <img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](https://example.com/y)`

describe('A hostile Living Document', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  it('is shown and edited in a browser without holding it up, and HTML is text', async t => {
    const { page, person, open, assertNoFaults } = visit
    const { solution } = await person.call<{ solution: { reference: string } }>('create_solution', {
      title: 'Hostile',
      comment: 'Agreed.',
    })
    for (const [version, [what, text]] of HOSTILE.entries()) {
      const markdown = `${text}\n\n${PLAIN}`
      await person.call('edit_living_document', {
        solution_id: solution.reference,
        markdown,
        comment: 'Written.',
        ...(version > 0 && { version }),
      })
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable', { timeDomain: 'threadTicks' })
      await open(`/app/solutions/${solution.reference}/document`)
      const article = page.getByRole('article', { name: 'Living Document, version' })
      await article.getByText('The end: café &nosuchname; <img src=x onerror=alert(1)>').waitFor()
      assert.equal(await page.locator('main img, main a[href^=javascript]').count(), 0, what)
      assert.equal(
        await article.getByRole('link', { name: 'y', exact: true }).getAttribute('href'),
        'https://example.com/y',
      )
      await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
      await page.getByLabel('Living Document, Markdown').waitFor()
      await page.getByRole('region', { name: 'Preview' }).getByText('The end: café').waitFor()
      const { metrics } = await session.send('Performance.getMetrics')
      const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.POSITIVE_INFINITY
      t.diagnostic(`${what}: ${seconds.toFixed(2)} s`)
      assert.ok(seconds < MAX_CPU_SECONDS, `${what}: ${seconds} s`)
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      await article.waitFor()
      await session.detach()
    }
    assertNoFaults()
  })
})
