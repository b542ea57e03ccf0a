import type { Page } from 'playwright-core'
import type { Person } from '../../../test/support/person.ts'
import type { Arranged } from './arranged.ts'
import type { OpenedForm } from './opened-forms.ts'

/** A form on something that others change too. */
export interface SharedForm extends OpenedForm {
  readonly submit: (page: Page) => Promise<void>
  readonly most: number
  /** What the field’s value is now. */
  readonly read: (person: Person, arranged: Arranged) => Promise<string>
  /** Somebody else writes the same. */
  readonly change: (person: Person, arranged: Arranged, value: string) => Promise<unknown>
  /** Somebody else changes something else of it; absent where it has no other field. */
  readonly changeOther?: (person: Person, arranged: Arranged, value: string) => Promise<unknown>
  /** What shows it, and is read anew. */
  readonly reads: string
}

const comment = 'By a colleague.'
const dialog = (page: Page) => page.getByRole('dialog').last()
const inDialog = (label: string) => (page: Page) => dialog(page).getByRole('textbox', { name: label, exact: true })
const press = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click()

interface Solution {
  readonly solution?: { readonly title: string; readonly text: string }
  readonly title?: string
  readonly text?: string
}

const solution = async (person: Person, id: string) => {
  const found = await person.call<Solution>('lookup_solution', { id, depth: 'full' })
  return found.solution ?? found
}

interface Element {
  readonly id: string
  readonly title: string
  readonly text: string
}

const element = async (person: Person, id: string) => {
  const { items } = await person.call<{ items: readonly Element[] }>('orient_strategy', { depth: 'full' })
  return items.find(each => each.id === id)
}

export const SHARED_FORMS: readonly SharedForm[] = [
  {
    name: 'the title of a claim',
    file: 'parts/title-field.tsx',
    path: ({ claim }) => `/app/claims/${claim}`,
    open: page => page.getByRole('button', { name: 'Rename', exact: true }).click(),
    field: page => page.getByRole('textbox', { name: 'Title', exact: true }),
    submit: page => page.getByRole('button', { name: 'Save', exact: true }).click(),
    most: 300,
    read: async (person, { claim }) => (await person.call<{ title: string }>('lookup_claim', { id: claim })).title,
    change: (person, { claim }, title) => person.call('update_claim', { claim_id: claim, title, comment }),
    changeOther: async (person, { claim }) => {
      const { kind } = await person.call<{ kind: string }>('lookup_claim', { id: claim })
      const other = kind === 'problem' ? 'opportunity' : 'problem'
      return person.call('update_claim', { claim_id: claim, kind: other, comment })
    },
    reads: 'lookup_claim',
  },
  {
    name: 'the title of a Solution',
    form: 'a Solution',
    file: 'screens/solutions/dialogs/edit-and-move.tsx',
    path: ({ solution }) => `/app/solutions/${solution}`,
    open: page => page.getByRole('button', { name: 'Edit', exact: true }).first().click(),
    field: inDialog('Title'),
    submit: press('Change it'),
    most: 300,
    read: async (person, arranged) => (await solution(person, arranged.solution)).title ?? '',
    change: (person, arranged, title) =>
      person.call('update_solution', { solution_id: arranged.solution, title, comment }),
    changeOther: (person, arranged, summary) =>
      person.call('update_solution', { solution_id: arranged.solution, summary, comment }),
    reads: 'lookup_solution',
  },
  {
    name: 'the summary of a Solution',
    form: 'a Solution',
    file: 'screens/solutions/dialogs/edit-and-move.tsx',
    path: ({ solution }) => `/app/solutions/${solution}`,
    open: page => page.getByRole('button', { name: 'Edit', exact: true }).first().click(),
    field: inDialog('Summary'),
    submit: press('Change it'),
    most: 20_000,
    read: async (person, arranged) => (await solution(person, arranged.solution)).text ?? '',
    change: (person, arranged, summary) =>
      person.call('update_solution', { solution_id: arranged.solution, summary, comment }),
    changeOther: (person, arranged, title) =>
      person.call('update_solution', { solution_id: arranged.solution, title, comment }),
    reads: 'lookup_solution',
  },
  {
    name: 'an element of the strategy',
    file: 'screens/strategy/write-element.tsx',
    path: () => '/app/strategy',
    open: async page => {
      await page
        .getByRole('button', { name: /^Change “/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
    },
    field: inDialog('Title'),
    submit: press('Change it'),
    most: 300,
    read: async (person, arranged) => (await element(person, arranged.element))?.title ?? '',
    change: (person, arranged, title) =>
      person.call('change_strategy', { action: 'update', strategy_id: arranged.element, title, comment }),
    changeOther: (person, arranged, summary) =>
      person.call('change_strategy', { action: 'update', strategy_id: arranged.element, summary, comment }),
    reads: 'orient_strategy',
  },
  {
    name: 'the name of a group',
    file: 'screens/groups/group-dialogs.tsx',
    path: ({ group }) => `/app/groups/${group}`,
    open: page => page.getByRole('button', { name: 'Rename' }).first().click(),
    field: inDialog('Name'),
    submit: press('Rename'),
    most: 120,
    read: async (person, { group }) =>
      (await person.call<{ group: { name: string } }>('lookup_group', { id: group })).group.name,
    change: (person, { group }, name) =>
      person.call('change_group', { action: 'rename', group_id: group, name, comment }),
    reads: 'lookup_group',
  },
  {
    name: 'the texts of a node',
    file: 'screens/map/node-form.tsx',
    path: ({ node }) => `/app/map?node=${node}`,
    open: page => page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click(),
    field: inDialog('Description'),
    submit: press('Save'),
    most: 4000,
    read: async (person, { node }) =>
      (await person.call<{ node: { description: string } }>('lookup_node', { id: node })).node.description,
    change: (person, { node }, description) => person.call('update_map_node', { id: node, description }),
    changeOther: (person, { node }, name) => person.call('update_map_node', { id: node, name }),
    reads: 'lookup_node',
  },
  {
    name: 'an Outcome',
    file: 'screens/solutions/outcome.tsx',
    path: ({ done }) => `/app/solutions/${done}/outcome`,
    open: page =>
      page
        .getByRole('button', { name: /Revise|Record/ })
        .first()
        .click(),
    field: inDialog('Observed'),
    submit: press('Revise it'),
    most: 3000,
    read: async (person, { done }) =>
      (await person.call<{ outcome: { observation: string } }>('lookup_outcome', { id: done })).outcome.observation,
    change: async (person, { done }, observation) => {
      const { outcome } = await person.call<{ outcome: { expectation: string; verdict: string; version: number } }>(
        'lookup_outcome',
        { id: done },
      )
      const { expectation, verdict, version } = outcome
      return person.call('record_outcome', {
        solution_id: done,
        expectation,
        observation,
        verdict,
        version,
        comment,
      })
    },
    reads: 'lookup_outcome',
  },
]
