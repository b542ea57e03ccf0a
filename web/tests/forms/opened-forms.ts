import type { Locator, Page } from 'playwright-core'
import type { Arranged } from './arranged.ts'

/** A form that a story opens and writes in. */
export interface OpenedForm {
  readonly name: string
  /** The file of `web/src` that has it. */
  readonly file: string
  /** Which of the file, where two stories write in one; else the story's own. */
  readonly form?: string
  readonly path: (arranged: Arranged) => string
  /** Opens it, where the page is. */
  readonly open: (page: Page) => Promise<void>
  /** A field that a person writes in. */
  readonly field: (page: Page) => Locator
  /** Sends it; absent where its story does not. */
  readonly submit?: (page: Page) => Promise<void>
  /** How many characters the field takes; absent where it is no text. */
  readonly most?: number
  /** What is written where it is no text. */
  readonly written?: string
}

type Story = Pick<OpenedForm, 'open' | 'field' | 'most' | 'written'>

const stays = () => Promise.resolve()
const onPage = (label: string, most: number): Story => ({
  open: stays,
  field: page => page.getByRole('textbox', { name: label, exact: true }),
  most,
})
const dialog = (page: Page) => page.getByRole('dialog').last()
const inDialog = (label: string) => (page: Page) => dialog(page).getByRole('textbox', { name: label, exact: true })
/** By a button of the page, and by an item of the menu that it opens. */
const pressing =
  (button: string | RegExp, item?: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
const DECISION = 4000
/** A dialog with nothing to write but what is decided and why. */
const deciding = (button: string | RegExp, item?: string | RegExp): Story => ({
  open: pressing(button, item),
  field: inDialog('Decision'),
  most: DECISION,
})

const solution = ({ started }: Arranged) => `/app/solutions/${started}`
const strategy = () => '/app/strategy'
const triage = ({ question }: Arranged) => `/app/triage?signal=${question}`

/** Forms that no story of two persons or of lost answers has: each keeps what is written in it, all of it. */
export const OPENED_FORMS: readonly OpenedForm[] = [
  {
    name: 'the name of the workspace',
    file: 'screens/workspace/workspace.tsx',
    path: () => '/app/settings/workspace',
    ...onPage('Name of the workspace', 120),
  },
  {
    name: 'one’s own name',
    file: 'screens/own-account/own-account.tsx',
    path: () => '/app/settings/account',
    ...onPage('Your name', 120),
  },
  {
    name: 'one’s own e-mail',
    file: 'screens/own-account/own-email.tsx',
    path: () => '/app/settings/account',
    open: stays,
    field: page => page.getByRole('textbox', { name: 'New e-mail', exact: true }),
    written: 'another@example.com',
  },
  {
    name: 'the days of a review',
    form: 'a review',
    file: 'screens/reviews/reviews.tsx',
    path: () => '/app/reviews',
    open: async page => {
      await pressing('Prepare a review')(page)
      if ((await dialog(page).getByLabel('From', { exact: true }).count()) > 0) return
      await dialog(page).getByRole('combobox', { name: 'Time' }).click()
      await page.getByRole('option').last().click()
    },
    field: page => dialog(page).getByLabel('From', { exact: true }),
    written: '2026-01-05',
  },
  {
    name: 'a signal',
    file: 'screens/triage/write-signal.tsx',
    path: () => '/app/triage',
    open: pressing('Write a signal'),
    field: inDialog('What was said'),
  },
  {
    name: 'a reason to dismiss',
    file: 'screens/triage/choices.tsx',
    path: triage,
    open: pressing(/^Dismiss…/),
    field: inDialog('Another reason'),
    most: 1000,
  },
  {
    name: 'the end of a snooze',
    file: 'screens/triage/choices.tsx',
    path: triage,
    open: pressing(/^Snooze…/),
    field: page => dialog(page).getByLabel('After this many more signals'),
    written: '17',
  },
  {
    name: 'what a signal is evidence of',
    file: 'screens/triage/dialogs.tsx',
    path: triage,
    open: pressing(/^Promote…/),
    field: inDialog('Title'),
    most: 300,
  },
  {
    name: 'a view of Triage',
    file: 'screens/triage/name-view.tsx',
    path: () => '/app/triage?classification=problem',
    open: pressing('Views', 'Save this view…'),
    field: inDialog('Name'),
    most: 60,
  },
  {
    name: 'a comment that is there',
    file: 'parts/discussion/comment-item.tsx',
    path: ({ claim }) => `/app/claims/${claim}`,
    open: async page => {
      const menu = page.getByRole('button', { name: /^Change the comment of / })
      await menu
        .or(page.getByRole('textbox', { name: 'Your comment', exact: true }))
        .first()
        .waitFor()
      // What was begun is open by itself.
      if ((await menu.count()) > 0) await pressing(/^Change the comment of /, 'Edit')(page)
    },
    field: page => page.getByRole('textbox', { name: 'Your comment', exact: true }),
    most: 4000,
  },
  {
    name: 'a boost',
    file: 'screens/solutions/dialogs/boost-and-hand-off.tsx',
    path: () => '/app/board',
    open: async page =>
      page
        .getByRole('button', { name: /^Boost SOL-/ })
        .first()
        .click(),
    field: page => dialog(page).getByRole('spinbutton', { name: 'Boost' }),
    written: '4',
  },
  {
    name: 'a handoff',
    file: 'screens/solutions/dialogs/boost-and-hand-off.tsx',
    path: solution,
    open: pressing('Move to', /by handing it off/),
    field: inDialog('Address'),
    most: 2000,
  },
  {
    name: 'a move to a state',
    file: 'screens/solutions/dialogs/edit-and-move.tsx',
    path: solution,
    ...deciding('Move to', 'Dropped'),
  },
  {
    name: 'claims that a Solution answers',
    file: 'screens/solutions/dialogs/answered-claims.tsx',
    path: solution,
    ...deciding('Add claims'),
  },
  {
    name: 'a claim that a Solution answers no more',
    file: 'screens/solutions/dialogs/answered-claims.tsx',
    path: solution,
    ...deciding(/^Remove CLM-/),
  },
  {
    name: 'a Decision that is reversed',
    file: 'screens/solutions/decisions.tsx',
    path: ({ started }) => `/app/solutions/${started}/decisions`,
    ...deciding('Reverse'),
  },
  {
    name: 'a Solution that leaves the roadmap',
    file: 'screens/roadmap/roadmap-dialogs.tsx',
    path: () => '/app/roadmap',
    ...deciding(/^Change SOL-/, 'Remove'),
  },
  {
    name: 'a Solution that moves on the roadmap',
    file: 'screens/roadmap/roadmap-dialogs.tsx',
    path: () => '/app/roadmap',
    ...deciding(/^Change SOL-/, 'Move to Later'),
  },
  {
    name: 'a Solution for the roadmap',
    file: 'screens/roadmap/roadmap-dialogs.tsx',
    path: () => '/app/roadmap',
    ...deciding('Place a Solution'),
  },
  {
    name: 'an element that is removed',
    file: 'screens/strategy/strategy-dialogs.tsx',
    path: strategy,
    ...deciding(/^Change “/, 'Remove'),
  },
  {
    name: 'an element that is moved',
    file: 'screens/strategy/strategy-dialogs.tsx',
    path: strategy,
    ...deciding(/^Change “/, /^Make it .*objective/),
  },
  {
    name: 'links of an element',
    file: 'screens/strategy/strategy-dialogs.tsx',
    path: strategy,
    ...deciding(/^Change “/, 'Link claims and Solutions'),
  },
  {
    name: 'a link that is taken off an element',
    file: 'screens/strategy/strategy-dialogs.tsx',
    path: strategy,
    ...deciding(/^Unlink CLM-/),
  },
  {
    name: 'a group that is deleted',
    file: 'screens/groups/group-dialogs.tsx',
    path: ({ group }) => `/app/groups/${group}`,
    ...deciding('Delete'),
  },
  {
    name: 'Solutions of a group',
    file: 'screens/groups/group-dialogs.tsx',
    path: ({ group }) => `/app/groups/${group}`,
    ...deciding('Add Solutions'),
  },
  {
    name: 'a Solution that leaves a group',
    file: 'screens/groups/group-dialogs.tsx',
    path: ({ group }) => `/app/groups/${group}`,
    ...deciding(/^Remove SOL-/),
  },
]
