/**
 * Facts of a customer that come with a signal: by each, the keys of metadata that senders and imports use, the usual
 * key first.
 */
export const CUSTOMER_KEYS = {
  account: ['account', 'account_name', 'company', 'organization', 'organisation', 'customer'],
  plan: ['plan'],
  language: ['language', 'lang', 'locale'],
  revenue: ['revenue', 'mrr', 'arr'],
  tags: ['tags', 'labels', 'tag'],
} as const

/** The facts by which a list can be filtered. Revenue orders a list instead. */
export const CHOSEN_BY = ['account', 'plan', 'language', 'tag'] as const
export type ChosenBy = (typeof CHOSEN_BY)[number]
