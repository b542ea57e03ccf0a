import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Found {
  readonly id: string
  readonly impact: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/**
 * `colors`: of a page that was checked in other colors, and is the same but for them. `structure`: all but these, of a
 * page whose colors were checked.
 */
export type Checked = 'everything' | 'colors' | 'structure'

/** What is never more than moderate, which is not asked for, takes half of the time of all. */
const NEVER_GRAVE = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-table-header',
  'focus-order-semantics',
  'form-field-multiple-labels',
  'heading-order',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'skip-link',
  'table-duplicate-name',
]

const OF_COLORS = ['color-contrast', 'link-in-text-block']

const without = (rules: readonly string[]): string =>
  `rules: { ${rules.map(rule => `'${rule}': { enabled: false }`).join(', ')} }`

const RULES: Readonly<Record<Checked, string>> = {
  everything: without(NEVER_GRAVE),
  colors: `runOnly: { type: 'rule', values: ${JSON.stringify(OF_COLORS)} }`,
  structure: without([...NEVER_GRAVE, ...OF_COLORS]),
}

/** Asserts that axe finds nothing serious or critical in what the page shows. */
export const checkAccess = async (page: Page, checked: Checked = 'everything'): Promise<void> => {
  // Through the debugger, which the page’s Content-Security-Policy does not concern.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  const found = await page.evaluate<Found[]>(
    `axe.run(document, { resultTypes: ['violations'], ${RULES[checked]} }).then(({ violations }) => violations)`,
  )
  const grave = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const said = grave.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ target, failureSummary }) => `  ${target.join(' ')}: ${failureSummary}`).join('\n')}`,
  )
  assert.equal(grave.length, 0, said.join('\n'))
}
