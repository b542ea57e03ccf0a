import { after, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Person } from '../../test/support/person.ts'
import { type Arranged, arrange, inviteColleague } from './forms/arranged.ts'
import { startVisit, type Visit } from './visit.ts'

const comment = 'By a colleague.'

interface Followed {
  readonly screen: string
  readonly path: string
  /** What somebody else does, with words that nobody wrote before. */
  readonly change: (colleague: Person, words: string, arranged: Arranged) => Promise<unknown>
  readonly shown?: (page: Page, words: string) => Locator
}

const FOLLOWED: readonly Followed[] = [
  {
    screen: 'Board',
    path: '/app/board',
    change: (colleague, title) => colleague.call('create_solution', { title, comment }),
  },
  {
    screen: 'Solution',
    path: '/app/solutions/SOL-1',
    change: (colleague, title) => colleague.call('update_solution', { solution_id: 'SOL-1', title, comment }),
  },
  {
    screen: 'Claims',
    path: '/app/claims',
    change: (colleague, title, { claim }) => colleague.call('update_claim', { claim_id: claim, title, comment }),
  },
  {
    screen: 'Map',
    path: '/app/map',
    change: (colleague, name) => colleague.call('add_map_node', { name }),
  },
  {
    screen: 'Groups',
    path: '/app/groups',
    change: (colleague, name, { solution }) =>
      colleague.call('change_group', { action: 'create', name, solution_ids: [solution], comment }),
  },
  {
    screen: 'Decisions',
    path: '/app/decisions',
    change: (colleague, text) => colleague.call('create_solution', { title: 'Exports by mail', comment: text }),
  },
  {
    screen: 'Members',
    path: '/app/settings/members',
    change: (colleague, label) => colleague.call('invite_member', { label, role: 'viewer' }),
  },
  {
    screen: 'Workspace, and its name beside every screen',
    path: '/app/settings/workspace',
    change: (colleague, name) => colleague.call('rename_workspace', { name }),
    shown: (page, name) => page.getByRole('button', { name: `Workspace: ${name}` }),
  },
]

/** A page in which nothing is read again by the clock: what it shows anew, the live connection told it of. */
const WITHOUT_POLLING = 'setInterval = () => 0'

describe('A screen that somebody looks at', () => {
  let visit: Visit
  let arranged: Arranged
  let colleague: Person
  let id = ''
  before(async () => {
    visit = await startVisit()
    await visit.page.addInitScript(WITHOUT_POLLING)
    arranged = await arrange(visit.person)
    colleague = await inviteColleague(visit.person)
    const { items } = await visit.person.call<{ items: { user_id: string; is_you: boolean }[] }>('list_members', {})
    id = items.find(({ is_you }) => !is_you)?.user_id ?? ''
    await visit.person.call('change_role', { user_id: id, role: 'owner' })
  })
  after(() => visit?.end())

  for (const { screen, path, change, shown } of FOLLOWED)
    it(`follows what a colleague does: ${screen}`, async () => {
      await visit.open(path)
      // What changes first may be read by a page that is still opening.
      for (const words of [`${screen.slice(0, 8)} one`, `${screen.slice(0, 8)} two`]) {
        await change(colleague, words, arranged)
        await (shown?.(visit.page, words) ?? visit.page.getByText(words).first()).waitFor()
      }
    })

  it('counts what waits for somebody, beside every screen', async () => {
    await visit.open('/app/strategy')
    for (const title of ['Reviewed first', 'Reviewed second']) {
      const { in_review } = await visit.person.call<{ in_review: number }>('count_waiting')
      const { solution } = await colleague.call<{ solution: { id: string } }>('create_solution', { title, comment })
      const solution_id = solution.id
      for (const state of ['Planned', 'In Progress'])
        await colleague.call('update_solution', { solution_id, state, comment })
      const url = 'https://example.com/design'
      await colleague.call('hand_off_solution', { solution_id, kind: 'design', url, comment })
      await visit.page.getByTitle(`${in_review + 1} in review`, { exact: true }).waitFor()
    }
  })

  it('offers what the person may do by now, and keeps what they are writing before them until then', async () => {
    const { page, person } = visit
    const me = (await person.call<{ items: { user_id: string; is_you: boolean }[] }>('list_members', {})).items.find(
      ({ is_you }) => is_you,
    )
    await visit.open(`/app/solutions/${arranged.solution}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    const summary = page.getByRole('dialog').getByRole('textbox', { name: 'Summary' })
    await summary.fill('Words of a member.')
    visit.expectStatus(403)
    await colleague.call('change_role', { user_id: me?.user_id, role: 'viewer' })
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('alert').getByText('This needs the role member in this workspace; yours is viewer.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close it' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).first().waitFor({ state: 'hidden' })
    await colleague.call('remove_member', { user_id: me?.user_id })
    await page.getByRole('heading', { name: 'You are not a member of this workspace' }).waitFor()
  })
})
