import type { Page } from 'playwright-core'
import type { Person } from '../../../test/support/person.ts'
import type { Arranged } from './arranged.ts'
import type { OpenedForm } from './opened-forms.ts'

/** A form of something that is not there yet. */
export interface NewForm extends OpenedForm {
  readonly submit: (page: Page) => Promise<void>
  /** The write that it sends. */
  readonly operation: string
  /** How many there are that say this. */
  readonly count: (person: Person, arranged: Arranged, text: string) => Promise<number>
}

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

const dialog = (page: Page) => page.getByRole('dialog').last()
const stays = () => Promise.resolve()
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).last().click()
const amongIn = (field: string, items: Listed['items'], text: string) =>
  items.filter(each => String(each[field]) === text).length

export const NEW_FORMS: readonly NewForm[] = [
  {
    name: 'a comment',
    file: 'parts/discussion/discussion.tsx',
    path: ({ claim }) => `/app/claims/${claim}`,
    open: stays,
    field: page => page.getByRole('textbox', { name: 'A comment' }),
    submit: press('Comment'),
    most: 4000,
    operation: 'write_comment',
    count: async (person, { claim }, text) =>
      amongIn('text', (await person.call<Listed>('list_comments', { id: claim, limit: 100 })).items, text),
  },
  {
    name: 'a note',
    file: 'screens/claims/answers-and-notes.tsx',
    path: ({ claim }) => `/app/claims/${claim}`,
    open: stays,
    field: page => page.getByRole('textbox', { name: 'A note' }),
    submit: press('Save note'),
    most: 2000,
    operation: 'save_knowledge',
    count: async (person, { claim }, text) =>
      amongIn('text', (await person.call<{ notes: Listed['items'] }>('lookup_claim', { id: claim })).notes, text),
  },
  {
    name: 'a new Solution',
    file: 'screens/solutions/create-solution.tsx',
    path: () => '/app/board',
    open: page => page.getByRole('button', { name: 'New Solution' }).first().click(),
    field: page => dialog(page).getByRole('textbox', { name: 'Title', exact: true }),
    submit: async page => {
      await dialog(page).getByRole('textbox', { name: 'Decision', exact: true }).fill('To be built.')
      await press('Create Solution')(page)
    },
    most: 300,
    operation: 'create_solution',
    count: async (person, _, text) =>
      amongIn('title', (await person.call<Listed>('lookup_backlog', { limit: 100 })).items, text),
  },
  {
    name: 'a new group',
    file: 'screens/groups/groups.tsx',
    path: () => '/app/groups',
    open: page => page.getByRole('button', { name: 'New group' }).first().click(),
    field: page => dialog(page).getByRole('textbox', { name: 'Name', exact: true }),
    submit: press('Create group'),
    most: 120,
    operation: 'change_group',
    count: async (person, _, text) => amongIn('name', (await person.call<Listed>('lookup_group')).items, text),
  },
  {
    name: 'a new element of the strategy',
    file: 'screens/strategy/write-element.tsx',
    path: () => '/app/strategy',
    open: page => page.getByRole('button', { name: 'Add a vision' }).first().click(),
    field: page => dialog(page).getByRole('textbox', { name: 'Title', exact: true }),
    submit: async page => {
      await dialog(page).getByRole('textbox', { name: 'Decision', exact: true }).fill('Where it goes.')
      await press('Add it')(page)
    },
    most: 300,
    operation: 'change_strategy',
    count: async (person, _, text) => amongIn('title', (await person.call<Listed>('orient_strategy')).items, text),
  },
  {
    name: 'a key',
    file: 'screens/connect-agents/connect-agents.tsx',
    path: () => '/app/settings/connect-agents',
    open: stays,
    field: page => page.getByRole('textbox', { name: 'Label', exact: true }),
    submit: press('Create key'),
    most: 120,
    operation: 'create_key',
    count: async (person, _, text) => amongIn('label', (await person.call<Listed>('list_keys')).items, text),
  },
  {
    name: 'an invitation',
    file: 'screens/members/invitations.tsx',
    path: () => '/app/settings/members',
    open: stays,
    field: page => page.getByRole('textbox', { name: 'Invite', exact: true }),
    submit: press('Create link'),
    most: 120,
    operation: 'invite_member',
    count: async (person, _, text) => amongIn('label', (await person.call<Listed>('list_invitations')).items, text),
  },
  {
    name: 'a source',
    file: 'screens/sources/create-source.tsx',
    path: () => '/app/settings/sources',
    open: page => page.getByRole('button', { name: 'Create source', exact: true }).first().click(),
    field: page => dialog(page).getByRole('textbox', { name: 'Name', exact: true }),
    submit: press('Create source'),
    most: 120,
    operation: 'create_source',
    count: async (person, _, text) => amongIn('name', (await person.call<Listed>('list_sources')).items, text),
  },
  {
    name: 'a review',
    file: 'screens/reviews/reviews.tsx',
    path: () => '/app/reviews',
    open: page => page.getByRole('button', { name: 'Prepare a review' }).first().click(),
    field: page => dialog(page).getByRole('textbox', { name: 'Title', exact: true }),
    submit: press('Prepare it'),
    most: 300,
    operation: 'start_review',
    count: async (person, _, text) =>
      amongIn('about', (await person.call<Listed>('list_jobs', { job_kind: 'review' })).items, text),
  },
  {
    name: 'several nodes',
    file: 'screens/map/add-nodes.tsx',
    path: () => '/app/map',
    open: page => page.getByRole('button', { name: 'Several nodes' }).first().click(),
    field: page => dialog(page).getByRole('textbox', { name: 'Names', exact: true }),
    submit: press('Add 1 node'),
    operation: 'add_map_nodes',
    count: async (person, _, text) =>
      amongIn('path', (await person.call<Listed>('read_map', { limit: 100 })).items, text),
  },
  // It leaves for what it has made: the last.
  {
    name: 'a new workspace',
    file: 'screens/workspace/workspace.tsx',
    path: () => '/app/settings/workspace',
    open: stays,
    field: page => page.getByRole('textbox', { name: 'Name of the new workspace', exact: true }),
    submit: press('Create workspace'),
    most: 120,
    operation: 'create_workspace',
    count: async (person, _, text) => amongIn('name', (await person.call<Listed>('list_workspaces')).items, text),
  },
]
