import { CHOSEN_BY, type ChosenBy } from '../../../schemas/domain/customer-facts.ts'
import type { Output } from '../api/operations.ts'
import { t } from '../language/messages.ts'

/** Customer facts from senders, by which lists are filtered and sorted. */
export type Facts = NonNullable<Output<'list_signals'>['facts']>

export const isTold = (facts: Facts | undefined, fact: ChosenBy): boolean => (facts?.[fact].length ?? 0) > 0

const LABELS: Readonly<Record<ChosenBy, string>> = {
  account: t('Company'),
  plan: t('Plan [of a customer]'),
  language: t('Language'),
  tag: t('Tag'),
}

/** Such as “Plan: Team, Free · Language: de”. */
export const factsInShort = (values: Readonly<Partial<Record<ChosenBy, readonly string[]>>>): string =>
  CHOSEN_BY.flatMap(fact => (values[fact] === undefined ? [] : `${LABELS[fact]}: ${values[fact].join(', ')}`)).join(
    ' · ',
  )

type Chosen = Readonly<Record<ChosenBy, string>>

/** Texts of these filters. */
export const ABOUT_CUSTOMERS = {
  label: t('By customer'),
  nothing: t('No signal came with a company, a plan, a language, tags or a revenue.'),
}

/** Filters of a list by customer facts: those with values or a choice. */
export const customerChoices = (
  facts: Facts | undefined,
  chosen: Chosen,
  onChange: (changed: Partial<Chosen>) => void,
) =>
  CHOSEN_BY.filter(fact => chosen[fact] !== '' || isTold(facts, fact)).map(fact => {
    const values = facts?.[fact] ?? []
    const value = chosen[fact]
    const options = value === '' || values.includes(value) ? values : [...values, value]
    return {
      label: LABELS[fact],
      value,
      options: options.map(each => ({ value: each, label: each })),
      onChange: (next: string) => onChange({ [fact]: next }),
    }
  })

/** The fields that are not empty. */
export const given = <Field extends string>(
  state: Readonly<Record<Field, string>>,
  fields: readonly Field[],
): Partial<Record<Field, string>> =>
  // The names are the fields', each with a text.
  Object.fromEntries(fields.flatMap(field => (state[field] === '' ? [] : [[field, state[field]]]))) as Partial<
    Record<Field, string>
  >
